import {
  type ButtonInput,
  button,
  type InteractiveButtonInput,
  type LinkButtonInput,
  type PremiumButtonInput,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

describe('a valid button', () => {
  test('each button style has a factory', () => {
    const go: InteractiveButtonInput = button.primary('go', 'Go')
    const skip: InteractiveButtonInput = button.secondary('skip')
    const yes: InteractiveButtonInput = button.success('yes', 'Yes').withEmoji({ name: '🔥' })
    const no: InteractiveButtonInput = button.danger('no', 'No').withDisabled().withDisabled(false).withId(1)
    const link: LinkButtonInput = button
      .link('https://example.test')
      .withLabel('Notes')
      .withUrl('https://example.test/2')
    const premium: PremiumButtonInput = button.premium('12345').withDisabled(true)
    expectTypeOf([go, skip, yes, no, link, premium]).toExtend<ButtonInput[]>()
  })

  test('a method of a button keeps its type', () => {
    const link = button.link('https://example.test').withLabel('Notes').withDisabled().withId(5)
    expectTypeOf(link).toEqualTypeOf(button.link('https://example.test'))
    const go = button.primary('go').withCustomId('other').withLabel('Go').withEmoji({ id: '1' })
    expectTypeOf(go).toEqualTypeOf(button.primary('go'))
  })

  test('can be a literal', () => {
    const literals: ButtonInput[] = [
      { type: 2, style: 1, custom_id: 'go' },
      { type: 2, style: 4, custom_id: 'no', label: 'No', emoji: { name: '🔥' }, disabled: true, id: 7 },
      { type: 2, style: 5, url: 'https://example.test', label: 'Notes' },
      { type: 2, style: 6, sku_id: '12345', disabled: false },
    ]
    expectTypeOf(literals).toBeArray()
  })

  test('has the fields of its style', () => {
    expectTypeOf(button.primary('go').custom_id).toEqualTypeOf<string>()
    expectTypeOf(button.link('https://example.test').url).toEqualTypeOf<string>()
    expectTypeOf(button.premium('1').sku_id).toEqualTypeOf<string>()
    expectTypeOf(button.link('https://example.test').style).toEqualTypeOf<5>()
  })
})

describe('an invalid button', () => {
  test('with a field of another style does not compile', () => {
    // @ts-expect-error: a link sends no interaction, so it has no custom_id
    button.link('https://example.test').withCustomId('a')
    // @ts-expect-error: a button of this style opens no URL
    button.primary('a').withUrl('https://example.test')
    // @ts-expect-error: only a premium button has a SKU
    button.success('a').withSkuId('1')
    // @ts-expect-error: a premium button has a fixed label
    button.premium('1').withLabel('Buy')
    // @ts-expect-error: a premium button has a fixed icon
    button.premium('1').withEmoji({ name: '🔥' })
    // @ts-expect-error: a premium button sends no interaction
    button.premium('1').withCustomId('a')
  })

  test('with a field of another component does not compile', () => {
    // @ts-expect-error: a button has no description
    button.primary('a').withDescription('A button')
    // @ts-expect-error: only fields of a modal are required
    button.primary('a').withRequired()
    // @ts-expect-error: a button has no children
    button.primary('a').addComponents(button.primary('b'))
  })

  test('with an argument of another type does not compile', () => {
    // @ts-expect-error: custom_id is required
    button.primary()
    // @ts-expect-error: custom_id is a string
    button.danger(5)
    // @ts-expect-error: a label is a string
    button.primary('a').withLabel(5)
    // @ts-expect-error: an emoji is a string or an object
    button.primary('a').withEmoji(5)
    // @ts-expect-error: disabled is a boolean
    button.primary('a').withDisabled('yes')
    // @ts-expect-error: an id is a number
    button.primary('a').withId('1')
  })

  test('does not compile as a literal', () => {
    // @ts-expect-error: no custom_id
    const anonymous: ButtonInput = { type: 2, style: 1 }
    // @ts-expect-error: a link has no custom_id
    const link: ButtonInput = { type: 2, style: 5, url: 'https://example.test', custom_id: 'a' }
    // @ts-expect-error: a link has a URL
    const nowhere: ButtonInput = { type: 2, style: 5, label: 'Notes' }
    // @ts-expect-error: premium has no label
    const premium: ButtonInput = { type: 2, style: 6, sku_id: '1', label: 'Buy' }
    // @ts-expect-error: there is no style 7
    const seventh: ButtonInput = { type: 2, style: 7, custom_id: 'a' }
    // @ts-expect-error: a primary button has no URL
    const primary: ButtonInput = { type: 2, style: 1, custom_id: 'a', url: 'https://example.test' }
    // @ts-expect-error: 3 is the type of a string select
    const select: ButtonInput = { type: 3, style: 1, custom_id: 'a' }
    expectTypeOf([anonymous, link, nowhere, premium, seventh, primary, select]).toBeArray()
  })

  test('a button is read-only', () => {
    const go = button.primary('go')
    // @ts-expect-error: read-only
    go.label = 'Go'
    // @ts-expect-error: read-only
    go.custom_id = 'other'
  })
})
