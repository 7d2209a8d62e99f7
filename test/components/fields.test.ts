import { describe, expect, test } from 'vitest'
import { errorLines, errorPaths } from './hostile-values'
import {
  buttonOf,
  copyWith,
  copyWithout,
  FIELDS,
  inputOf,
  mediaOf,
  messageOf,
  minimal,
  modalOf,
  PLACES,
  type PlainObject,
  placeCorrectly,
  receivedMedia,
  rowOf,
  type TypeValue,
  textOf,
  typeName,
  uniqueId,
} from './json-components'

// Fields without `?` in the tables of the API, except received-only fields and the deprecated label of a text input.
const REQUIRED: readonly [type: TypeValue, base: PlainObject, fields: string][] = [
  [1, minimal[1](), 'type components'],
  [2, { type: 2, style: 1, custom_id: uniqueId() }, 'type style custom_id'],
  [2, { type: 2, style: 2, custom_id: uniqueId() }, 'style custom_id'],
  [2, { type: 2, style: 3, custom_id: uniqueId() }, 'style custom_id'],
  [2, { type: 2, style: 4, custom_id: uniqueId() }, 'style custom_id'],
  [2, { type: 2, style: 5, url: 'https://example.test' }, 'url'],
  [2, { type: 2, style: 6, sku_id: '1' }, 'sku_id'],
  [3, minimal[3](), 'type custom_id options options.0.label options.0.value'],
  [4, minimal[4](), 'type custom_id style'],
  [5, { ...minimal[5](), default_values: [{ id: '1', type: 'user' }] }, 'type custom_id'],
  [5, { ...minimal[5](), default_values: [{ id: '1', type: 'user' }] }, 'default_values.0.id default_values.0.type'],
  [6, minimal[6](), 'type custom_id'],
  [7, minimal[7](), 'type custom_id'],
  [8, minimal[8](), 'type custom_id'],
  [9, minimal[9](), 'type components accessory'],
  [10, minimal[10](), 'type content'],
  [11, minimal[11](), 'type media media.url'],
  [12, minimal[12](), 'type items items.0.media items.0.media.url'],
  [13, minimal[13](), 'type file file.url'],
  [14, minimal[14](), 'type'],
  [17, minimal[17](), 'type components'],
  [18, minimal[18](), 'type label component'],
  [19, minimal[19](), 'type custom_id'],
  [21, minimal[21](), 'type custom_id options options.1.label options.1.value'],
  [22, minimal[22](), 'type custom_id options options.1.label options.1.value'],
  [23, minimal[23](), 'type custom_id'],
]

const withoutField = REQUIRED.flatMap(([type, base, fields]) =>
  fields.split(' ').map((field) => [typeName(type), field, base] as const),
)
const keysOf = (field: string) => field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))

describe.each(withoutField)('%s without %s', (name, field, base) => {
  const path = [...placeCorrectly(base).at, field].join('.')

  test(`${name} without ${field} is reported`, () => {
    expect(errorLines(placeChanged(base, copyWithout(base, keysOf(field))))).toEqual([`${path}: required`])
  })

  test(`${name} with an undefined ${field} is reported, because JSON omits it`, () => {
    expect(errorLines(placeChanged(base, copyWith(base, keysOf(field), undefined)))).toEqual([`${path}: required`])
  })

  test(`${name} with null as ${field} is reported as the wrong type`, () => {
    expect(errorLines(placeChanged(base, copyWith(base, keysOf(field), null)))).toEqual([`${path}: invalid_type`])
  })
})

/** Puts a changed component where the unchanged one is valid. */
function placeChanged(base: PlainObject, changed: PlainObject) {
  const placed = placeCorrectly(base)
  return { ...placed, value: copyWith(placed.value, placed.at, changed) }
}

// Fields with `?` in the tables of the API.
const OPTIONAL: readonly [TypeValue, string][] = [
  [2, 'id label emoji disabled'],
  [3, 'id placeholder min_values max_values disabled'],
  [4, 'id label min_length max_length required value placeholder'],
  [8, 'id placeholder default_values min_values max_values disabled channel_types'],
  [11, 'id description spoiler'],
  [13, 'id spoiler'],
  [14, 'id divider spacing'],
  [17, 'id accent_color spoiler'],
  [18, 'id description'],
  [19, 'id min_values max_values required'],
  [22, 'id min_values max_values required'],
  [23, 'id default'],
]

test.each(OPTIONAL)('type %i accepts undefined for its optional fields %s', (type, fields) => {
  const undefinedFields = Object.fromEntries(fields.split(' ').map((field) => [field, undefined]))
  expect(errorLines(placeCorrectly({ ...minimal[type](), ...undefinedFields }))).toEqual([])
})

/** A valid value of each field. */
const VALUES: PlainObject = {
  components: [textOf('A text')],
  style: 1,
  label: 'A label',
  emoji: { name: '🔥' },
  custom_id: 'an-id',
  sku_id: '1',
  url: 'https://example.test',
  disabled: false,
  options: [{ label: 'A', value: 'a' }],
  placeholder: 'Choose',
  min_values: 1,
  max_values: 1,
  required: true,
  min_length: 1,
  max_length: 5,
  value: 'A value',
  default_values: [],
  channel_types: [0],
  accessory: buttonOf(),
  content: 'A text',
  media: mediaOf(),
  description: 'A description',
  spoiler: false,
  items: [{ media: mediaOf() }],
  file: mediaOf('attachment://a.txt'),
  divider: true,
  spacing: 1,
  accent_color: 1,
  component: minimal[4](),
  default: false,
}

const misplaced = Object.entries(FIELDS).flatMap(([type, own]) =>
  Object.keys(VALUES)
    .filter((field) => !own?.split(' ').includes(field))
    .map((field) => [Number(type) as TypeValue, field] as const),
)

test('the test has a valid value for every field of the API', () => {
  const fields = Object.values(FIELDS).flatMap((own) => own?.split(' ') ?? [])
  expect([...new Set(fields)].toSorted()).toEqual(Object.keys(VALUES).toSorted())
})

test.each(misplaced.map(([type, field]) => [typeName(type), field, type] as const))(
  '%s rejects %s',
  (_, field, type) => {
    const placed = placeCorrectly({ ...minimal[type](), [field]: VALUES[field] })
    expect(errorPaths(placed)).toEqual([[...placed.at, field].join('.')])
  },
)

// Fields that no type of the API has.
const UNKNOWN = {
  tomorrow: 1,
  new_field: { deep: [1] },
  'x-vendor': null,
  '': 'empty',
  toString: 'own',
  constructor: 1,
}

test.each(Object.keys(FIELDS).map((type) => Number(type) as TypeValue))('type %i accepts unknown fields', (type) => {
  expect(errorLines(placeCorrectly({ ...minimal[type](), ...UNKNOWN }))).toEqual([])
})

test.each([
  [3, ['options', 0]],
  [22, ['options', 1]],
  [12, ['items', 0]],
  [12, ['items', 0, 'media']],
  [13, ['file']],
  [11, ['media']],
] as const)('type %i accepts unknown fields at %j', (type, path) => {
  const part = path.reduce<unknown>((owner, key) => Reflect.get(Object(owner), key), minimal[type]())
  expect(errorLines(placeCorrectly(copyWith(minimal[type](), path, { ...Object(part), ...UNKNOWN })))).toEqual([])
})

test('a message and a modal accept unknown fields', () => {
  expect(errorLines({ as: 'message', value: { ...messageOf(rowOf(buttonOf())), ...UNKNOWN } })).toEqual([])
  expect(errorLines({ as: 'modal', value: { ...modalOf(minimal[18]()), ...UNKNOWN } })).toEqual([])
})

test('the result of a validation keeps unknown fields', async () => {
  const { validateMessage } = await import('rapport-sdk/components')
  const value = messageOf({ ...rowOf(buttonOf({ tomorrow: { a: 1 } })), later: [2] })
  expect(validateMessage(value)).toMatchObject({ ok: true, value })
})

// API, "Unfurled Media Item": the received-only fields.
const { url: _, ...MEDIA } = receivedMedia('a.png')
const MEDIA_FIELDS: readonly [type: TypeValue, path: readonly (string | number)[], url: string][] = [
  [11, ['media'], 'https://example.test/a.png'],
  [12, ['items', 0, 'media'], 'https://example.test/a.png'],
  [13, ['file'], 'attachment://a.png'],
]

describe.each(MEDIA_FIELDS)('the media of type %i, at %j', (type, path, url) => {
  const name = `the media of ${typeName(type)}`
  const placeMedia = (media: PlainObject) => placeCorrectly(copyWith(minimal[type](), path, media))
  const at = [...placeMedia(mediaOf(url)).at, ...path].join('.')

  test(`${name} requires only url`, () => {
    expect(errorLines(placeMedia({ url }))).toEqual([])
  })

  test.each(Object.entries(MEDIA))(`${name} rejects the received-only field %s`, (field, value) => {
    expect(errorPaths(placeMedia({ url, [field]: value }))).toEqual([`${at}.${field}`])
  })

  test(`${name} reports all received-only fields at once`, () => {
    const expected = Object.keys(MEDIA).map((field) => `${at}.${field}`)
    expect(errorPaths(placeMedia({ url, ...MEDIA })).toSorted()).toEqual(expected.toSorted())
  })

  test.each([5, null, {}, ['https://example.test']])('rejects %j as url', (invalid) => {
    expect(errorLines(placeMedia({ url: invalid }))).toEqual([`${at}.url: invalid_type`])
  })

  test.each([5, null, 'https://example.test/a.png', []])('rejects %j, which is not an object', (invalid) => {
    expect(errorLines(placeCorrectly(copyWith(minimal[type](), path, invalid)))).toEqual([`${at}: invalid_type`])
  })
})

// API, "File (type 13)".
const file = { type: 13, file: mediaOf('attachment://a.txt') }

test.each([
  ['name', 'a.txt'],
  ['size', 1024],
])('a file rejects the received-only field %s', (field, value) => {
  expect(errorPaths(placeCorrectly({ ...file, [field]: value }))).toEqual([`components.0.${field}`])
})

test.each(['https://example.test/a.txt', 'http://example.test', 'a.txt', '', 'ATTACHMENT:a.txt', ' attachment://a'])(
  'a file rejects %j, which is not an attachment',
  (url) => {
    expect(errorPaths(placeCorrectly({ type: 13, file: { url } }))).toEqual(['components.0.file.url'])
  },
)

test.each(['attachment://a.txt', 'attachment://a b (1).txt', 'attachment://ä.漢', 'attachment://a.tar.gz'])(
  'a file accepts the attachment %j',
  (url) => {
    expect(errorLines(placeCorrectly({ type: 13, file: { url } }))).toEqual([])
  },
)

test.each(['https://example.test/a.png', 'attachment://a.png'])('a thumbnail and a gallery item accept %j', (url) => {
  expect(errorLines(placeCorrectly({ type: 11, media: { url } }))).toEqual([])
  expect(errorLines(placeCorrectly({ type: 12, items: [{ media: { url } }] }))).toEqual([])
})

const SELECTS = [3, 5, 6, 7, 8] as const
const IN_MESSAGES = ['row of a message', 'row of a legacy message', 'row of a container'] as const

// API, "String Select (type 3)" and after: `required` modals only, `disabled` cannot be set in modals.
describe.each(SELECTS)('a select of type %i', (type) => {
  test.each(IN_MESSAGES)('accepts disabled and rejects required in a %s', (place) => {
    for (const value of [true, false]) {
      expect(errorLines(PLACES[place]({ ...minimal[type](), disabled: value }))).toEqual([])
      const placed = PLACES[place]({ ...minimal[type](), required: value })
      expect(errorPaths(placed)).toEqual([[...placed.at, 'required'].join('.')])
    }
  })

  test('accepts required and rejects disabled in a modal, even false', () => {
    for (const value of [true, false]) {
      expect(errorLines(PLACES.label({ ...minimal[type](), required: value }))).toEqual([])
      const placed = PLACES.label({ ...minimal[type](), disabled: value })
      expect(errorPaths(placed)).toEqual(['components.0.component.disabled'])
    }
  })

  test('accepts its other fields in messages and modals', () => {
    const more = { id: 5, placeholder: 'Choose', min_values: 0, max_values: 1 }
    expect(errorLines(PLACES['row of a message']({ ...minimal[type](), ...more }))).toEqual([])
    expect(errorLines(PLACES.label({ ...minimal[type](), ...more }))).toEqual([])
  })
})

test.each([19, 21, 22] as const)('type %i accepts required and rejects disabled', (type) => {
  for (const value of [true, false]) {
    expect(errorLines(PLACES.label({ ...minimal[type](), required: value }))).toEqual([])
    expect(errorPaths(PLACES.label({ ...minimal[type](), disabled: value }))).toEqual([
      'components.0.component.disabled',
    ])
  }
})

test('a text input accepts required in a label and in a row, and rejects disabled', () => {
  for (const value of [true, false]) {
    expect(errorLines(PLACES.label(inputOf({ required: value })))).toEqual([])
    expect(errorLines(PLACES['row of a modal'](inputOf({ label: 'A label', required: value })))).toEqual([])
    expect(errorPaths(PLACES.label(inputOf({ disabled: value })))).toEqual(['components.0.component.disabled'])
  }
})

test('a checkbox rejects required and disabled', () => {
  expect(errorPaths(PLACES.label({ ...minimal[23](), required: true, disabled: true })).toSorted()).toEqual([
    'components.0.component.disabled',
    'components.0.component.required',
  ])
})

test('channel_types is valid on a channel select only', () => {
  for (const type of [3, 5, 6, 7] as const) {
    expect(errorPaths(PLACES['row of a message']({ ...minimal[type](), channel_types: [0] }))).toEqual([
      'components.0.components.0.channel_types',
    ])
  }
  expect(errorLines(PLACES['row of a message']({ ...minimal[8](), channel_types: [0] }))).toEqual([])
})

test('options is valid on a string select only, and default_values on the other selects', () => {
  for (const type of [5, 6, 7, 8] as const) {
    const options = [{ label: 'A', value: 'a' }]
    expect(errorPaths(PLACES['row of a message']({ ...minimal[type](), options }))).toEqual([
      'components.0.components.0.options',
    ])
  }
  expect(errorPaths(PLACES['row of a message']({ ...minimal[3](), default_values: [] }))).toEqual([
    'components.0.components.0.default_values',
  ])
})
