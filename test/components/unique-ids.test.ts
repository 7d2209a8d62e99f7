import { expect, test } from 'vitest'
import { errorLines, errorPaths } from './hostile-values'
import {
  buttonOf,
  containerOf,
  legacyOf,
  messageOf,
  type PlainObject,
  rowOf,
  sectionOf,
  selectOf,
  textOf,
} from './json-components'

const pathsOf = (...components: PlainObject[]) => errorPaths({ as: 'message', value: messageOf(...components) })
const line = (id: unknown): PlainObject => ({ type: 14, id })

// API, "Common component fields": id is unique within the message; 0 is treated as empty.
test('an id may be absent or 0 any number of times', () => {
  expect(pathsOf(line(0), line(0), line(undefined), { type: 14 }, line(1))).toEqual([])
})

test('the second and the third use of an id are reported', () => {
  expect(pathsOf(line(7), line(8), line(7), line(7))).toEqual(['components.2.id', 'components.3.id'])
})

test('an id must be unique across levels, accessories included', () => {
  const section = { ...sectionOf({ ...textOf('a'), id: 2 }), accessory: buttonOf({ id: 1 }), id: 3 }
  const row = { ...rowOf(buttonOf({ id: 4 }), buttonOf({ id: 2 })), id: 1 }
  expect(pathsOf(section, containerOf(row)).toSorted()).toEqual([
    'components.1.components.0.components.1.id',
    'components.1.components.0.id',
  ])
})

test('an id must be unique in a legacy message too', () => {
  const value = legacyOf({ ...rowOf(buttonOf({ id: 5 })), id: 5 })
  // The API document does not say which of the two is invalid.
  expect(errorPaths({ as: 'message', value })).toEqual([
    expect.stringMatching(/^components\.0(?:\.components\.0)?\.id$/),
  ])
})

test('a repeated id that is not a number is reported only as the wrong type', () => {
  expect(errorLines({ as: 'message', value: messageOf(line('7'), line('7')) })).toEqual([
    'components.0.id: invalid_type',
    'components.1.id: invalid_type',
  ])
})

test('an id may be equal to a custom_id', () => {
  expect(pathsOf({ ...rowOf(buttonOf({ custom_id: '7' })), id: 7 })).toEqual([])
})

// The same section: custom_id is unique among the components of one message.
test('the second use of a custom_id is reported', () => {
  const row = rowOf(buttonOf({ custom_id: 'a' }), buttonOf({ custom_id: 'b' }), buttonOf({ custom_id: 'a' }))
  expect(pathsOf(row)).toEqual(['components.0.components.2.custom_id'])
})

test('a custom_id must be unique across types, rows, sections and containers', () => {
  const section = { ...sectionOf(textOf('a')), accessory: buttonOf({ custom_id: 'a' }) }
  const select = rowOf(selectOf({ custom_id: 'a' }))
  expect(pathsOf(rowOf(buttonOf({ custom_id: 'a' })), section, containerOf(select))).toEqual([
    'components.1.accessory.custom_id',
    'components.2.components.0.components.0.custom_id',
  ])
})

test('a custom_id must be unique in a legacy message too', () => {
  const value = legacyOf(rowOf(buttonOf({ custom_id: 'a' })), rowOf(buttonOf({ custom_id: 'a' })))
  expect(errorPaths({ as: 'message', value })).toEqual(['components.1.components.0.custom_id'])
})

test('custom_ids are different if they differ in case or in any character', () => {
  const ids = ['a', 'A', 'a ', 'á', 'a\u0301']
  expect(pathsOf(rowOf(...ids.map((custom_id) => buttonOf({ custom_id }))))).toEqual([])
})

test('a custom_id may be the name of an inherited property', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  expect(pathsOf(rowOf(...names.map((custom_id) => buttonOf({ custom_id }))))).toEqual([])
  const twice = ['__proto__', '__proto__'].map((custom_id) => buttonOf({ custom_id }))
  expect(pathsOf(rowOf(...twice))).toEqual(['components.0.components.1.custom_id'])
})

test('a custom_id may be equal to the value of an option', () => {
  expect(pathsOf(rowOf(selectOf()), rowOf(selectOf({ custom_id: 'o0' })))).toEqual([])
})

test('a repeated id and a repeated custom_id of one component are both reported', () => {
  const button = () => buttonOf({ id: 3, custom_id: 'a' })
  expect(pathsOf(rowOf(button(), button())).toSorted()).toEqual([
    'components.0.components.1.custom_id',
    'components.0.components.1.id',
  ])
})
