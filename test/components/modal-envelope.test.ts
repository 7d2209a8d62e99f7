import { describe, expect, test } from 'vitest'
import { problems } from './problems'
import { labelOf, modalOf, smallest, textOf, type Wire } from './wire'

// The document gives no envelope of a modal: this one is a convention of the design.
describe('a modal', () => {
  const right = (): Wire => modalOf(textOf('A text'), labelOf(smallest[4]()))
  const without = (field: string): Wire =>
    Object.fromEntries(Object.entries(right()).filter(([name]) => name !== field))

  test.each(['custom_id', 'title', 'components'])('needs %s', (field) => {
    expect(problems({ as: 'modal', value: right() })).toEqual([])
    expect(problems({ as: 'modal', value: without(field) })).toEqual([`${field}: required`])
    expect(problems({ as: 'modal', value: { ...right(), [field]: undefined } })).toEqual([`${field}: required`])
  })

  test.each(['custom_id', 'title'])('has a %s that is text', (field) => {
    for (const value of [5, null, true, {}, []]) {
      expect(problems({ as: 'modal', value: { ...right(), [field]: value } })).toEqual([`${field}: invalid_type`])
    }
  })

  test('has a custom_id of 1 to 100 characters', () => {
    const given = (custom_id: string) => ({ as: 'modal', value: { ...right(), custom_id } }) as const
    for (const length of [1, 100]) expect(problems(given('😀'.repeat(length)))).toEqual([])
    expect(problems(given(''))).toEqual(['custom_id: too_short, limit 1, actual 0'])
    expect(problems(given('x'.repeat(101)))).toEqual(['custom_id: too_long, limit 100, actual 101'])
  })

  test('may have the custom_id of one of its components: it is no component', () => {
    const label = labelOf({ type: 23, custom_id: 'same' })
    expect(problems({ as: 'modal', value: { ...modalOf(label), custom_id: 'same' } })).toEqual([])
  })

  test('has a title of any length: the document gives none', () => {
    expect(problems({ as: 'modal', value: { ...right(), title: '' } })).toEqual([])
    expect(problems({ as: 'modal', value: { ...right(), title: 'x'.repeat(1000) } })).toEqual([])
  })

  test('may be empty: the document gives no minimum', () => {
    expect(problems({ as: 'modal', value: modalOf() })).toEqual([])
  })
})
