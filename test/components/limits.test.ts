import { describe, expect, test } from 'vitest'
import { DOCUMENT_LIMITS, type DocumentLimit, filled } from './document-limits'
import { PLACES, withAt } from './places'
import { problems } from './problems'

const given = ({ base, field, place }: DocumentLimit, value: unknown) => PLACES[place](withAt(base(), field, value))
const pathOf = (limit: DocumentLimit): string => [...given(limit, undefined).at, ...limit.field].join('.')
const name = (limit: DocumentLimit): string => `${limit.field.join('.')} of a ${limit.of}`

const OVER = { text: 'too_long', list: 'too_many', number: 'invalid_value' }
const UNDER = { text: 'too_short', list: 'too_few', number: 'invalid_value' }
const WRONG = {
  text: [5, true, ['x'], { x: 1 }, null],
  list: ['x', 5, true, { 0: 1, length: 1 }, null],
  number: ['5', true, [5], { x: 1 }, null],
}

const shown = (limit: DocumentLimit, size: number) => JSON.stringify(limit.kind === 'number' ? size : size)
const all = DOCUMENT_LIMITS.map((limit) => [name(limit), limit] as const)
const withMin = all.filter(([, { min = 0 }]) => min > 0)
const withoutMin = all.filter(([, { min = 0, kind }]) => min === 0 && kind !== 'number')

test('the limits are as many as the document has', () => {
  expect(DOCUMENT_LIMITS).toHaveLength(65)
})

describe.each(all)('%s', (_, limit) => {
  test(`may be at ${limit.min ?? 0} and at ${limit.max}`, () => {
    // What starts as a URL does needs something after it.
    const least = limit.start === undefined ? (limit.min ?? 0) : limit.start.length + 1
    for (const size of [least, limit.max]) {
      // A limit on `max_values` of 0 cannot be met with the default minimum of 1; that is another rule.
      if (size === 0 && limit.kind === 'number' && limit.field.join() === 'max_values') continue
      expect(problems(given(limit, filled(limit, size)))).toEqual([])
    }
  })

  test('may not be one over', () => {
    const size = limit.max + 1
    const found = problems(given(limit, filled(limit, size)))
    const expected = `${pathOf(limit)}: ${OVER[limit.kind]}, limit ${limit.max}, actual ${shown(limit, size)}`
    expect(found).toContain(expected)
    expect(found.filter((line) => line.startsWith(`${pathOf(limit)}: ${OVER[limit.kind]}`))).toHaveLength(1)
  })

  test.each(WRONG[limit.kind].map((value) => [JSON.stringify(value), value]))('may not be %s', (_, value) => {
    if (limit.isNullable === true && value === null) expect(problems(given(limit, value))).toEqual([])
    else expect(problems(given(limit, value))).toEqual([`${pathOf(limit)}: invalid_type`])
  })
})

describe.each(withMin)('%s', (_, limit) => {
  test('may not be one under', () => {
    const { min = 0 } = limit
    const expected = `${pathOf(limit)}: ${UNDER[limit.kind]}, limit ${min}, actual ${shown(limit, min - 1)}`
    expect(problems(given(limit, filled(limit, min - 1)))).toContain(expected)
  })
})

describe.each(withoutMin)('%s', (_, limit) => {
  test('may be empty: the document gives no minimum', () => {
    if (limit.start === undefined) expect(problems(given(limit, filled(limit, 0)))).toEqual([])
  })
})

test.each(all.filter(([, { kind }]) => kind === 'number'))('%s is a whole number', (_, limit) => {
  for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const found = problems(given(limit, value))
    expect(found.some((line) => line.startsWith(`${pathOf(limit)}: `))).toBe(true)
  }
})
