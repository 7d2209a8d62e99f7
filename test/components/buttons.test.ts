import { describe, expect, test } from 'vitest'
import { errorLines, errorPaths } from './hostile-values'
import type { PlainObject } from './json-components'
import { PLACES, type Place, placeName } from './json-components'

const FIELDS: PlainObject = {
  custom_id: 'a-button',
  url: 'https://example.test',
  sku_id: '12345',
  label: 'Go',
  emoji: { name: '🔥' },
  disabled: true,
}

// API, "Button (type 2)", rules 2 to 4.
const STYLES: readonly [style: number, name: string, required: string, forbidden: readonly string[]][] = [
  [1, 'primary', 'custom_id', ['url', 'sku_id']],
  [2, 'secondary', 'custom_id', ['url', 'sku_id']],
  [3, 'success', 'custom_id', ['url', 'sku_id']],
  [4, 'danger', 'custom_id', ['url', 'sku_id']],
  [5, 'link', 'url', ['custom_id', 'sku_id']],
  [6, 'premium', 'sku_id', ['custom_id', 'label', 'url', 'emoji']],
]
const places: Place[] = ['row of a message', 'row of a legacy message', 'row of a container', 'accessory of a section']

describe.each(STYLES.flatMap((facts) => places.map((place) => [facts[1], place, facts] as const)))(
  'a %s button in the %s',
  (name, place, [style, , required, forbidden]) => {
    const _title = `a ${name} button in ${placeName(place)}`
    const minimum = { type: 2, style, [required]: FIELDS[required] }
    const at = (field: string) => [...PLACES[place]({}).at, field].join('.')

    test(`requires only ${required}`, () => {
      expect(errorLines(PLACES[place](minimum))).toEqual([])
      expect(errorLines(PLACES[place]({ type: 2, style }))).toEqual([`${at(required)}: required`])
    })

    test.each(forbidden)('rejects %s', (field) => {
      expect(errorPaths(PLACES[place]({ ...minimum, [field]: FIELDS[field] }))).toEqual([at(field)])
    })

    test('accepts every other field', () => {
      const others = Object.keys(FIELDS).filter((field) => !forbidden.includes(field))
      const full = { ...minimum, id: 7, ...Object.fromEntries(others.map((field) => [field, FIELDS[field]])) }
      expect(errorLines(PLACES[place](full))).toEqual([])
    })

    test('reports all errors at once', () => {
      const found = errorPaths(PLACES[place]({ type: 2, style, ...FIELDS, disabled: 1 }))
      expect(found.toSorted()).toEqual([...forbidden, 'disabled'].map(at).toSorted())
    })
  },
)

test.each([
  ['label', 5],
  ['emoji', '🔥'],
  ['emoji', null],
  ['emoji', [{}]],
  ['disabled', 'true'],
  ['disabled', 1],
  ['disabled', null],
])('%s of a button rejects %j', (field, value) => {
  const button = PLACES['row of a message']({ type: 2, style: 1, custom_id: 'a', [field]: value })
  expect(errorLines(button)).toEqual([`components.0.components.0.${field}: invalid_type`])
})

test.each([5, null, {}, true])('sku_id of a premium button rejects %j, which is not a snowflake', (sku_id) => {
  expect(errorLines(PLACES['row of a message']({ type: 2, style: 6, sku_id }))).toEqual([
    'components.0.components.0.sku_id: invalid_type',
  ])
})

test('a button may have undefined fields', () => {
  const undefinedFields = { url: undefined, sku_id: undefined }
  expect(errorLines(PLACES['row of a message']({ type: 2, style: 1, custom_id: 'a', ...undefinedFields }))).toEqual([])
})
