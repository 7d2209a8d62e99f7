import { LIMITS } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { DOCUMENT_LIMITS, type DocumentLimit, valueOfSize } from './document-limits'
import { errorLines } from './hostile-values'
import { containerOf, copyWith, messageOf, PLACES, textOf } from './json-components'

const placeValue = ({ base, field, place }: DocumentLimit, value: unknown) =>
  PLACES[place](copyWith(base(), field, value))
const pathOf = (limit: DocumentLimit): string => [...placeValue(limit, undefined).at, ...limit.field].join('.')

const ABOVE_MAX = { string: 'too_long', array: 'too_many', number: 'invalid_value' }
const BELOW_MIN = { string: 'too_short', array: 'too_few', number: 'invalid_value' }
const WRONG_TYPES = {
  string: [5, true, ['x'], { x: 1 }, null],
  array: ['x', 5, true, { 0: 1, length: 1 }, null],
  number: ['5', true, [5], { x: 1 }, null],
}

const all = DOCUMENT_LIMITS.map((limit) => [limit.name, limit] as const)
const withMin = all.filter(([, { min = 0 }]) => min > 0)
const withoutMin = all.filter(([, { min = 0, kind, start }]) => min === 0 && kind !== 'number' && start === undefined)

test('the table of limits has as many limits as the API document', () => {
  expect(DOCUMENT_LIMITS).toHaveLength(65)
})

describe.each(all)('%s', (name, limit) => {
  test(`${name} accepts a size of ${limit.min ?? 0} and of ${limit.max}`, () => {
    // A URL needs at least one character after its fixed start.
    const min = limit.start === undefined ? (limit.min ?? 0) : limit.start.length + 1
    for (const size of [min, limit.max]) {
      // A `max_values` of 0 is below the default of `min_values`, which is another rule.
      if (size === 0 && limit.kind === 'number' && limit.field.join() === 'max_values') continue
      expect(errorLines(placeValue(limit, valueOfSize(limit, size)))).toEqual([])
    }
  })

  test(`${name} rejects a size of ${limit.max + 1}`, () => {
    const size = limit.max + 1
    const found = errorLines(placeValue(limit, valueOfSize(limit, size)))
    const start = `${pathOf(limit)}: ${ABOVE_MAX[limit.kind]}`
    expect(found).toContain(`${start}, limit ${limit.max}, actual ${size}`)
    expect(found.filter((line) => line.startsWith(start))).toHaveLength(1)
  })

  for (const value of WRONG_TYPES[limit.kind]) {
    const accepts = limit.isNullable === true && value === null
    test(`${name} ${accepts ? 'accepts' : 'rejects'} ${JSON.stringify(value)}`, () => {
      const expected = accepts ? [] : [`${pathOf(limit)}: invalid_type`]
      expect(errorLines(placeValue(limit, value))).toEqual(expected)
    })
  }
})

test.each(withMin)('%s rejects a size of one below the minimum', (_, limit) => {
  const { min = 0 } = limit
  const expected = `${pathOf(limit)}: ${BELOW_MIN[limit.kind]}, limit ${min}, actual ${min - 1}`
  expect(errorLines(placeValue(limit, valueOfSize(limit, min - 1)))).toContain(expected)
})

test.each(withoutMin)('%s may be empty, because the API document gives no minimum', (_, limit) => {
  expect(errorLines(placeValue(limit, valueOfSize(limit, 0)))).toEqual([])
})

test.each(all.filter(([, { kind }]) => kind === 'number'))('%s rejects fractions, NaN and infinities', (_, limit) => {
  for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const found = errorLines(placeValue(limit, value))
    expect(found.some((line) => line.startsWith(`${pathOf(limit)}: `))).toBe(true)
  }
})

const texts = DOCUMENT_LIMITS.filter(({ kind }) => kind === 'string').map((limit) => {
  return [limit.name, limit] as const
})
const placeText = (limit: DocumentLimit, size: number, unit: string) =>
  placeValue(limit, valueOfSize(limit, size, unit))

// One code point each; some are two UTF-16 units or a lone surrogate.
const CODE_POINTS = ['é', '漢', '😀', '\u0301', '\ud800', '\udc00', '\u0000', ' ', '\u200b']

describe.each(texts)('%s', (name, limit) => {
  test.each(CODE_POINTS)(`the limit of ${name} counts %j as one character`, (unit) => {
    expect(errorLines(placeText(limit, limit.max, unit))).toEqual([])
    const actual = limit.max + 1
    expect(errorLines(placeText(limit, actual, unit))).toContain(
      `${pathOf(limit)}: too_long, limit ${limit.max}, actual ${actual}`,
    )
  })

  test(`the limit of ${name} counts UTF-16 units with length 'utf16'`, () => {
    const start = limit.start?.length ?? 0
    const maxEmoji = start + Math.floor((limit.max - start) / 2)
    expect(errorLines(placeText(limit, maxEmoji, '😀'), { length: 'utf16' })).toEqual([])
    const units = start + (maxEmoji + 1 - start) * 2
    expect(errorLines(placeText(limit, maxEmoji + 1, '😀'), { length: 'utf16' })).toContain(
      `${pathOf(limit)}: too_long, limit ${limit.max}, actual ${units}`,
    )
    expect(errorLines(placeText(limit, maxEmoji + 1, '😀'), { length: 'codePoints' })).toEqual([])
  })
})

test('a limit counts each code point of a combined emoji', () => {
  const family = '👨‍👩‍👧'
  const button = (label: string) => PLACES['row of a message']({ type: 2, style: 1, custom_id: 'a', label })
  expect(errorLines(button(family.repeat(16)))).toEqual([])
  expect(errorLines(button(`${family.repeat(16)}a`))).toEqual([
    'components.0.components.0.label: too_long, limit 80, actual 81',
  ])
})

test('the total text of a message is counted in code points, or UTF-16 units on request', () => {
  const message = (count: number) => messageOf(textOf('😀'.repeat(count)), containerOf(textOf('😀'.repeat(1000))))
  const input = (count: number) => ({ as: 'message', value: message(count) }) as const
  expect(errorLines(input(3000))).toEqual([])
  expect(errorLines(input(3001)).join()).toMatch(/: too_long, limit 4000, actual 4001$/)
  expect(errorLines(input(1000), { length: 'utf16' })).toEqual([])
  expect(errorLines(input(1001), { length: 'utf16' }).join()).toMatch(/: too_long, limit 4000, actual 4002$/)
})

const customId = { min: 1, max: 100 }
const values = { min_values: { max: 25 }, max_values: { max: 25 }, placeholder: { max: 150 } }
const auto = { custom_id: customId, ...values, default_values: { max: 25 } }

// API, "Limits", copied by hand.
const EXPECTED: Readonly<Record<string, object>> = {
  message: { components: { max: 40 }, text: { max: 4000 } },
  row: { components: { max: 5 } },
  button: { custom_id: customId, label: { max: 80 }, url: { max: 512 } },
  stringSelect: { custom_id: customId, options: { max: 25 }, ...values },
  option: { label: { max: 100 }, value: { min: 1, max: 100 }, description: { max: 100 } },
  userSelect: auto,
  roleSelect: auto,
  mentionableSelect: auto,
  channelSelect: auto,
  textInput: {
    custom_id: customId,
    label: { max: 45 },
    min_length: { max: 4000 },
    max_length: { min: 1, max: 4000 },
    value: { max: 4000 },
    placeholder: { max: 100 },
  },
  section: { components: { min: 1, max: 3 } },
  text: { content: { min: 1, max: 4000 } },
  thumbnail: { description: { max: 1024 } },
  mediaGallery: { items: { min: 1, max: 10 } },
  galleryItem: { description: { max: 1024 } },
  container: { components: { min: 1, max: 10 } },
  label: { label: { max: 45 }, description: { max: 100 } },
  fileUpload: { custom_id: customId, min_values: { max: 10 }, max_values: { max: 10 } },
  radioGroup: { custom_id: customId, options: { min: 2, max: 10 } },
  checkboxGroup: {
    custom_id: customId,
    options: { min: 2, max: 10 },
    min_values: { max: 10 },
    max_values: { min: 1, max: 10 },
  },
  groupOption: { label: { max: 100 }, value: { min: 1, max: 100 }, description: { max: 100 } },
  checkbox: { custom_id: customId },
}

const exported: Readonly<Record<string, unknown>> = { ...LIMITS }

test.each(Object.entries(EXPECTED))('LIMITS.%s has the limits of the API', (name, limits) => {
  expect(exported[name]).toEqual(limits)
})

test('LIMITS has the limit of media URLs', () => {
  expect(JSON.stringify(LIMITS)).toContain('"url":{"max":2048}')
})

test('LIMITS has no limit that the API does not give', () => {
  const others = Object.entries(LIMITS).filter(([name]) => EXPECTED[name] === undefined)
  for (const [name, limits] of others) {
    expect(['{}', '{"url":{"max":2048}}'], name).toContain(JSON.stringify(limits))
  }
})
