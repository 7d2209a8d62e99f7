import { describe, expect, test } from 'vitest'
import { errorLines, errorsOf } from './hostile-values'
import { inputOf, minimal, optionsOf, PLACES, type Place, type PlainObject, typeName } from './json-components'

type Range = readonly [min: number | undefined, max: number | undefined]

interface RangeCase {
  readonly name: string
  readonly component: PlainObject
  readonly fields: readonly [min: string, max: string]
  readonly places: readonly Place[]
  readonly valid: readonly Range[]
  readonly invalid: readonly Range[]
}

const values = { fields: ['min_values', 'max_values'], places: ['label'] } as const

// API, "String Select (type 3)" and "User Select (5), …": min_values and max_values are 1 by default.
const SELECTS = ([3, 5, 6, 7, 8] as const).map(
  (type): RangeCase => ({
    ...values,
    name: typeName(type),
    component: { ...minimal[type](), ...(type === 3 ? { options: optionsOf(25) } : {}) },
    places: ['row of a message', 'label'],
    valid: [
      [0, 1],
      [1, 1],
      [0, undefined],
      [1, undefined],
      [2, 2],
      [0, 25],
      [25, 25],
      [undefined, 25],
    ],
    invalid: [
      [2, 1],
      [25, 24],
      [2, undefined],
      [25, undefined],
      [undefined, 0],
      [1, 0],
    ],
  }),
)

// API, "File Upload (type 19)": 0 to 10 by default.
const FILE_UPLOAD: RangeCase = {
  ...values,
  name: 'a file upload',
  component: minimal[19](),
  valid: [
    [10, undefined],
    [5, 10],
    [undefined, 0],
    [0, 0],
    [3, 3],
  ],
  invalid: [
    [1, 0],
    [10, 9],
    [4, 3],
  ],
}

// API, "Radio Group (21), Checkbox Group (22), Checkbox (23)": min_values is 1 by default.
const CHECKBOX_GROUP: RangeCase = {
  ...values,
  name: 'a checkbox group of ten options',
  component: { ...minimal[22](), options: optionsOf(10) },
  valid: [
    [0, undefined],
    [10, undefined],
    [undefined, 1],
    [3, 3],
    [0, 10],
  ],
  invalid: [
    [2, 1],
    [10, 9],
  ],
}

// API, "Text Input (type 4)": min_length to 4000, max_length 1-4000.
const TEXT_INPUT: RangeCase = {
  name: 'a text input',
  component: inputOf(),
  fields: ['min_length', 'max_length'],
  places: ['label'],
  valid: [
    [0, 1],
    [4000, undefined],
    [4000, 4000],
    [undefined, 1],
    [undefined, 4000],
  ],
  invalid: [
    [2, 1],
    [4000, 3999],
  ],
}

const show = (ranges: readonly Range[]) =>
  ranges.map((range) => [range.map((bound) => bound ?? 'default').join(' to '), range] as const)

describe.each([...SELECTS, FILE_UPLOAD, CHECKBOX_GROUP, TEXT_INPUT])('$name', (row) => {
  const { component, fields, places, valid, invalid } = row
  const withRange = ([min, max]: Range): PlainObject => ({
    ...component,
    ...(min === undefined ? {} : { [fields[0]]: min }),
    ...(max === undefined ? {} : { [fields[1]]: max }),
  })

  test.each(show(valid))(`accepts ${fields.join(' and ')} of %s`, (_, range) => {
    for (const place of places) expect(errorLines(PLACES[place](withRange(range)))).toEqual([])
  })

  test.each(show(invalid))(`rejects ${fields.join(' and ')} of %s with one error`, (_, range) => {
    const placed = PLACES.label(withRange(range))
    const errors = errorsOf(placed)
    expect(errors).toHaveLength(1)
    const paths = fields.map((field) => [...placed.at, field].join('.'))
    expect(paths).toContain(errors[0]?.path.join('.'))
  })
})

test('the message about a minimum above the maximum has both numbers', () => {
  const [issue] = errorsOf(PLACES.label({ ...minimal[5](), min_values: 7, max_values: 3 }))
  expect(issue?.message).toMatch(/7/)
  expect(issue?.message).toMatch(/3/)
})

test('a bound of the wrong type is reported once', () => {
  const placed = PLACES.label({ ...minimal[5](), min_values: 'many', max_values: 3 })
  expect(errorLines(placed)).toEqual(['components.0.component.min_values: invalid_type'])
})
