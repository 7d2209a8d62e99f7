import { describe, expect, test } from 'vitest'
import { DOCUMENT_LIMITS, type DocumentLimit, filled } from './document-limits'
import { PLACES, withAt } from './places'
import { problems } from './problems'
import { containerOf, messageOf, textOf } from './wire'

const texts = DOCUMENT_LIMITS.filter(({ kind }) => kind === 'text').map((limit) => {
  return [`${limit.field.join('.')} of a ${limit.of}`, limit] as const
})
const given = (limit: DocumentLimit, size: number, unit: string) =>
  PLACES[limit.place](withAt(limit.base(), limit.field, filled(limit, size, unit)))
const pathOf = (limit: DocumentLimit) => [...given(limit, 1, 'x').at, ...limit.field].join('.')

// One code point each, though more than one UTF-16 unit or a broken one.
const ONE_EACH = ['é', '漢', '😀', '\u0301', '\ud800', '\udc00', '\u0000', ' ', '\u200b']

describe.each(texts)('%s', (_, limit) => {
  test.each(ONE_EACH)('counts code points such as %j', (unit) => {
    expect(problems(given(limit, limit.max, unit))).toEqual([])
    const actual = limit.max + 1
    expect(problems(given(limit, actual, unit))).toContain(
      `${pathOf(limit)}: too_long, limit ${limit.max}, actual ${actual}`,
    )
  })

  test('counts UTF-16 units where that is asked for', () => {
    const start = limit.start?.length ?? 0
    const fitting = start + Math.floor((limit.max - start) / 2)
    expect(problems(given(limit, fitting, '😀'), { length: 'utf16' })).toEqual([])
    const units = start + (fitting + 1 - start) * 2
    expect(problems(given(limit, fitting + 1, '😀'), { length: 'utf16' })).toContain(
      `${pathOf(limit)}: too_long, limit ${limit.max}, actual ${units}`,
    )
    expect(problems(given(limit, fitting + 1, '😀'), { length: 'codePoints' })).toEqual([])
  })
})

test('a character made of several code points counts each of them', () => {
  const family = '👨‍👩‍👧'
  const button = (label: string) => PLACES['row of a message']({ type: 2, style: 1, custom_id: 'a', label })
  expect(problems(button(family.repeat(16)))).toEqual([])
  expect(problems(button(`${family.repeat(16)}a`))).toEqual([
    'components.0.components.0.label: too_long, limit 80, actual 81',
  ])
})

test('the text of a whole message is counted alike', () => {
  const message = (count: number) => messageOf(textOf('😀'.repeat(count)), containerOf(textOf('😀'.repeat(1000))))
  const checked = (count: number) => ({ as: 'message', value: message(count) }) as const
  expect(problems(checked(3000))).toEqual([])
  expect(problems(checked(3001)).join()).toMatch(/: too_long, limit 4000, actual 4001$/)
  expect(problems(checked(1000), { length: 'utf16' })).toEqual([])
  expect(problems(checked(1001), { length: 'utf16' }).join()).toMatch(/: too_long, limit 4000, actual 4002$/)
})
