import * as components from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { atHome, PLACES, withAt } from './places'
import { errorsOf, problems } from './problems'
import { inputOf, smallest, type Wire } from './wire'

const NEEDS: Readonly<Record<number, Wire>> = { 5: { url: 'https://example.test' }, 6: { sku_id: '1' } }
const button = (style: unknown) => ({ type: 2, style, ...(NEEDS[Number(style)] ?? { custom_id: 'a' }) })

// Interface: "Button (type 2)", "Text Input (type 4)", "Separator (type 14)".
const CLOSED: readonly [name: string, values: readonly number[], place: (value: unknown) => Wire, field: string][] = [
  ['style of a button', [1, 2, 3, 4, 5, 6], button, 'style'],
  ['style of a text input', [1, 2], (style) => inputOf({ style }), 'style'],
  ['spacing of a separator', [1, 2], (spacing) => ({ type: 14, spacing }), 'spacing'],
]

describe.each(CLOSED)('the %s', (_, values, base, field) => {
  test.each(values)('may be %i', (value) => {
    expect(problems(atHome(base(value)))).toEqual([])
  })

  test.each([0, Math.max(...values) + 1, -1, 100, 2 ** 31])('may not be %i', (value) => {
    const given = atHome(base(value))
    const at = [...given.at, field]
    const atField = errorsOf(given).filter(({ path }) => path.join() === at.join())
    expect(atField.map(({ code }) => code)).toEqual(['invalid_value'])
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])('may not be %d', (value) => {
    const given = atHome(base(value))
    expect(errorsOf(given).map(({ path }) => path)).toContainEqual([...given.at, field])
  })

  test.each(['1', true, [1], {}, null])('may not be %j, which is no integer', (value) => {
    const given = atHome(base(value))
    expect(problems(given)).toContain(`${[...given.at, field].join('.')}: invalid_type`)
  })
})

const FLAGS: readonly [type: keyof typeof smallest, field: string][] = [
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

describe.each(FLAGS)('of type %i, %s', (type, field) => {
  const path = field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  const given = (value: unknown) => atHome(withAt(smallest[type](), path, value))

  test.each([true, false])('may be %s', (value) => {
    expect(problems(given(value))).toEqual([])
  })

  test.each([0, 1, 'true', null, [], {}])('may not be %j', (value) => {
    expect(problems(given(value))).toEqual([`${[...given(value).at, ...path].join('.')}: invalid_type`])
  })
})

describe('what is open', () => {
  test.each([0, 0x3366ff, 0xffffff, null])('an accent colour may be %s', (accent_color) => {
    expect(problems(atHome({ ...smallest[17](), accent_color }))).toEqual([])
  })

  test.each(['#3366ff', true, [], {}])('an accent colour may not be %j', (accent_color) => {
    expect(problems(atHome({ ...smallest[17](), accent_color }))).toEqual(['components.0.accent_color: invalid_type'])
  })

  test.each([[[]], [[0, 5, 15]], [[9999]]])('channel types may be %j: the document lists none', (channel_types) => {
    expect(problems(atHome({ ...smallest[8](), channel_types }))).toEqual([])
  })

  test('channel types are integers', () => {
    const given = atHome({ ...smallest[8](), channel_types: [0, '5', null] })
    const at = given.at.join('.')
    expect(problems(given)).toEqual([`${at}.channel_types.1: invalid_type`, `${at}.channel_types.2: invalid_type`])
  })

  test('an id is an integer of 32 bits', () => {
    for (const id of [0, 1, 2 ** 31 - 1]) expect(problems(atHome({ type: 14, id }))).toEqual([])
    for (const id of [2 ** 32, 2 ** 53, -(2 ** 32), 1.5, Number.NaN]) {
      expect(errorsOf(atHome({ type: 14, id })).map(({ path }) => path)).toEqual([['components', 0, 'id']])
    }
    for (const id of ['1', null, true, {}]) {
      expect(problems(atHome({ type: 14, id }))).toEqual(['components.0.id: invalid_type'])
    }
  })

  test('a default value has an id and a type that are text', () => {
    const given = PLACES['row of a message']({ ...smallest[7](), default_values: [{ id: 1, type: 2 }, 'user', null] })
    const at = `${given.at.join('.')}.default_values`
    expect(problems(given)).toEqual([
      `${at}.0.id: invalid_type`,
      `${at}.0.type: invalid_type`,
      `${at}.1: invalid_type`,
      `${at}.2: invalid_type`,
    ])
  })
})

test('the numbers of the document are exported by name', () => {
  const exported: Readonly<Record<string, unknown>> = { ...components }
  expect(exported.ButtonStyle).toEqual({ PRIMARY: 1, SECONDARY: 2, SUCCESS: 3, DANGER: 4, LINK: 5, PREMIUM: 6 })
  expect(exported.TextInputStyle).toEqual({ SMALL: 1, PARAGRAPH: 2 })
  expect(exported.SeparatorSpacing).toEqual({ SMALL: 1, LARGE: 2 })
  expect(exported.MessageFlags).toEqual({ IS_COMPONENTS_V2: 32768 })
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
