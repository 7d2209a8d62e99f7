import { expect, test } from 'vitest'
import { errorLines } from './hostile-values'
import { copyWithout, labelOf, minimal, modalOf, type PlainObject, textOf } from './json-components'

// The API document does not show the fields of a modal; these are a convention.
const valid = (): PlainObject => modalOf(textOf('A text'), labelOf(minimal[4]()))
test.each(['custom_id', 'title', 'components'])('a modal requires %s', (field) => {
  expect(errorLines({ as: 'modal', value: valid() })).toEqual([])
  expect(errorLines({ as: 'modal', value: copyWithout(valid(), [field]) })).toEqual([`${field}: required`])
  expect(errorLines({ as: 'modal', value: { ...valid(), [field]: undefined } })).toEqual([`${field}: required`])
})

test.each(['custom_id', 'title'])('the %s of a modal must be a string', (field) => {
  for (const value of [5, null, true, {}, []]) {
    expect(errorLines({ as: 'modal', value: { ...valid(), [field]: value } })).toEqual([`${field}: invalid_type`])
  }
})

test('the custom_id of a modal must have 1 to 100 characters', () => {
  const withCustomId = (custom_id: string) => ({ as: 'modal', value: { ...valid(), custom_id } }) as const
  for (const length of [1, 100]) expect(errorLines(withCustomId('😀'.repeat(length)))).toEqual([])
  expect(errorLines(withCustomId(''))).toEqual(['custom_id: too_short, limit 1, actual 0'])
  expect(errorLines(withCustomId('x'.repeat(101)))).toEqual(['custom_id: too_long, limit 100, actual 101'])
})

test('a modal may have the same custom_id as one of its components', () => {
  const label = labelOf({ type: 23, custom_id: 'same' })
  expect(errorLines({ as: 'modal', value: { ...modalOf(label), custom_id: 'same' } })).toEqual([])
})

test('the title of a modal may have any length, because the API document gives no limit', () => {
  expect(errorLines({ as: 'modal', value: { ...valid(), title: '' } })).toEqual([])
  expect(errorLines({ as: 'modal', value: { ...valid(), title: 'x'.repeat(1000) } })).toEqual([])
})

test('a modal may have no components, because the API document gives no minimum', () => {
  expect(errorLines({ as: 'modal', value: modalOf() })).toEqual([])
})
