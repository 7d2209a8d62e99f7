import { describe, expect, test } from 'vitest'
import { atHome, withAt } from './places'
import { problems, wrongPlaces } from './problems'
import {
  buttonOf,
  mediaOf,
  messageOf,
  modalOf,
  rowOf,
  smallest,
  TYPES,
  type TypeValue,
  textOf,
  type Wire,
} from './wire'

// The fields of each type that may be sent, `type` and `id` aside. Interface, the sections of the types.
const FIELDS: Readonly<Partial<Record<TypeValue, string>>> = {
  1: 'components',
  2: 'style label emoji custom_id sku_id url disabled',
  3: 'custom_id options placeholder min_values max_values required disabled',
  4: 'custom_id style label min_length max_length required value placeholder',
  5: 'custom_id placeholder default_values min_values max_values required disabled',
  6: 'custom_id placeholder default_values min_values max_values required disabled',
  7: 'custom_id placeholder default_values min_values max_values required disabled',
  8: 'custom_id placeholder default_values min_values max_values required disabled channel_types',
  9: 'components accessory',
  10: 'content',
  11: 'media description spoiler',
  12: 'items',
  13: 'file spoiler',
  14: 'divider spacing',
  17: 'components accent_color spoiler',
  18: 'label description component',
  19: 'custom_id min_values max_values required',
  21: 'custom_id options required',
  22: 'custom_id options min_values max_values required',
  23: 'custom_id default',
}

/** A right value of each field, where it is in its place. */
const VALUES: Wire = {
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
  component: smallest[4](),
  default: false,
}

const cases = Object.entries(FIELDS).flatMap(([type, own]) =>
  Object.keys(VALUES)
    .filter((field) => !own?.split(' ').includes(field))
    .map((field) => [Number(type) as TypeValue, field] as const),
)

test('the table of fields and the values are the same fields', () => {
  const fields = Object.values(FIELDS).flatMap((own) => own?.split(' ') ?? [])
  expect([...new Set(fields)].toSorted()).toEqual(Object.keys(VALUES).toSorted())
})

test.each(cases.map(([type, field]) => [TYPES[type], field, type] as const))('a %s has no %s', (_, field, type) => {
  const given = atHome({ ...smallest[type](), [field]: VALUES[field] })
  expect(wrongPlaces(given)).toEqual([[...given.at, field].join('.')])
})

// What no type of the document knows is for another day.
const UNKNOWN = {
  tomorrow: 1,
  new_field: { deep: [1] },
  'x-vendor': null,
  '': 'empty',
  toString: 'own',
  constructor: 1,
}

describe('a key that the document does not know', () => {
  test.each(Object.keys(FIELDS).map((type) => [TYPES[Number(type) as TypeValue], Number(type) as TypeValue] as const))(
    'is let through on a %s',
    (_, type) => {
      expect(problems(atHome({ ...smallest[type](), ...UNKNOWN }))).toEqual([])
    },
  )

  test.each([
    [3, ['options', 0]],
    [22, ['options', 1]],
    [12, ['items', 0]],
    [12, ['items', 0, 'media']],
    [13, ['file']],
    [11, ['media']],
  ] as const)('is let through on a part of type %i, at %j', (type, path) => {
    const part = path.reduce<unknown>((owner, key) => Reflect.get(Object(owner), key), smallest[type]())
    expect(problems(atHome(withAt(smallest[type](), path, { ...Object(part), ...UNKNOWN })))).toEqual([])
  })

  test('is let through on a message and a modal', () => {
    expect(problems({ as: 'message', value: { ...messageOf(rowOf(buttonOf())), ...UNKNOWN } })).toEqual([])
    expect(problems({ as: 'modal', value: { ...modalOf(smallest[18]()), ...UNKNOWN } })).toEqual([])
  })

  test('comes out of the check as it went in', async () => {
    const { validateMessage } = await import('rapport-sdk/components')
    const value = messageOf({ ...rowOf(buttonOf({ tomorrow: { a: 1 } })), later: [2] })
    expect(validateMessage(value)).toMatchObject({ ok: true, value })
  })
})
