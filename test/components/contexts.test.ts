import { describe, expect, test } from 'vitest'
import { PLACES } from './places'
import { problems, wrongPlaces } from './problems'
import { inputOf, smallest } from './wire'

const SELECTS = [3, 5, 6, 7, 8] as const
const IN_MESSAGES = ['row of a message', 'row of a legacy message', 'row of a container'] as const

// Interface, "String Select (type 3)" and after: `required` modals only, `disabled` cannot be set in modals.
describe.each(SELECTS)('a select of type %i', (type) => {
  test.each(IN_MESSAGES)('may be disabled in the %s, and is never required there', (place) => {
    for (const value of [true, false]) {
      expect(problems(PLACES[place]({ ...smallest[type](), disabled: value }))).toEqual([])
      const given = PLACES[place]({ ...smallest[type](), required: value })
      expect(wrongPlaces(given)).toEqual([[...given.at, 'required'].join('.')])
    }
  })

  test('may be required or not in a modal, and is never disabled there, not even by false', () => {
    for (const value of [true, false]) {
      expect(problems(PLACES.label({ ...smallest[type](), required: value }))).toEqual([])
      const given = PLACES.label({ ...smallest[type](), disabled: value })
      expect(wrongPlaces(given)).toEqual(['components.0.component.disabled'])
    }
  })

  test('may be alike in everything else', () => {
    const more = { id: 5, placeholder: 'Choose', min_values: 0, max_values: 1 }
    expect(problems(PLACES['row of a message']({ ...smallest[type](), ...more }))).toEqual([])
    expect(problems(PLACES.label({ ...smallest[type](), ...more }))).toEqual([])
  })
})

test.each([19, 21, 22] as const)('type %i may be required or not, and has no disabled', (type) => {
  for (const value of [true, false]) {
    expect(problems(PLACES.label({ ...smallest[type](), required: value }))).toEqual([])
    expect(wrongPlaces(PLACES.label({ ...smallest[type](), disabled: value }))).toEqual([
      'components.0.component.disabled',
    ])
  }
})

test('a text input may be required or not, in a label and in a row, and has no disabled', () => {
  for (const value of [true, false]) {
    expect(problems(PLACES.label(inputOf({ required: value })))).toEqual([])
    expect(problems(PLACES['row of a modal'](inputOf({ label: 'A label', required: value })))).toEqual([])
    expect(wrongPlaces(PLACES.label(inputOf({ disabled: value })))).toEqual(['components.0.component.disabled'])
  }
})

test('a checkbox has neither required nor disabled', () => {
  expect(wrongPlaces(PLACES.label({ ...smallest[23](), required: true, disabled: true })).toSorted()).toEqual([
    'components.0.component.disabled',
    'components.0.component.required',
  ])
})

test('channel types are for a channel select alone', () => {
  for (const type of [3, 5, 6, 7] as const) {
    expect(wrongPlaces(PLACES['row of a message']({ ...smallest[type](), channel_types: [0] }))).toEqual([
      'components.0.components.0.channel_types',
    ])
  }
  expect(problems(PLACES['row of a message']({ ...smallest[8](), channel_types: [0] }))).toEqual([])
})

test('options are for a string select, default values for the others', () => {
  for (const type of [5, 6, 7, 8] as const) {
    const options = [{ label: 'A', value: 'a' }]
    expect(wrongPlaces(PLACES['row of a message']({ ...smallest[type](), options }))).toEqual([
      'components.0.components.0.options',
    ])
  }
  expect(wrongPlaces(PLACES['row of a message']({ ...smallest[3](), default_values: [] }))).toEqual([
    'components.0.components.0.default_values',
  ])
})
