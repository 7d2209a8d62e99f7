import {
  button,
  container,
  mediaGallery,
  messageLegacy,
  messageV2,
  modal,
  radioGroup,
  row,
  section,
  stringSelect,
  text,
  validateComponent,
  validateMessage,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { cpuNow } from '../cpu-time'
import { ODD_VALUES, throwing, withThrowing } from './hostile-values'

const accessory = button.primary('a')
const fail = (): never => {
  throw new Error('do not read me')
}

/** What the types refuse and JavaScript lets through. */
const anyway = (make: unknown, ...given: readonly unknown[]): object => Object(Reflect.apply(Object(make), null, given))

// Each of a list that the caller gives.
const OF_LISTS: readonly (readonly [name: string, make: (list: unknown) => object])[] = [
  ['row', (list) => anyway(row, list)],
  ['section', (list) => anyway(section, list)],
  ['container', (list) => anyway(container, list)],
  ['mediaGallery', (list) => anyway(mediaGallery, list)],
  ['stringSelect', (list) => anyway(stringSelect, 's', list)],
  ['radioGroup', (list) => anyway(radioGroup, 'r', list)],
  ['messageV2', (list) => anyway(messageV2, list)],
  ['messageLegacy', (list) => anyway(messageLegacy, {}, list)],
  ['modal', (list) => anyway(modal, 'm', 'A modal', list)],
  ['addComponents of a row', (list) => anyway(row().addComponents.bind(row()), list)],
  ['addComponents of a section', (list) => anyway(section('A').addComponents.bind(section('A')), list)],
]

const BAD_LISTS: readonly (readonly [name: string, make: () => object])[] = [
  ['whose every property throws', () => new Proxy([text('A')], { get: fail, ownKeys: fail, has: fail })],
  ['whose items throw', () => new Proxy([text('A')], { get: (list, key) => (key === '0' ? fail() : list.length) })],
  ['whose properties are odd', () => new Proxy([text('A')], { get: () => 5 })],
]

/** What a list has is no component at all. */
const isRefused = (made: object): boolean => {
  const context = 'title' in made || Reflect.get(made, 'type') === 21 ? 'modal' : 'message'
  const check = 'type' in made ? validateComponent(made, { context }) : validateMessage(made)
  return !check.ok
}

describe.each(OF_LISTS)('%s leaves to the checks', (_, make) => {
  test.each(BAD_LISTS)('a list %s', (__, list) => {
    expect(isRefused(make(list()))).toBe(true)
  })

  test('a list whose methods throw', () => {
    const list = Object.assign([text('A')], { map: fail, slice: fail, concat: fail, every: fail })
    expect(make(list)).toBeTypeOf('object')
  })

  test.each(ODD_VALUES)('%s', (__, value) => {
    expect(make(value())).toBeTypeOf('object')
  })

  test.each([1e8, 2 ** 32 - 3])('a list with a single item at %d, without going through its holes', (index) => {
    const sparse: unknown[] = []
    sparse[index] = text('A')
    const startedAt = cpuNow()
    make(sparse)
    expect(cpuNow() - startedAt).toBeLessThan(500)
  })
})

test('a list with holes keeps them, for the checks to see', () => {
  const sparse = ['A', text('A')]
  sparse[3] = 'B'
  const made = section(sparse)
  expect(made.components).toHaveLength(4)
  expect(Object.keys(made.components)).toEqual(['0', '1', '3'])
  expect(made.components[3]).toEqual({ type: 10, content: 'B' })
  expect(validateComponent(made.withAccessory(accessory)).ok).toBe(false)
})

describe('messageLegacy', () => {
  test.each([
    ['that throws', throwing],
    ['with a field that throws', () => withThrowing({ embeds: [] }, 'content')],
  ])('leaves a body %s to whoever reads it', (_, body) => {
    const made = anyway(messageLegacy, body())
    expect(() => JSON.stringify(made)).toThrow('do not read me')
  })

  test('puts rows that stand in the body before the others, which JavaScript may give', () => {
    const [first, second] = [row(accessory), row(button.danger('b'))]
    expect(anyway(messageLegacy, { content: 'A', components: [first] }, second)).toEqual({
      content: 'A',
      components: [first, second],
    })
    expect(anyway(messageLegacy, { components: [first] })).toEqual({ components: [first] })
    expect(anyway(messageLegacy, { components: null }, [second])).toEqual({ components: [second] })
  })
})
