import { describe, expect, test } from 'vitest'
import { PLACES } from './places'
import { errorsOf, problems } from './problems'
import { inputOf, optionsOf, smallest, type Wire } from './wire'

type Bounds = readonly [least: number | undefined, most: number | undefined]

function bounds(low: string, high: string, [least, most]: Bounds): Wire {
  return { ...(least === undefined ? {} : { [low]: least }), ...(most === undefined ? {} : { [high]: most }) }
}

const SELECTS = [3, 5, 6, 7, 8] as const
const many: Wire = { options: optionsOf(25) }
const select = (type: (typeof SELECTS)[number], given: Bounds) => ({
  ...smallest[type](),
  ...(type === 3 ? many : {}),
  ...bounds('min_values', 'max_values', given),
})
const show = (given: Bounds) => given.map((bound) => bound ?? 'absent').join(' to ')

const both = (at: string, low: string, high: string) => [`${at}.${low}`, `${at}.${high}`]
/** Whether what is refused is one bound or the other, and nothing else. */
function expectRefusal(component: Wire, low: string, high: string) {
  const given = PLACES.label(component)
  const errors = errorsOf(given)
  expect(errors).toHaveLength(1)
  expect(both(given.at.join('.'), low, high)).toContain(errors[0]?.path.join('.'))
}

// Interface: min_values and max_values are 1 by default.
describe.each(SELECTS)('a select of type %i', (type) => {
  const right: Bounds[] = [
    [0, 1],
    [1, 1],
    [0, undefined],
    [1, undefined],
    [2, 2],
    [0, 25],
    [25, 25],
    [undefined, 25],
  ]
  test.each(right.map((given) => [show(given), given] as const))('may ask for %s values', (_, given) => {
    expect(problems(PLACES['row of a message'](select(type, given)))).toEqual([])
    expect(problems(PLACES.label(select(type, given)))).toEqual([])
  })

  const wrong: Bounds[] = [
    [2, 1],
    [25, 24],
    [2, undefined],
    [25, undefined],
    [undefined, 0],
    [1, 0],
  ]
  test.each(wrong.map((given) => [show(given), given] as const))('may not ask for %s values', (_, given) => {
    expectRefusal(select(type, given), 'min_values', 'max_values')
  })
})

// Interface, "File Upload (type 19)": 0 to 10 by default.
describe('a file upload', () => {
  const upload = (given: Bounds) => ({ ...smallest[19](), ...bounds('min_values', 'max_values', given) })
  const right: Bounds[] = [
    [10, undefined],
    [5, 10],
    [undefined, 0],
    [0, 0],
    [3, 3],
  ]
  test.each(right.map((given) => [show(given), given] as const))('may ask for %s files', (_, given) => {
    expect(problems(PLACES.label(upload(given)))).toEqual([])
  })

  const wrong: Bounds[] = [
    [1, 0],
    [10, 9],
    [4, 3],
  ]
  test.each(wrong.map((given) => [show(given), given] as const))('may not ask for %s files', (_, given) => {
    expectRefusal(upload(given), 'min_values', 'max_values')
  })
})

// Interface, "Radio Group (21), Checkbox Group (22), Checkbox (23)": min_values is 1 by default.
describe('a checkbox group of ten', () => {
  const group = (given: Bounds) => ({
    ...smallest[22](),
    options: optionsOf(10),
    ...bounds('min_values', 'max_values', given),
  })
  const right: Bounds[] = [
    [0, undefined],
    [10, undefined],
    [undefined, 1],
    [3, 3],
    [0, 10],
  ]
  test.each(right.map((given) => [show(given), given] as const))('may ask for %s', (_, given) => {
    expect(problems(PLACES.label(group(given)))).toEqual([])
  })

  const wrong: Bounds[] = [
    [2, 1],
    [10, 9],
  ]
  test.each(wrong.map((given) => [show(given), given] as const))('may not ask for %s', (_, given) => {
    expectRefusal(group(given), 'min_values', 'max_values')
  })
})

// Interface, "Text Input (type 4)": min_length to 4000, max_length 1-4000.
describe('a text input', () => {
  const input = (given: Bounds) => inputOf(bounds('min_length', 'max_length', given))
  const right: Bounds[] = [
    [0, 1],
    [4000, undefined],
    [4000, 4000],
    [undefined, 1],
    [undefined, 4000],
  ]
  test.each(right.map((given) => [show(given), given] as const))('may take %s characters', (_, given) => {
    expect(problems(PLACES.label(input(given)))).toEqual([])
  })

  const wrong: Bounds[] = [
    [2, 1],
    [4000, 3999],
  ]
  test.each(wrong.map((given) => [show(given), given] as const))('may not take %s characters', (_, given) => {
    expectRefusal(input(given), 'min_length', 'max_length')
  })
})

test('a minimum that cannot be met is told with both numbers', () => {
  const [issue] = errorsOf(PLACES.label(select(5, [7, 3])))
  expect(issue?.message).toMatch(/7/)
  expect(issue?.message).toMatch(/3/)
})

test('a bound that is wrong for itself is not told twice', () => {
  const given = PLACES.label({ ...smallest[5](), min_values: 'many', max_values: 3 })
  expect(problems(given)).toEqual(['components.0.component.min_values: invalid_type'])
})
