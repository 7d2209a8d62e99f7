import { describe, expect, test } from 'vitest'
import { PLACES, type Place } from './places'
import { errorsOf, isRefusedAt, problems } from './problems'
import { smallest, TYPE_VALUES, TYPES } from './wire'

// Interface, "Component Type" and what each type says of its placement. The values that each place takes.
const TAKES: Readonly<Record<Place, readonly number[]>> = {
  // Buttons and selects need a row, a thumbnail a section; 16 and 20 cannot be sent.
  'top of a message': [1, 9, 10, 12, 13, 14, 17],
  // All others require IS_COMPONENTS_V2.
  'top of a legacy message': [1],
  // Rows are deprecated there, not gone.
  'top of a modal': [1, 10, 18],
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

/** The least of each type that is right in a place: a row of a modal holds a text input. */
function fitting(type: keyof typeof smallest, place: Place) {
  return type === 1 && place === 'top of a modal' ? { type: 1, components: [smallest[4]()] } : smallest[type]()
}

const places = Object.keys(PLACES) as Place[]
const matrix = places.flatMap((place) => TYPE_VALUES.map((type) => [place, type] as const))

test('every type of the document is tried in every place', () => {
  expect(matrix).toHaveLength(places.length * 22)
})

describe.each(matrix)('%s', (place, type) => {
  const given = PLACES[place](fitting(type, place))
  if (TAKES[place].includes(type)) test(`takes a ${TYPES[type]}`, () => expect(problems(given)).toEqual([]))
  else test(`takes no ${TYPES[type]}`, () => expect(isRefusedAt(given), JSON.stringify(errorsOf(given))).toBe(true))
})

describe.each(places)('%s', (place) => {
  test.each([0, 15, 24, 999, -1, 1.5, Number.NaN])('takes no type %s, which the document does not have', (type) => {
    const given = PLACES[place]({ type })
    expect(errorsOf(given).map(({ path }) => path)).toEqual([[...given.at, 'type']])
  })

  test.each(['10', null, true, [10], {}])('takes no type %j, which is no integer', (type) => {
    const given = PLACES[place]({ type, content: 'A text', components: [] })
    expect(problems(given)).toEqual([`${[...given.at, 'type'].join('.')}: invalid_type`])
  })

  test('takes no component without a type', () => {
    const given = PLACES[place]({})
    expect(problems(given)).toEqual([`${[...given.at, 'type'].join('.')}: required`])
  })

  test.each([null, 5, 'row', true, [], () => 1])('takes nothing that is no object, such as %j', (component) => {
    const given = PLACES[place](component)
    expect(problems(given)).toEqual([`${given.at.join('.')}: invalid_type`])
  })
})

test('a refused component says which type it has, or where it belongs', () => {
  const [issue] = errorsOf(PLACES['top of a message']({ type: 2, style: 1, custom_id: 'a' }))
  expect(issue?.message).toMatch(/button/i)
})
