import { describe, expect, test } from 'vitest'
import { atHome, withAt, without } from './places'
import { problems } from './problems'
import { anyId, buttonOf, smallest, TYPES, type TypeValue, type Wire } from './wire'

// What has no `?` in the tables of the document, the received-only fields and a text input's deprecated label aside.
const REQUIRED: readonly [type: TypeValue, base: Wire, fields: string][] = [
  [1, smallest[1](), 'type components'],
  [2, { type: 2, style: 1, custom_id: anyId() }, 'type style custom_id'],
  [2, { type: 2, style: 2, custom_id: anyId() }, 'style custom_id'],
  [2, { type: 2, style: 3, custom_id: anyId() }, 'style custom_id'],
  [2, { type: 2, style: 4, custom_id: anyId() }, 'style custom_id'],
  [2, { type: 2, style: 5, url: 'https://example.test' }, 'url'],
  [2, { type: 2, style: 6, sku_id: '1' }, 'sku_id'],
  [3, smallest[3](), 'type custom_id options options.0.label options.0.value'],
  [4, smallest[4](), 'type custom_id style'],
  [5, { ...smallest[5](), default_values: [{ id: '1', type: 'user' }] }, 'type custom_id'],
  [5, { ...smallest[5](), default_values: [{ id: '1', type: 'user' }] }, 'default_values.0.id default_values.0.type'],
  [6, smallest[6](), 'type custom_id'],
  [7, smallest[7](), 'type custom_id'],
  [8, smallest[8](), 'type custom_id'],
  [9, smallest[9](), 'type components accessory'],
  [10, smallest[10](), 'type content'],
  [11, smallest[11](), 'type media media.url'],
  [12, smallest[12](), 'type items items.0.media items.0.media.url'],
  [13, smallest[13](), 'type file file.url'],
  [14, smallest[14](), 'type'],
  [17, smallest[17](), 'type components'],
  [18, smallest[18](), 'type label component'],
  [19, smallest[19](), 'type custom_id'],
  [21, smallest[21](), 'type custom_id options options.1.label options.1.value'],
  [22, smallest[22](), 'type custom_id options options.1.label options.1.value'],
  [23, smallest[23](), 'type custom_id'],
]

const cases = REQUIRED.flatMap(([type, base, fields]) =>
  fields.split(' ').map((field) => [TYPES[type], field, base] as const),
)
const keysOf = (field: string) => field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))

describe.each(cases)('a %s without %s', (_, field, base) => {
  const path = [...atHome(base).at, field].join('.')

  test('is told so', () => {
    expect(problems(atHomeOf(base, without(base, keysOf(field))))).toEqual([`${path}: required`])
  })

  test('is told so where it is undefined, which JSON drops', () => {
    expect(problems(atHomeOf(base, withAt(base, keysOf(field), undefined)))).toEqual([`${path}: required`])
  })

  test('is told so where it is null, which is another type', () => {
    expect(problems(atHomeOf(base, withAt(base, keysOf(field), null)))).toEqual([`${path}: invalid_type`])
  })
})

/** A changed component where the unchanged one is right. */
function atHomeOf(base: Wire, changed: Wire) {
  const given = atHome(base)
  return { ...given, value: withAt(given.value, given.at, changed) }
}

// What has a `?`: leaving it out, or leaving it undefined, is right.
const OPTIONAL: readonly [Wire, string][] = [
  [buttonOf(), 'id label emoji disabled'],
  [smallest[3](), 'id placeholder min_values max_values disabled'],
  [smallest[4](), 'id label min_length max_length required value placeholder'],
  [smallest[8](), 'id placeholder default_values min_values max_values disabled channel_types'],
  [smallest[11](), 'id description spoiler'],
  [smallest[13](), 'id spoiler'],
  [smallest[14](), 'id divider spacing'],
  [smallest[17](), 'id accent_color spoiler'],
  [smallest[18](), 'id description'],
  [smallest[19](), 'id min_values max_values required'],
  [smallest[22](), 'id min_values max_values required'],
  [smallest[23](), 'id default'],
]

test.each(OPTIONAL)('%j may have its optional fields undefined', (base, fields) => {
  const undefinedFields = Object.fromEntries(fields.split(' ').map((field) => [field, undefined]))
  expect(problems(atHome({ ...base, ...undefinedFields }))).toEqual([])
})
