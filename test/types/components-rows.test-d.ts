import {
  type ActionRowInput,
  button,
  channelSelect,
  mentionableSelect,
  option,
  roleSelect,
  row,
  separator,
  stringSelect,
  text,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

const b = button.primary('b', 'B')
const select = stringSelect('s', option('A', 'a'))

describe('a row that is right', () => {
  test('holds up to five buttons, one by one or as an array', () => {
    const rows: ActionRowInput[] = [
      row(),
      row(b),
      row(b, b, b, b, b),
      row([b, b]),
      row(b, button.link('https://e.test')),
    ]
    const many = [b, b, b] as readonly (typeof b)[]
    rows.push(row(many), row(...many), row(...many.map((each) => each.withDisabled())))
    expectTypeOf(rows).toBeArray()
  })

  test('holds one select of any kind', () => {
    const rows: ActionRowInput[] = [
      row(select),
      row([select]),
      row(userSelect('u')),
      row(roleSelect('r').withPlaceholder('Choose')),
      row(mentionableSelect('m').withMinValues(0).withMaxValues(3)),
      row(channelSelect('c').withChannelTypes(0, 5).withDefaultValues({ id: '1', type: 'channel' })),
      row(select.withDisabled()),
    ]
    expectTypeOf(rows).toBeArray()
  })

  test('takes literals wherever it takes what is made, and is one', () => {
    row({ type: 2, style: 1, custom_id: 'a' }, b, { type: 2, style: 5, url: 'https://example.test' })
    row({ type: 3, custom_id: 's', options: [{ label: 'A', value: 'a' }, option('B', 'b')] })
    const literal: ActionRowInput = { type: 1, components: [b, { type: 2, style: 6, sku_id: '1' }] }
    const ofSelect: ActionRowInput = { type: 1, id: 3, components: [{ type: 5, custom_id: 'u' }] }
    expectTypeOf([literal, ofSelect]).toBeArray()
  })

  test('takes more buttons', () => {
    row(b).addComponents(b, b).addComponents([b]).withId(7)
  })

  test('of a modal holds one text input', () => {
    expectTypeOf(row(textInput.small('t')).components).toExtend<readonly [{ type: 4 }]>()
  })
})

describe('a row that is wrong does not compile:', () => {
  test('too many', () => {
    // @ts-expect-error: six buttons
    row(b, b, b, b, b, b)
    // @ts-expect-error: six buttons in an array
    row([b, b, b, b, b, b])
    // @ts-expect-error: two selects
    row(select, select)
    // @ts-expect-error: two text inputs
    row(textInput.small('a'), textInput.small('b'))
  })

  test('kinds that do not go together', () => {
    // @ts-expect-error: a button beside a select
    row(select, b)
    // @ts-expect-error: a select beside a button
    row(b, select)
    // @ts-expect-error: a text input beside a button
    row(b, textInput.small('t'))
    // @ts-expect-error: a row of a select takes no button later
    row(select).addComponents(b)
    // @ts-expect-error: a row of buttons takes no select later
    row(b).addComponents(select)
  })

  test('what belongs elsewhere', () => {
    // @ts-expect-error: a text stands on top
    row(text('A text'))
    // @ts-expect-error: a row holds no row
    row(row(b))
    // @ts-expect-error: a separator stands on top
    row(separator())
    // @ts-expect-error: a required select is for a modal
    row(select.withRequired())
    // @ts-expect-error: so is a literal that says so
    row({ type: 5, custom_id: 'u', required: true })
  })

  test('literals', () => {
    // @ts-expect-error: a button and a select
    const mixed: ActionRowInput = { type: 1, components: [b, select] }
    // @ts-expect-error: a text input is for a modal
    const input: ActionRowInput = { type: 1, components: [textInput.small('t')] }
    // @ts-expect-error: no components
    const empty: ActionRowInput = { type: 1 }
    expectTypeOf([mixed, input, empty]).toBeArray()
  })
})

describe('a select that is wrong does not compile:', () => {
  test('both disabled and required', () => {
    // @ts-expect-error: disabled made it a message's
    select.withDisabled().withRequired()
    // @ts-expect-error: required made it a modal's
    select.withRequired().withDisabled()
  })

  test('what another kind of select has', () => {
    // @ts-expect-error: options are for a string select
    userSelect('u').addOptions(option('A', 'a'))
    // @ts-expect-error: channel types are for a channel select
    roleSelect('r').withChannelTypes(0)
    // @ts-expect-error: default values are for those that fill themselves
    select.withDefaultValues({ id: '1', type: 'user' })
    // @ts-expect-error: a default value has a type
    userSelect('u').withDefaultValues({ id: '1' })
    // @ts-expect-error: channel types are numbers
    channelSelect('c').withChannelTypes('text')
  })

  test('options', () => {
    // @ts-expect-error: an option is no text
    stringSelect('s', 'A')
    // @ts-expect-error: an option has a value
    stringSelect('s', { label: 'A' })
    // @ts-expect-error: an option has no custom_id
    option('A', 'a').withCustomId('a')
    // @ts-expect-error: an option has a value
    option('A')
    // @ts-expect-error: a number of values is a number
    select.withMinValues('1')
  })
})
