import { type Validation, validateComponent, validateMessage, validateModal } from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { buttonOf, containerOf, labelOf, messageOf, modalOf, rowOf, smallest, textOf } from './wire'

/** All that a check says, as lines. */
function lines(result: Validation<unknown>): string[] {
  const issues = result.ok ? result.warnings : result.issues
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}
const inModal = (field: object) => lines(validateModal(modalOf(labelOf({ ...field }))))
const at = 'components.0.component'

// Interface, "File Upload", "Text Input" and "String Select": the limits of the fields.
test('a least number over its own limit is told once', () => {
  const select = { ...smallest[5](), min_values: 26 }
  expect(lines(validateComponent(select))).toEqual(['min_values: 26, at most 25'])
})

test('a greatest number under its own limit is told once', () => {
  const input = { ...smallest[4](), max_length: 0 }
  expect(inModal(input)).toEqual([`${at}.max_length: 0, at least 1`])
})

test('a greatest number below zero is told for what it is, and warns of no field that is not there', () => {
  expect(inModal({ ...smallest[19](), max_values: -1 })).toEqual([`${at}.max_values: -1, at least 0`])
  expect(lines(validateComponent({ ...smallest[5](), min_values: -1, max_values: -1 }))).toEqual([
    'max_values: -1, at least 0',
  ])
})

test('what is received alone is told once, not for each of its fields', () => {
  for (const type of [16, 20] as const) {
    expect(lines(validateMessage(messageOf(containerOf(smallest[type]()))))).toHaveLength(1)
  }
})

test('a type that nobody knows is named', () => {
  expect(lines(validateComponent({ type: 77 }))).toEqual(['type: expected a component type, got 77'])
})

test.each([
  [Number.NaN, 'NaN'],
  [1.5, '1.5'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
])('a number that is none of the right kind is named: %s', (id, text) => {
  expect(lines(validateComponent({ ...textOf('A text'), id }))).toEqual([`id: expected integer, got ${text}`])
})

test('owners are named as the documentation names them', () => {
  const [line] = lines(validateMessage(messageOf(rowOf(textOf('A text')))))
  expect(line).toMatch(
    /^components.0.components.0: text display not allowed in action row; allowed: button, string select/,
  )
  expect(lines(validateComponent({ ...rowOf(buttonOf()), label: 'A label' }))).toEqual([
    'label: not a field of action row',
  ])
})

test('no total is told of a message that is too large to validate', () => {
  const components = Array.from({ length: 100_001 }, () => textOf('A text'))
  const found = lines(validateMessage(messageOf(...components)))
  expect(found.filter((line) => line.includes('in total'))).toEqual([])
  expect(found).toContain(': too large to validate')
})
