import {
  type ActionRow,
  type ActionRowInput,
  type ButtonInput,
  type ButtonRow,
  button,
  channelSelect,
  mentionableSelect,
  messageV2,
  option,
  roleSelect,
  row,
  type SelectInput,
  type SelectOptionInput,
  type SelectRow,
  separator,
  stringSelect,
  text,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

const b = button.primary('b', 'B')
const isAdmin = false as boolean
const select = stringSelect('s', option('A', 'a'))

describe('a row', () => {
  test('accepts up to five buttons, as arguments or as an array', () => {
    const rows: ActionRowInput[] = [
      row(),
      row(b),
      row(b, b, b, b, b),
      row([b, b]),
      row(b, button.link('https://e.test')),
    ]
    const many = [b, b, b] as readonly (typeof b)[]
    rows.push(row(many), row(...many), row(...many.map((each) => each.withDisabled())))
    rows.push(row(isAdmin && b, null, [b, [b]], undefined), row(isAdmin ? b : null, many))
    expectTypeOf(rows).toBeArray()
  })

  test('accepts one select of any type', () => {
    const rows: ActionRowInput[] = [
      row(select),
      row([select]),
      row(userSelect('u')),
      row(roleSelect('r').withPlaceholder('Choose')),
      row(mentionableSelect('m').withMinValues(0).withMaxValues(3)),
      row(channelSelect('c').withChannelTypes(0, 5).withDefaultValues({ id: '1', type: 'channel' })),
      row(select.withDisabled()),
      row(isAdmin && select),
      row([null, select]),
    ]
    expectTypeOf(rows).toBeArray()
  })

  test('accepts literals and can be a literal', () => {
    row({ type: 2, style: 1, custom_id: 'a' }, b, { type: 2, style: 5, url: 'https://example.test' })
    row({ type: 3, custom_id: 's', options: [{ label: 'A', value: 'a' }, option('B', 'b')] })
    const literal: ActionRowInput = { type: 1, components: [b, { type: 2, style: 6, sku_id: '1' }] }
    const ofSelect: ActionRowInput = { type: 1, id: 3, components: [{ type: 5, custom_id: 'u' }] }
    expectTypeOf([literal, ofSelect]).toBeArray()
  })

  test('accepts a button or a select, by condition', () => {
    expectTypeOf(row(isAdmin ? b : select)).toEqualTypeOf<ActionRow>()
    expectTypeOf(row([isAdmin ? b : select])).toEqualTypeOf<ActionRow>()
    expectTypeOf(row(isAdmin ? select : null)).toEqualTypeOf<SelectRow>()
    messageV2(row(isAdmin ? b : select))
  })

  test('a function with a type parameter passes items to a row', () => {
    const buttonRow = <T extends ButtonInput>(x: T) => row(x)
    const buttonsRow = <T extends ButtonInput>(first: T, ...rest: T[]) => row(first, [...rest], b)
    const allRow = <T extends readonly ButtonInput[]>(...all: T) => row(...all)
    const itemRow = <T extends ButtonInput | SelectInput<'message'>>(x: T) => row(x)
    const selectRow = <const Id extends string>(id: Id) => row(stringSelect(id, option('A', 'a')).withDisabled())
    const optionRow = <T extends SelectOptionInput>(x: T) => row(stringSelect('s', x, [x]))
    expectTypeOf(buttonRow(b)).toEqualTypeOf<ButtonRow>()
    expectTypeOf(buttonsRow(b, b)).toEqualTypeOf<ButtonRow>()
    expectTypeOf(allRow(b, b)).toEqualTypeOf<ButtonRow>()
    expectTypeOf(itemRow(select)).toEqualTypeOf<SelectRow>()
    expectTypeOf(selectRow('s')).toEqualTypeOf<SelectRow>()
    messageV2(buttonRow(b), itemRow(select), optionRow(option('A', 'a')))
  })

  test('addComponents() of a row adds buttons', () => {
    row(b).addComponents(b, b).addComponents([b]).withId(7)
  })

  test('one of a modal accepts one text input', () => {
    expectTypeOf(row(textInput.small('t')).components).toExtend<readonly [{ type: 4 }]>()
  })
})

describe('an invalid row', () => {
  test('with too many components does not compile', () => {
    // @ts-expect-error: six buttons
    row(b, b, b, b, b, b)
    // @ts-expect-error: six buttons in an array
    row([b, b, b, b, b, b])
    // @ts-expect-error: six buttons in nested arrays, one of them optional
    row([b, b, b], [b, b, b], isAdmin && b)
    // @ts-expect-error: two selects
    row(select, select)
    // @ts-expect-error: two text inputs
    row(textInput.small('a'), textInput.small('b'))
  })

  test('with a button and a select does not compile', () => {
    // @ts-expect-error: a button next to a select
    row(select, b)
    // @ts-expect-error: a select next to a button
    row(b, select)
    // @ts-expect-error: a text input next to a button
    row(b, textInput.small('t'))
    // @ts-expect-error: a row of a select accepts no button
    row(select).addComponents(b)
    // @ts-expect-error: a row of buttons accepts no select
    row(b).addComponents(select)
  })

  test('with another component does not compile', () => {
    // @ts-expect-error: a text is a top-level component
    row(text('A text'))
    // @ts-expect-error: a row contains no row
    row(row(b))
    // @ts-expect-error: a separator is a top-level component
    row(separator())
    // @ts-expect-error: a required select is for a modal
    row(select.withRequired())
    // @ts-expect-error: so is a literal that is required
    row({ type: 5, custom_id: 'u', required: true })
  })

  test('does not compile as a literal', () => {
    // @ts-expect-error: a button and a select
    const mixed: ActionRowInput = { type: 1, components: [b, select] }
    // @ts-expect-error: a text input is for a modal
    const input: ActionRowInput = { type: 1, components: [textInput.small('t')] }
    // @ts-expect-error: no components
    const empty: ActionRowInput = { type: 1 }
    expectTypeOf([mixed, input, empty]).toBeArray()
  })
})

describe('an invalid select', () => {
  test('one that is disabled and becomes required does not compile', () => {
    // @ts-expect-error: a disabled select belongs to a message
    select.withDisabled().withRequired()
    // @ts-expect-error: a required select belongs to a modal
    select.withRequired().withDisabled()
  })

  test('with a field of another type of select does not compile', () => {
    // @ts-expect-error: options are for a string select
    userSelect('u').addOptions(option('A', 'a'))
    // @ts-expect-error: channel types are for a channel select
    roleSelect('r').withChannelTypes(0)
    // @ts-expect-error: a string select has no default values
    select.withDefaultValues({ id: '1', type: 'user' })
    // @ts-expect-error: a default value has a type
    userSelect('u').withDefaultValues({ id: '1' })
    // @ts-expect-error: channel types are numbers
    channelSelect('c').withChannelTypes('text')
  })

  test('with invalid options does not compile', () => {
    // @ts-expect-error: an option is not a string
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
