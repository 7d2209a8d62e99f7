import * as components from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { errorLines, errorsOf } from './hostile-values'
import { copyWith, inputOf, minimal, PLACES, type PlainObject, placeCorrectly, typeName } from './json-components'

const REQUIRED: Readonly<Record<number, PlainObject>> = { 5: { url: 'https://example.test' }, 6: { sku_id: '1' } }
const button = (style: unknown) => ({ type: 2, style, ...(REQUIRED[Number(style)] ?? { custom_id: 'a' }) })

// API: "Button (type 2)", "Text Input (type 4)", "Separator (type 14)".
const CLOSED: readonly [
  name: string,
  values: readonly number[],
  create: (value: unknown) => PlainObject,
  field: string,
][] = [
  ['the style of a button', [1, 2, 3, 4, 5, 6], button, 'style'],
  ['the style of a text input', [1, 2], (style) => inputOf({ style }), 'style'],
  ['the spacing of a separator', [1, 2], (spacing) => ({ type: 14, spacing }), 'spacing'],
]

describe.each(CLOSED)('%s', (name, values, create, field) => {
  test.each(values)(`${name} accepts %i`, (value) => {
    expect(errorLines(placeCorrectly(create(value)))).toEqual([])
  })

  test.each([0, Math.max(...values) + 1, -1, 100, 2 ** 31])(`${name} rejects %i`, (value) => {
    const placed = placeCorrectly(create(value))
    const at = [...placed.at, field]
    const atField = errorsOf(placed).filter(({ path }) => path.join() === at.join())
    expect(atField.map(({ code }) => code)).toEqual(['invalid_value'])
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])(`${name} rejects %d`, (value) => {
    const placed = placeCorrectly(create(value))
    expect(errorsOf(placed).map(({ path }) => path)).toContainEqual([...placed.at, field])
  })

  test.each(['1', true, [1], {}, null])(`${name} rejects %j, which is not an integer`, (value) => {
    const placed = placeCorrectly(create(value))
    expect(errorLines(placed)).toContain(`${[...placed.at, field].join('.')}: invalid_type`)
  })
})

const BOOLEANS: readonly [type: keyof typeof minimal, field: string][] = [
  [2, 'disabled'],
  [3, 'disabled'],
  [5, 'disabled'],
  [11, 'spoiler'],
  [12, 'items.0.spoiler'],
  [13, 'spoiler'],
  [14, 'divider'],
  [17, 'spoiler'],
  [3, 'options.0.default'],
  [4, 'required'],
  [19, 'required'],
  [21, 'required'],
  [21, 'options.0.default'],
  [22, 'required'],
  [22, 'options.0.default'],
  [23, 'default'],
]

describe.each(BOOLEANS)('of type %i, %s', (type, field) => {
  const name = `${field} of ${typeName(type)}`
  const path = field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  const placeValue = (value: unknown) => placeCorrectly(copyWith(minimal[type](), path, value))

  test.each([true, false])('accepts %s', (value) => {
    expect(errorLines(placeValue(value))).toEqual([])
  })

  test.each([0, 1, 'true', null, [], {}])(`${name} rejects %j`, (value) => {
    expect(errorLines(placeValue(value))).toEqual([`${[...placeValue(value).at, ...path].join('.')}: invalid_type`])
  })
})

describe('values that the API does not list', () => {
  test.each([0, 0x3366ff, 0xffffff, null])('accent_color accepts %s', (accent_color) => {
    expect(errorLines(placeCorrectly({ ...minimal[17](), accent_color }))).toEqual([])
  })

  test.each(['#3366ff', true, [], {}])('accent_color rejects %j', (accent_color) => {
    expect(errorLines(placeCorrectly({ ...minimal[17](), accent_color }))).toEqual([
      'components.0.accent_color: invalid_type',
    ])
  })

  test.each([[[]], [[0, 5, 15]], [[9999]]])(
    'channel_types accepts %j, because the API document lists no values',
    (channel_types) => {
      expect(errorLines(placeCorrectly({ ...minimal[8](), channel_types }))).toEqual([])
    },
  )

  test('channel_types accepts only integers', () => {
    const placed = placeCorrectly({ ...minimal[8](), channel_types: [0, '5', null] })
    const at = placed.at.join('.')
    expect(errorLines(placed)).toEqual([`${at}.channel_types.1: invalid_type`, `${at}.channel_types.2: invalid_type`])
  })

  test('id accepts only integers of 32 bits', () => {
    for (const id of [0, 1, 2 ** 31 - 1]) expect(errorLines(placeCorrectly({ type: 14, id }))).toEqual([])
    for (const id of [2 ** 32, 2 ** 53, -(2 ** 32), 1.5, Number.NaN]) {
      expect(errorsOf(placeCorrectly({ type: 14, id })).map(({ path }) => path)).toEqual([['components', 0, 'id']])
    }
    for (const id of ['1', null, true, {}]) {
      expect(errorLines(placeCorrectly({ type: 14, id }))).toEqual(['components.0.id: invalid_type'])
    }
  })

  test('the id and the type of a default value must be strings', () => {
    const placed = PLACES['row of a message']({ ...minimal[7](), default_values: [{ id: 1, type: 2 }, 'user', null] })
    const at = `${placed.at.join('.')}.default_values`
    expect(errorLines(placed)).toEqual([
      `${at}.0.id: invalid_type`,
      `${at}.0.type: invalid_type`,
      `${at}.1: invalid_type`,
      `${at}.2: invalid_type`,
    ])
  })
})

test('the exported enumerations have the names and values of the API', () => {
  const exported: Readonly<Record<string, unknown>> = { ...components }
  expect(exported.ButtonStyle).toEqual({ PRIMARY: 1, SECONDARY: 2, SUCCESS: 3, DANGER: 4, LINK: 5, PREMIUM: 6 })
  expect(exported.TextInputStyle).toEqual({ SMALL: 1, PARAGRAPH: 2 })
  expect(exported.SeparatorSpacing).toEqual({ SMALL: 1, LARGE: 2 })
  expect(exported.MessageFlags).toEqual({ EPHEMERAL: 64, IS_COMPONENTS_V2: 32768 })
  expect(exported.ComponentType).toEqual({
    ACTION_ROW: 1,
    BUTTON: 2,
    STRING_SELECT: 3,
    TEXT_INPUT: 4,
    USER_SELECT: 5,
    ROLE_SELECT: 6,
    MENTIONABLE_SELECT: 7,
    CHANNEL_SELECT: 8,
    SECTION: 9,
    TEXT_DISPLAY: 10,
    THUMBNAIL: 11,
    MEDIA_GALLERY: 12,
    FILE: 13,
    SEPARATOR: 14,
    CONTENT_INVENTORY_ENTRY: 16,
    CONTAINER: 17,
    LABEL: 18,
    FILE_UPLOAD: 19,
    CHECKPOINT_CARD: 20,
    RADIO_GROUP: 21,
    CHECKBOX_GROUP: 22,
    CHECKBOX: 23,
  })
})
