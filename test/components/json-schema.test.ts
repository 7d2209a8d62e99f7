import { Ajv2020 } from 'ajv/dist/2020'
import fc from 'fast-check'
import { button, container, messageV2, row } from 'rapport-sdk/components'
import { messageJsonSchema, modalJsonSchema } from 'rapport-sdk/components/json-schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { DOCUMENT_LIMITS, valueOfSize } from './document-limits'
import { errorLines, errorsOf } from './hostile-values'
import {
  buttonOf,
  copyWith,
  copyWithout,
  FIELDS,
  inputOf,
  legacyOf,
  mediaOf,
  messageOf,
  minimal,
  optionsOf,
  PLACES,
  type Place,
  type PlacedComponent,
  type PlainObject,
  placeCorrectly,
  receivedMedia,
  rowOf,
  selectOf,
  TYPE_VALUES,
  textOf,
} from './json-components'

type Schema = boolean | { readonly [keyword: string]: unknown }

/** Keywords that do not restrict a value. */
const ANNOTATIONS = ['$schema', '$defs', '$id', 'title', 'description', 'default', 'deprecated']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const characters = (text: string) => [...text].length
const schemas = (argument: unknown) => argument as readonly Schema[]

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isObject(value) : typeof value === type
}

/**
 * Whether a value is valid by a JSON Schema of draft 2020-12. Supports the keywords of our schemas; an unknown keyword throws,
 * so that none is ignored by accident.
 */
function isValid(value: unknown, schema: Schema, root: Schema = schema): boolean {
  if (typeof schema === 'boolean') return schema
  const is = (inner: Schema) => isValid(value, inner, root)
  const KEYWORDS: Readonly<Record<string, (argument: unknown) => boolean>> = {
    type: (argument) => [argument].flat().some((type) => isOfType(value, type)),
    const: (argument) => same(value, argument),
    enum: (argument) => Array.isArray(argument) && argument.some((one) => same(value, one)),
    anyOf: (argument) => schemas(argument).some(is),
    oneOf: (argument) => schemas(argument).filter(is).length === 1,
    allOf: (argument) => schemas(argument).every(is),
    not: (argument) => !is(argument as Schema),
    $ref: (argument) => is(definition(root, String(argument))),
    properties: (argument) =>
      !isObject(value) ||
      Object.entries(Object(argument)).every(
        ([name, inner]) => !Object.hasOwn(value, name) || isValid(value[name], inner as Schema, root),
      ),
    propertyNames: (argument) =>
      !isObject(value) || Object.keys(value).every((name) => isValid(name, argument as Schema, root)),
    required: (argument) => !isObject(value) || (argument as string[]).every((name) => Object.hasOwn(value, name)),
    items: (argument) => !Array.isArray(value) || value.every((item) => isValid(item, argument as Schema, root)),
    minItems: (argument) => !Array.isArray(value) || value.length >= Number(argument),
    maxItems: (argument) => !Array.isArray(value) || value.length <= Number(argument),
    minLength: (argument) => typeof value !== 'string' || characters(value) >= Number(argument),
    maxLength: (argument) => typeof value !== 'string' || characters(value) <= Number(argument),
    minimum: (argument) => typeof value !== 'number' || value >= Number(argument),
    maximum: (argument) => typeof value !== 'number' || value <= Number(argument),
    pattern: (argument) => typeof value !== 'string' || new RegExp(String(argument), 'u').test(value),
  }
  return Object.entries(schema).every(([keyword, argument]) => {
    if (ANNOTATIONS.includes(keyword)) return true
    const check = KEYWORDS[keyword]
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`)
    return check(argument)
  })
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '')
  const found: unknown = Reflect.get(Object(Reflect.get(Object(root), '$defs')), name)
  if (found === undefined) throw new Error(`there is no ${reference}`)
  return found as Schema
}

const SCHEMAS = { message: messageJsonSchema(), modal: modalJsonSchema() }
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

// In strict mode, ajv throws for keywords without their type.
const ajv = new Ajv2020({ strict: true, strictTypes: true, allErrors: true })
const LIBRARIES = {
  message: { ajv: ajv.compile(SCHEMAS.message), zod: z.fromJSONSchema(plain(SCHEMAS.message) as never) },
  modal: { ajv: ajv.compile(SCHEMAS.modal), zod: z.fromJSONSchema(plain(SCHEMAS.modal) as never) },
}

/** Returns the verdicts of the libraries that understand JSON Schema. */
function verdicts(value: unknown, as: 'message' | 'modal') {
  const { ajv, zod } = LIBRARIES[as]
  return { ours: isValid(value, SCHEMAS[as]), ajv: ajv(value), zod: zod.safeParse(value).success }
}

/** Expects that a value is valid by the JSON Schema; by default, if it is valid by the validator. */
function expectValid(
  { as, value }: Pick<PlacedComponent, 'as' | 'value'>,
  valid = errorLines({ as, value }).length === 0,
) {
  expect(verdicts(plain(value), as)).toEqual({ ours: valid, ajv: valid, zod: valid })
}

describe.each([
  ['a message', messageJsonSchema],
  ['a modal', modalJsonSchema],
])('the JSON Schema of %s', (_, create) => {
  test('it is JSON and names its draft', () => {
    expect(plain(create())).toEqual(create())
    expect(create()).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
  })

  test('has objects as its variants', () => {
    const check = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { anyOf, oneOf, properties, required, type } = schema as Record<string, unknown>
      if (properties || required) expect(type).toBe('object')
      for (const variant of [anyOf, oneOf].flat()) {
        if (variant !== undefined) expect(Object(variant).type ?? Object(variant).$ref).toBeDefined()
      }
      for (const [key, inner] of Object.entries(schema)) if (key !== 'properties') check(inner)
      for (const inner of Object.values(Object(properties))) check(inner)
    }
    check(create())
  })

  test('it is a new object on each call', () => {
    const before = plain(create())
    Object.assign(Object(create().$defs), { changed: true })
    expect(create()).toEqual(before)
  })
})

test.each(DOCUMENT_LIMITS.map((limit) => [limit.name, limit] as const))(
  'the JSON Schema has the limit of %s',
  (_, limit) => {
    const place = (value: unknown) => PLACES[limit.place](copyWith(limit.base(), limit.field, value))
    const placeSize = (size: number) => place(valueOfSize(limit, size))
    const min = limit.start === undefined ? (limit.min ?? 0) : limit.start.length + 1
    expectValid(placeSize(limit.max), true)
    expectValid(placeSize(limit.max + 1), false)
    expectValid(placeSize(min), true)
    if (min > 0 && limit.start === undefined) expectValid(placeSize(min - 1), false)
    for (const invalid of [true, { x: 1 }]) expectValid(place(invalid), false)
  },
)

describe('the JSON Schema of placement', () => {
  const places = Object.keys(PLACES) as Place[]
  test.each(places)('agrees with the validator about every type in: %s', (place) => {
    for (const type of TYPE_VALUES) {
      const component = type === 1 && place === 'top level of a modal' ? rowOf(minimal[4]()) : minimal[type]()
      expectValid(PLACES[place](component))
    }
    for (const invalid of [{ type: 99 }, {}, 5, null, [], { type: '2' }]) expectValid(PLACES[place](invalid), false)
  })
})

describe('the JSON Schema of fields', () => {
  test('agrees with the validator about required fields', () => {
    for (const type of TYPE_VALUES.filter((value) => value !== 16 && value !== 20)) {
      const base = placeCorrectly(minimal[type]())
      for (const field of Object.keys(minimal[type]()))
        expectValid({ ...base, value: copyWithout(base.value, [...base.at, field]) })
    }
  })

  test.each<readonly [string, PlainObject]>([
    ['a primary button with a URL', buttonOf({ url: 'https://example.test' })],
    ['a link without a URL', { type: 2, style: 5 }],
    ['a link with a custom_id', { type: 2, style: 5, url: 'https://example.test', custom_id: 'a' }],
    ['a premium button with a label', { type: 2, style: 6, sku_id: '1', label: 'Buy' }],
    ['an unknown button style', { type: 2, style: 7, custom_id: 'a' }],
    ['a required select in a message', selectOf({ required: true })],
    ['a disabled that is not a boolean', buttonOf({ disabled: 'yes' })],
    ['an id that is not a number', buttonOf({ id: '5' })],
    ['an id of more than 32 bits', buttonOf({ id: 2 ** 32 })],
  ])('rejects %s', (_, component) => {
    expectValid(PLACES['row of a message'](component), false)
  })

  test('rejects message-only fields in modals, and received-only fields', () => {
    expectValid(PLACES.label(selectOf({ disabled: false })), false)
    expectValid(PLACES.label(selectOf({ required: false })), true)
    expectValid(PLACES.label(inputOf({ style: 3 })), false)
    expectValid(placeCorrectly({ type: 13, file: { url: 'attachment://a.txt' }, name: 'a.txt' }), false)
    expectValid(placeCorrectly({ type: 13, file: { url: 'https://example.test/a.txt' } }), false)
    expectValid(placeCorrectly({ type: 11, media: receivedMedia('a.png') }), false)
    expectValid(placeCorrectly({ type: 11, media: { url: 'https://example.test' }, description: null }), true)
    expectValid(placeCorrectly({ ...minimal[17](), accent_color: null }), true)
    expectValid(placeCorrectly({ type: 14, spacing: 3 }), false)
  })

  test.each([
    ['message', 'button', { disabled: false }],
    ['message', 'string_select', { min_values: 1, max_values: 1, disabled: false }],
    ['message', 'thumbnail', { spoiler: false }],
    ['message', 'separator', { divider: true, spacing: 1 }],
    ['message', 'container', { spoiler: false }],
    ['modal', 'user_select', { min_values: 1, max_values: 1, required: true }],
    ['modal', 'text_input', { required: true }],
    ['modal', 'file_upload', { min_values: 0, max_values: 10, required: false }],
    ['modal', 'checkbox_group', { min_values: 1, required: true }],
    ['modal', 'checkbox', { default: false }],
  ] as const)('has the documented defaults in a %s of a %s', (place, name, defaults) => {
    const definition = Object(SCHEMAS[place].$defs)[name]
    const { properties } = definition.oneOf?.[0] ?? definition
    const found = Object.entries<{ default?: unknown }>(properties).filter(([, schema]) => schema.default !== undefined)
    expect(Object.fromEntries(found.map(([field, schema]) => [field, schema.default]))).toEqual(defaults)
  })

  test('restricts the components of a row', () => {
    const row = (...components: PlainObject[]) => ({ as: 'message', value: legacyOf(rowOf(...components)) }) as const
    expectValid(row(buttonOf(), buttonOf()), true)
    expectValid(row(selectOf(), selectOf()), false)
    expectValid(row(selectOf(), buttonOf()), false)
    expectValid(row(buttonOf(), minimal[5]()), false)
    expectValid(
      { as: 'modal', value: { custom_id: 'm', title: 'M', components: [rowOf(inputOf(), inputOf())] } },
      false,
    )
  })

  test('rejects the fields that IS_COMPONENTS_V2 disables', () => {
    for (const more of [{ content: 'Hello' }, { embeds: [{}] }, { poll: {} }, { stickers: ['1'] }]) {
      expectValid({ as: 'message', value: { ...messageOf(textOf('a')), ...more } }, false)
    }
    expectValid({ as: 'message', value: { ...messageOf(textOf('a')), content: '', embeds: [], poll: null } }, true)
  })

  test('accepts unknown fields', () => {
    expectValid({ as: 'message', value: { ...messageOf({ ...textOf('a'), tomorrow: 1 }), later: [] } }, true)
  })
})

/** Issues that JSON Schema cannot express. */
const INEXPRESSIBLE = /^(?:duplicate (?:id|custom_id)|minimum .* exceeds|.* in total,|not allowed with the flag)/

// Seconds of work, not waits: a busy machine needs more than the usual limit.
describe('the JSON Schema of random trees', () => {
  const types = TYPE_VALUES.filter((type) => type !== 16 && type !== 20)
  const names = [
    ...new Set([...types.flatMap((type) => FIELDS[type]?.split(' ') ?? []), 'tomorrow', '__proto', 'flags']),
  ]
  const values = [
    true,
    false,
    0,
    1,
    2,
    -1,
    1.5,
    5000,
    2 ** 33,
    '',
    'a',
    'x'.repeat(101),
    'attachment://a',
    null,
    [],
    {},
    ['a'],
  ]
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...values) },
    fc.constantFrom(mediaOf(), optionsOf(2)),
  )
  const { tree } = fc.letrec<{ tree: PlainObject }>((tie) => ({
    tree: fc
      .record({
        type: fc.constantFrom(...types),
        changes: fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 }),
        children: fc.option(fc.array(tie('tree'), { maxLength: 3 }), { freq: 3 }),
      })
      .map(({ type, changes, children }) => {
        const component: PlainObject = { ...minimal[type](), ...Object.fromEntries(changes) }
        if (children && Array.isArray(component.components)) component.components = children
        if (children?.[0] && 'component' in component) component.component = children[0]
        if (children?.[0] && 'accessory' in component) component.accessory = children[0]
        return component
      }),
  }))
  const places = Object.values(PLACES)

  test('refuses exactly the trees that the validator refuses for what JSON Schema can express', () => {
    const verdictsSeen = new Set<boolean>()
    const property = fc.property(tree, fc.constantFrom(...places), (component, place) => {
      const { as, value } = place(component)
      const isRefused = errorsOf({ as, value }).some(({ message }) => !INEXPRESSIBLE.test(message))
      verdictsSeen.add(isRefused)
      expectValid({ as, value }, !isRefused)
    })
    fc.assert(property, { seed: 1, numRuns: 300 })
    expect(verdictsSeen.size).toBe(2)
  })

  test('refuses a field of another component in every component, and accepts one that none has', () => {
    for (const type of types) {
      const placed = placeCorrectly(minimal[type]())
      for (const name of names) {
        if (FIELDS[type]?.split(' ').includes(name)) continue
        const changed = copyWith(placed.value, [...placed.at, name], 'x')
        expectValid({ as: placed.as, value: changed }, name === 'tomorrow' || name === '__proto' || name === 'flags')
      }
    }
  })
})

test.each([messageJsonSchema, modalJsonSchema])(
  'no part of a JSON Schema is true or false, which some generators of code do not support: %o',
  (create) => {
    const check = (schema: unknown): void => {
      expect(typeof schema).toBe('object')
      for (const [keyword, inner] of Object.entries(Object(schema))) {
        if (keyword === 'properties' || keyword === '$defs') Object.values(Object(inner)).forEach(check)
        else if (keyword === 'items' || keyword === 'propertyNames') check(inner)
        else if (keyword === 'anyOf' || keyword === 'oneOf') Object.values(Object(inner)).forEach(check)
      }
    }
    check(create())
  },
)

test('zod accepts components that have methods', () => {
  const message = messageV2(container('A', row(button.primary('a', 'A'))))
  expect(LIBRARIES.message.zod.safeParse(message)).toMatchObject({ success: true })
  expect(LIBRARIES.message.zod.safeParse(messageV2('')).success).toBe(false)
})
