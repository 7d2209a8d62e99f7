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
import { READABLE_VALUES } from './hostile-values'

const accessory = button.primary('a')
const fail = (): never => {
  throw new Error('do not read me')
}

/** Calls a factory with arguments that its types do not allow. */
const callUntyped = (factory: unknown, ...args: readonly unknown[]): object =>
  Object(Reflect.apply(Object(factory), null, args))

// Functions that take an array from the caller.
const FACTORIES: readonly (readonly [name: string, create: (array: unknown) => object])[] = [
  ['row', (array) => callUntyped(row, array)],
  ['section', (array) => callUntyped(section, array)],
  ['container', (array) => callUntyped(container, array)],
  ['mediaGallery', (array) => callUntyped(mediaGallery, array)],
  ['stringSelect', (array) => callUntyped(stringSelect, 's', array)],
  ['radioGroup', (array) => callUntyped(radioGroup, 'r', array)],
  ['messageV2', (array) => callUntyped(messageV2, array)],
  ['messageLegacy', (array) => callUntyped(messageLegacy, {}, array)],
  ['modal', (array) => callUntyped(modal, 'm', 'A modal', array)],
  ['addComponents of a row', (array) => callUntyped(row().addComponents.bind(row()), array)],
  ['addComponents of a section', (array) => callUntyped(section('A').addComponents.bind(section('A')), array)],
]

/** Whether a component or message is invalid. */
const isRejected = (created: object): boolean => {
  const context = 'title' in created || Reflect.get(created, 'type') === 21 ? 'modal' : 'message'
  const result = 'type' in created ? validateComponent(created, { context }) : validateMessage(created)
  return !result.ok
}

describe.each(FACTORIES)('%s', (name, create) => {
  test(`${name} leaves it to the validators to reject an array of numbers`, () => {
    expect(isRejected(create([5]))).toBe(true)
  })

  test(`${name} does not call the methods of an array`, () => {
    const array = Object.assign([text('A')], { map: fail, slice: fail, concat: fail, every: fail })
    expect(create(array)).toBeTypeOf('object')
  })

  test.each(READABLE_VALUES)('does not throw for %s', (_, make) => {
    expect(create(make())).toBeTypeOf('object')
  })
})

test('section skips the holes of an array, as it skips undefined', () => {
  const sparse = ['A', text('A')]
  sparse[3] = 'B'
  const created = section(sparse)
  expect(created.components).toEqual([text('A'), text('A'), text('B')])
  expect(validateComponent(created.withAccessory(accessory)).ok).toBe(true)
})

test('messageLegacy puts the rows of an untyped body before the other rows', () => {
  const [first, second] = [row(accessory), row(button.danger('b'))]
  expect(callUntyped(messageLegacy, { content: 'A', components: [first] }, second)).toEqual({
    content: 'A',
    components: [first, second],
  })
  expect(callUntyped(messageLegacy, { components: [first] })).toEqual({ components: [first] })
  expect(callUntyped(messageLegacy, { components: null }, [second])).toEqual({ components: [second] })
})
