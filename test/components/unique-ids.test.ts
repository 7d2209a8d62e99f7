import { describe, expect, test } from 'vitest'
import { problems, wrongPlaces } from './problems'
import { buttonOf, containerOf, legacyOf, messageOf, rowOf, sectionOf, selectOf, textOf, type Wire } from './wire'

const wrong = (...components: Wire[]) => wrongPlaces({ as: 'message', value: messageOf(...components) })
const line = (id: unknown): Wire => ({ type: 14, id })

// Interface, "Common component fields": id is unique within the message; 0 is treated as empty.
describe('the id of a component', () => {
  test('may be left out or 0 as often as one likes', () => {
    expect(wrong(line(0), line(0), line(undefined), { type: 14 }, line(1))).toEqual([])
  })

  test('is told where it is there a second time, and a third', () => {
    expect(wrong(line(7), line(8), line(7), line(7))).toEqual(['components.2.id', 'components.3.id'])
  })

  test('is unique across levels, accessories included', () => {
    const section = { ...sectionOf({ ...textOf('a'), id: 2 }), accessory: buttonOf({ id: 1 }), id: 3 }
    const row = { ...rowOf(buttonOf({ id: 4 }), buttonOf({ id: 2 })), id: 1 }
    expect(wrong(section, containerOf(row)).toSorted()).toEqual([
      'components.1.components.0.components.1.id',
      'components.1.components.0.id',
    ])
  })

  test('is unique in a legacy message too', () => {
    const value = legacyOf({ ...rowOf(buttonOf({ id: 5 })), id: 5 })
    // The document does not say which of the two is the wrong one.
    expect(wrongPlaces({ as: 'message', value })).toEqual([
      expect.stringMatching(/^components\.0(?:\.components\.0)?\.id$/),
    ])
  })

  test('that is no number is told as such, not as a second one', () => {
    expect(problems({ as: 'message', value: messageOf(line('7'), line('7')) })).toEqual([
      'components.0.id: invalid_type',
      'components.1.id: invalid_type',
    ])
  })

  test('may be a number that is a custom_id as well', () => {
    expect(wrong({ ...rowOf(buttonOf({ custom_id: '7' })), id: 7 })).toEqual([])
  })
})

// The same: custom_id is unique among the components of one message.
describe('the custom_id of a component', () => {
  test('is told where it is there a second time', () => {
    const row = rowOf(buttonOf({ custom_id: 'a' }), buttonOf({ custom_id: 'b' }), buttonOf({ custom_id: 'a' }))
    expect(wrong(row)).toEqual(['components.0.components.2.custom_id'])
  })

  test('is unique across types, rows, sections and containers', () => {
    const section = { ...sectionOf(textOf('a')), accessory: buttonOf({ custom_id: 'a' }) }
    const select = rowOf(selectOf({ custom_id: 'a' }))
    expect(wrong(rowOf(buttonOf({ custom_id: 'a' })), section, containerOf(select))).toEqual([
      'components.1.accessory.custom_id',
      'components.2.components.0.components.0.custom_id',
    ])
  })

  test('is unique in a legacy message too', () => {
    const value = legacyOf(rowOf(buttonOf({ custom_id: 'a' })), rowOf(buttonOf({ custom_id: 'a' })))
    expect(wrongPlaces({ as: 'message', value })).toEqual(['components.1.components.0.custom_id'])
  })

  test('is told apart by its case and by every character', () => {
    const ids = ['a', 'A', 'a ', 'á', 'a\u0301']
    expect(wrong(rowOf(...ids.map((custom_id) => buttonOf({ custom_id }))))).toEqual([])
  })

  test('may be a name that objects inherit', () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    expect(wrong(rowOf(...names.map((custom_id) => buttonOf({ custom_id }))))).toEqual([])
    const twice = ['__proto__', '__proto__'].map((custom_id) => buttonOf({ custom_id }))
    expect(wrong(rowOf(...twice))).toEqual(['components.0.components.1.custom_id'])
  })

  test('is no value of an option: two selects may offer the same', () => {
    expect(wrong(rowOf(selectOf()), rowOf(selectOf({ custom_id: 'o0' })))).toEqual([])
  })
})

test('an id and a custom_id that are there twice are both told', () => {
  const button = () => buttonOf({ id: 3, custom_id: 'a' })
  expect(wrong(rowOf(button(), button())).toSorted()).toEqual([
    'components.0.components.1.custom_id',
    'components.0.components.1.id',
  ])
})
