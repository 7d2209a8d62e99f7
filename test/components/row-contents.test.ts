import { describe, expect, test } from 'vitest'
import { PLACES } from './places'
import { errorsOf, problems } from './problems'
import { buttonOf, containerOf, inputOf, legacyOf, messageOf, modalOf, rowOf, selectOf, smallest } from './wire'

const buttons = (count: number) => Array.from({ length: count }, () => buttonOf())
const SELECTS = [3, 5, 6, 7, 8] as const
const HOLDERS = {
  message: (row: unknown) => messageOf(row),
  'legacy message': (row: unknown) => legacyOf(row),
  container: (row: unknown) => messageOf(containerOf(row)),
}

/** Whether what is wrong is wrong in the row or something in it. */
function isRefused(value: unknown, as: 'message' | 'modal' = 'message'): boolean {
  const errors = errorsOf({ as, value })
  return errors.length > 0 && errors.every(({ path }) => path[0] === 'components' && path[1] === 0)
}

// Interface, "Action Row (type 1)": up to 5 button components, or a single select component.
describe.each(Object.entries(HOLDERS))('a row of a %s', (_, hold) => {
  test.each([1, 2, 3, 4, 5])('holds %i buttons', (count) => {
    expect(problems({ as: 'message', value: hold(rowOf(...buttons(count))) })).toEqual([])
  })

  test.each([6, 7, 25])('holds no %i buttons', (count) => {
    const found = problems({ as: 'message', value: hold(rowOf(...buttons(count))) })
    expect(found).toEqual([expect.stringMatching(new RegExp(`components: too_many, limit 5, actual ${count}$`))])
  })

  test.each(SELECTS)('holds one select of type %i', (type) => {
    expect(problems({ as: 'message', value: hold(rowOf(smallest[type]())) })).toEqual([])
  })

  test.each(SELECTS)('holds no two selects, one of them of type %i', (type) => {
    expect(isRefused(hold(rowOf(smallest[type](), selectOf())))).toBe(true)
    expect(isRefused(hold(rowOf(selectOf(), smallest[type]())))).toBe(true)
  })

  test.each(SELECTS)('holds no button beside a select of type %i', (type) => {
    expect(isRefused(hold(rowOf(smallest[type](), buttonOf())))).toBe(true)
    expect(isRefused(hold(rowOf(buttonOf(), smallest[type]())))).toBe(true)
  })

  test('holds buttons of every style together', () => {
    const styles = [
      { style: 5, url: 'https://example.test' },
      { style: 6, sku_id: '1' },
    ].map((style) => ({
      type: 2,
      ...style,
    }))
    expect(problems({ as: 'message', value: hold(rowOf(buttonOf(), ...styles)) })).toEqual([])
  })
})

describe('a row of a modal', () => {
  test('holds one text input', () => {
    expect(problems({ as: 'modal', value: modalOf(rowOf(inputOf({ label: 'A label' }))) })).toEqual([])
  })

  test('holds no two text inputs', () => {
    expect(isRefused(modalOf(rowOf(inputOf({ label: 'One' }), inputOf({ label: 'Two' }))), 'modal')).toBe(true)
  })

  test('holds no button, not even beside a text input', () => {
    expect(isRefused(modalOf(rowOf(inputOf({ label: 'One' }), buttonOf())), 'modal')).toBe(true)
  })
})

test('a message and a modal hold as many rows as they like: the document gives no number', () => {
  const rows = (count: number) => Array.from({ length: count }, () => rowOf(buttonOf()))
  expect(problems({ as: 'message', value: legacyOf(...rows(50)) })).toEqual([])
  const labels = Array.from({ length: 50 }, () => smallest[18]())
  expect(problems({ as: 'modal', value: modalOf(...labels) })).toEqual([])
})

test('a row in a row, and a container in a container, are refused where they stand', () => {
  const rowInRow = PLACES['row of a message'](rowOf(buttonOf()))
  expect(errorsOf(rowInRow).map(({ path }) => path.slice(0, 4))).toEqual([rowInRow.at])
  const inner = PLACES.container(containerOf({ type: 14 }))
  expect(errorsOf(inner).map(({ path }) => path.slice(0, 4))).toEqual([inner.at])
})
