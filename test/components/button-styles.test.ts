import { describe, expect, test } from 'vitest'
import { PLACES, type Place } from './places'
import { problems, wrongPlaces } from './problems'
import type { Wire } from './wire'

const FIELDS: Wire = {
  custom_id: 'a-button',
  url: 'https://example.test',
  sku_id: '12345',
  label: 'Go',
  emoji: { name: '🔥' },
  disabled: true,
}

// Interface, "Button (type 2)", rules 2 to 4.
const STYLES: readonly [style: number, name: string, needs: string, never: readonly string[]][] = [
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
  (_, place, [style, , needs, never]) => {
    const least = { type: 2, style, [needs]: FIELDS[needs] }
    const at = (field: string) => [...PLACES[place]({}).at, field].join('.')

    test(`needs ${needs} alone`, () => {
      expect(problems(PLACES[place](least))).toEqual([])
      expect(problems(PLACES[place]({ type: 2, style }))).toEqual([`${at(needs)}: required`])
    })

    test.each(never)('never has %s', (field) => {
      expect(wrongPlaces(PLACES[place]({ ...least, [field]: FIELDS[field] }))).toEqual([at(field)])
    })

    test('has every other field', () => {
      const others = Object.keys(FIELDS).filter((field) => !never.includes(field))
      const full = { ...least, id: 7, ...Object.fromEntries(others.map((field) => [field, FIELDS[field]])) }
      expect(problems(PLACES[place](full))).toEqual([])
    })

    test('has everything wrong told at once', () => {
      const found = wrongPlaces(PLACES[place]({ type: 2, style, ...FIELDS, disabled: 1 }))
      expect(found.toSorted()).toEqual([...never, 'disabled'].map(at).toSorted())
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
])('%s is not %j', (field, value) => {
  const given = PLACES['row of a message']({ type: 2, style: 1, custom_id: 'a', [field]: value })
  expect(problems(given)).toEqual([`components.0.components.0.${field}: invalid_type`])
})

test.each([5, null, {}, true])('a SKU is a snowflake, not %j', (sku_id) => {
  expect(problems(PLACES['row of a message']({ type: 2, style: 6, sku_id }))).toEqual([
    'components.0.components.0.sku_id: invalid_type',
  ])
})

test('fields that are there but undefined, as code writes them, are not there', () => {
  const undefinedOnes = { url: undefined, sku_id: undefined }
  expect(problems(PLACES['row of a message']({ type: 2, style: 1, custom_id: 'a', ...undefinedOnes }))).toEqual([])
})
