import { describe, expect, test } from 'vitest'
import { errorLines, errorsOf, isRejectedAt } from './hostile-values'
import {
  buttonOf,
  containerOf,
  inputOf,
  legacyOf,
  messageOf,
  minimal,
  modalOf,
  PLACES,
  type Place,
  placeName,
  rowOf,
  selectOf,
  TYPE_VALUES,
  typeName,
} from './json-components'

// The types that each place accepts. API, "Component Type" and the placement of each type.
const ACCEPTED: Readonly<Record<Place, readonly number[]>> = {
  // Buttons and selects need a row, a thumbnail a section; 16 and 20 cannot be sent.
  'top level of a message': [1, 9, 10, 12, 13, 14, 17],
  // All others require IS_COMPONENTS_V2.
  'top level of a legacy message': [1],
  // Rows are deprecated there, but accepted.
  'top level of a modal': [1, 10, 18],
  'row of a message': [2, 3, 5, 6, 7, 8],
  'row of a legacy message': [2, 3, 5, 6, 7, 8],
  // "inside an Action Row or a Label"; selects are "inside a Label in modals", buttons "only in messages".
  'row of a modal': [4],
  'row of a container': [2, 3, 5, 6, 7, 8],
  'texts of a section': [10],
  'accessory of a section': [2, 11],
  container: [1, 9, 10, 12, 13, 14],
  label: [3, 4, 5, 6, 7, 8, 19, 21, 22, 23],
}

/** Returns a component with only the required fields, valid in a place: a row of a modal has a text input. */
function minimalIn(type: keyof typeof minimal, place: Place) {
  return type === 1 && place === 'top level of a modal' ? { type: 1, components: [minimal[4]()] } : minimal[type]()
}

const places = Object.keys(PLACES) as Place[]
const matrix = places.flatMap((place) => TYPE_VALUES.map((type) => [place, type] as const))

test('every type of the API is tested in every place', () => {
  expect(matrix).toHaveLength(places.length * 22)
})

describe.each(matrix)('%s', (place, type) => {
  const placed = PLACES[place](minimalIn(type, place))
  const accepts = ACCEPTED[place].includes(type)
  test(`${placeName(place)} ${accepts ? 'accepts' : 'rejects'} ${typeName(type)}`, () => {
    if (accepts) expect(errorLines(placed)).toEqual([])
    else expect(isRejectedAt(placed), JSON.stringify(errorsOf(placed))).toBe(true)
  })
})

describe.each(places)('%s', (place) => {
  test.each([0, 15, 24, 999, -1, 1.5, Number.NaN])('rejects the unknown type %s', (type) => {
    const placed = PLACES[place]({ type })
    expect(errorsOf(placed).map(({ path }) => path)).toEqual([[...placed.at, 'type']])
  })

  test.each(['10', null, true, [10], {}])(`${placeName(place)} rejects %j as a type`, (type) => {
    const placed = PLACES[place]({ type, content: 'A text', components: [] })
    expect(errorLines(placed)).toEqual([`${[...placed.at, 'type'].join('.')}: invalid_type`])
  })

  test(`${placeName(place)} rejects a component without a type`, () => {
    const placed = PLACES[place]({})
    expect(errorLines(placed)).toEqual([`${[...placed.at, 'type'].join('.')}: required`])
  })

  test.each([null, 5, 'row', true, [], () => 1])(
    `${placeName(place)} rejects %j, which is not an object`,
    (component) => {
      const placed = PLACES[place](component)
      expect(errorLines(placed)).toEqual([`${placed.at.join('.')}: invalid_type`])
    },
  )
})

test('the message about a rejected component names its type', () => {
  const [issue] = errorsOf(PLACES['top level of a message']({ type: 2, style: 1, custom_id: 'a' }))
  expect(issue?.message).toMatch(/button/i)
})

const buttons = (count: number) => Array.from({ length: count }, () => buttonOf())
const SELECTS = [3, 5, 6, 7, 8] as const
const PARENTS = {
  message: (row: unknown) => messageOf(row),
  'legacy message': (row: unknown) => legacyOf(row),
  container: (row: unknown) => messageOf(containerOf(row)),
}

/** Whether there are errors, all of them in the first row. */
function isRejected(value: unknown, as: 'message' | 'modal' = 'message'): boolean {
  const errors = errorsOf({ as, value })
  return errors.length > 0 && errors.every(({ path }) => path[0] === 'components' && path[1] === 0)
}

// API, "Action Row (type 1)": up to 5 button components, or a single select component.
describe.each(Object.entries(PARENTS))('a row of a %s', (_, wrap) => {
  test.each([1, 2, 3, 4, 5])('accepts %i buttons', (count) => {
    expect(errorLines({ as: 'message', value: wrap(rowOf(...buttons(count))) })).toEqual([])
  })

  test.each([6, 7, 25])('rejects %i buttons', (count) => {
    const found = errorLines({ as: 'message', value: wrap(rowOf(...buttons(count))) })
    expect(found).toEqual([expect.stringMatching(new RegExp(`components: too_many, limit 5, actual ${count}$`))])
  })

  test.each(SELECTS)('accepts one select of type %i', (type) => {
    expect(errorLines({ as: 'message', value: wrap(rowOf(minimal[type]())) })).toEqual([])
  })

  test.each(SELECTS)('rejects two selects, one of them of type %i', (type) => {
    expect(isRejected(wrap(rowOf(minimal[type](), selectOf())))).toBe(true)
    expect(isRejected(wrap(rowOf(selectOf(), minimal[type]())))).toBe(true)
  })

  test.each(SELECTS)('rejects a button next to a select of type %i', (type) => {
    expect(isRejected(wrap(rowOf(minimal[type](), buttonOf())))).toBe(true)
    expect(isRejected(wrap(rowOf(buttonOf(), minimal[type]())))).toBe(true)
  })

  test('accepts buttons of different styles', () => {
    const styles = [
      { style: 5, url: 'https://example.test' },
      { style: 6, sku_id: '1' },
    ].map((style) => ({
      type: 2,
      ...style,
    }))
    expect(errorLines({ as: 'message', value: wrap(rowOf(buttonOf(), ...styles)) })).toEqual([])
  })
})

test('a row of a modal accepts one text input', () => {
  expect(errorLines({ as: 'modal', value: modalOf(rowOf(inputOf({ label: 'A label' }))) })).toEqual([])
})

test('a row of a modal rejects two text inputs', () => {
  expect(isRejected(modalOf(rowOf(inputOf({ label: 'One' }), inputOf({ label: 'Two' }))), 'modal')).toBe(true)
})

test('a row of a modal rejects a button, even next to a text input', () => {
  expect(isRejected(modalOf(rowOf(inputOf({ label: 'One' }), buttonOf())), 'modal')).toBe(true)
})

test('a legacy message and a modal accept 50 rows or labels, because the API document gives no limit', () => {
  const rows = (count: number) => Array.from({ length: count }, () => rowOf(buttonOf()))
  expect(errorLines({ as: 'message', value: legacyOf(...rows(50)) })).toEqual([])
  const labels = Array.from({ length: 50 }, () => minimal[18]())
  expect(errorLines({ as: 'modal', value: modalOf(...labels) })).toEqual([])
})

test('a row in a row and a container in a container are reported at their own paths', () => {
  const rowInRow = PLACES['row of a message'](rowOf(buttonOf()))
  expect(errorsOf(rowInRow).map(({ path }) => path.slice(0, 4))).toEqual([rowInRow.at])
  const inner = PLACES.container(containerOf({ type: 14 }))
  expect(errorsOf(inner).map(({ path }) => path.slice(0, 4))).toEqual([inner.at])
})
