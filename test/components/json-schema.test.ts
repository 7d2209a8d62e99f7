import { componentJsonSchema, messageJsonSchema, modalJsonSchema } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { DOCUMENT_LIMITS, filled } from './document-limits'
import { fits } from './json-schema-check'
import { atHome, type Given, PLACES, type Place, withAt, without } from './places'
import { problems } from './problems'
import { receivedMedia } from './received-trees'
import {
  buttonOf,
  inputOf,
  legacyOf,
  messageOf,
  rowOf,
  selectOf,
  smallest,
  TYPE_VALUES,
  textOf,
  type Wire,
} from './wire'

const SCHEMAS = { message: messageJsonSchema(), modal: modalJsonSchema() }
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Expects that the schema says of a value what the check says. */
function expectAgreement(given: Pick<Given, 'as' | 'value'>, isRight = problems(given).length === 0) {
  expect(fits(plain(given.value), SCHEMAS[given.as])).toBe(isRight)
}

describe.each([
  ['a message', messageJsonSchema],
  ['a modal', modalJsonSchema],
  ['a component', componentJsonSchema],
])('the JSON Schema of %s', (_, make) => {
  test('is JSON that says which draft it is of', () => {
    expect(plain(make())).toEqual(make())
    expect(make()).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
  })

  test('is made anew each time: to change one changes no other', () => {
    const before = plain(make())
    Object.assign(Object(make().$defs), { changed: true })
    expect(make()).toEqual(before)
  })
})

describe('the JSON Schemas know every limit of the document:', () => {
  test.each(DOCUMENT_LIMITS.map((limit) => [`${limit.field.join('.')} of a ${limit.of}`, limit] as const))(
    '%s',
    (_, limit) => {
      const given = (size: number) => PLACES[limit.place](withAt(limit.base(), limit.field, filled(limit, size)))
      const least = limit.start === undefined ? (limit.min ?? 0) : limit.start.length + 1
      expectAgreement(given(limit.max), true)
      expectAgreement(given(limit.max + 1), false)
      expectAgreement(given(least), true)
      if (least > 0 && limit.start === undefined) expectAgreement(given(least - 1), false)
      for (const wrong of [true, { x: 1 }])
        expectAgreement(PLACES[limit.place](withAt(limit.base(), limit.field, wrong)), false)
    },
  )
})

describe('the JSON Schemas know what may stand where:', () => {
  const places = Object.keys(PLACES) as Place[]
  test.each(places)('%s', (place) => {
    for (const type of TYPE_VALUES) {
      const component = type === 1 && place === 'top of a modal' ? rowOf(smallest[4]()) : smallest[type]()
      expectAgreement(PLACES[place](component))
    }
    for (const wrong of [{ type: 99 }, {}, 5, null, [], { type: '2' }]) expectAgreement(PLACES[place](wrong), false)
  })

  test('by themselves', () => {
    for (const type of TYPE_VALUES) {
      expect(fits(plain(smallest[type]()), componentJsonSchema()), `type ${type}`).toBe(type !== 16 && type !== 20)
    }
  })
})

describe('the JSON Schemas know', () => {
  test('what must be there', () => {
    for (const type of TYPE_VALUES.filter((value) => value !== 16 && value !== 20)) {
      const base = atHome(smallest[type]())
      for (const field of Object.keys(smallest[type]()))
        expectAgreement({ ...base, value: without(base.value, [...base.at, field]) })
    }
  })

  test.each<readonly [string, Wire]>([
    ['a URL of a primary button', buttonOf({ url: 'https://example.test' })],
    ['a link without a URL', { type: 2, style: 5 }],
    ['a link with a custom_id', { type: 2, style: 5, url: 'https://example.test', custom_id: 'a' }],
    ['a premium button with a label', { type: 2, style: 6, sku_id: '1', label: 'Buy' }],
    ['a style that is none', { type: 2, style: 7, custom_id: 'a' }],
    ['a required select in a message', selectOf({ required: true })],
    ['a flag that is none', buttonOf({ disabled: 'yes' })],
    ['an id that is none', buttonOf({ id: '5' })],
    ['an id of more than 32 bits', buttonOf({ id: 2 ** 32 })],
  ])('%s is wrong', (_, component) => {
    expectAgreement(PLACES['row of a message'](component), false)
  })

  test('what cannot be set in a modal, and what is received only', () => {
    expectAgreement(PLACES.label(selectOf({ disabled: false })), false)
    expectAgreement(PLACES.label(selectOf({ required: false })), true)
    expectAgreement(PLACES.label(inputOf({ style: 3 })), false)
    expectAgreement(atHome({ type: 13, file: { url: 'attachment://a.txt' }, name: 'a.txt' }), false)
    expectAgreement(atHome({ type: 13, file: { url: 'https://example.test/a.txt' } }), false)
    expectAgreement(atHome({ type: 11, media: receivedMedia('a.png') }), false)
    expectAgreement(atHome({ type: 11, media: { url: 'https://example.test' }, description: null }), true)
    expectAgreement(atHome({ ...smallest[17](), accent_color: null }), true)
    expectAgreement(atHome({ type: 14, spacing: 3 }), false)
  })

  test('what a row holds', () => {
    const row = (...components: Wire[]) => ({ as: 'message', value: legacyOf(rowOf(...components)) }) as const
    expectAgreement(row(buttonOf(), buttonOf()), true)
    expectAgreement(row(selectOf(), selectOf()), false)
    expectAgreement(row(selectOf(), buttonOf()), false)
    expectAgreement(row(buttonOf(), smallest[5]()), false)
    expectAgreement(
      { as: 'modal', value: { custom_id: 'm', title: 'M', components: [rowOf(inputOf(), inputOf())] } },
      false,
    )
  })

  test('what the flag replaces', () => {
    for (const more of [{ content: 'Hello' }, { embeds: [{}] }, { poll: {} }, { stickers: ['1'] }]) {
      expectAgreement({ as: 'message', value: { ...messageOf(textOf('a')), ...more } }, false)
    }
    expectAgreement({ as: 'message', value: { ...messageOf(textOf('a')), content: '', embeds: [], poll: null } }, true)
  })

  test('that what is not known is let through', () => {
    expectAgreement({ as: 'message', value: { ...messageOf({ ...textOf('a'), tomorrow: 1 }), later: [] } }, true)
  })
})
