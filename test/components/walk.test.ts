import {
  countComponents,
  findByCustomId,
  findById,
  isComponentError,
  parseComponents,
  textLength,
  walk,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import {
  buttonOf,
  containerOf,
  labelOf,
  minimal,
  modalOf,
  RECEIVED_PATHS,
  receivedMessage,
  rowOf,
  TYPE_VALUES,
  textOf,
} from './json-components'

type Source = Parameters<typeof walk>[0]
const asSource = (value: unknown) => value as Source
const at = (root: unknown, path: readonly (string | number)[]) =>
  path.reduce<unknown>((owner, key) => Reflect.get(Object(owner), key), root)

test('walk visits parents before their children, each with its path', () => {
  const message = receivedMessage()
  const visits = [...walk(asSource(message))]
  expect(visits.map(({ path }) => path.join('.'))).toEqual(RECEIVED_PATHS)
  for (const { component, path } of visits) expect(component).toBe(at(message, path))
})

test('walk passes the parent of each component, or undefined at the top level', () => {
  const message = receivedMessage()
  for (const { path, parent } of walk(asSource(message))) {
    const parentPath = path.length === 2 ? undefined : path.slice(0, path.at(-1) === 'accessory' ? -1 : -2)
    expect(parent).toBe(parentPath === undefined ? undefined : at(message, parentPath))
  }
})

test('walk visits the fields of labels', () => {
  const field = minimal[21]()
  const modal = modalOf(textOf('A text'), labelOf(field))
  expect([...walk(asSource(modal))].map(({ path }) => path.join('.'))).toEqual([
    'components.0',
    'components.1',
    'components.1.component',
  ])
  expect([...walk(asSource(modal))].at(-1)?.parent).toBe(Reflect.get(Object(modal.components), 1))
})

test('walk accepts an array, whose paths start with an index', () => {
  const paths = [...walk(asSource([rowOf(buttonOf()), textOf('A text')]))].map(({ path }) => path.join('.'))
  expect(paths).toEqual(['0', '0.components.0', '1'])
})

test('walk accepts one component, whose path is empty', () => {
  const paths = [...walk(asSource(containerOf(textOf('A text'))))].map(({ path }) => path.join('.'))
  expect(paths).toEqual(['', 'components.0'])
})

test('walk visits nothing in empty input', () => {
  expect([...walk([])]).toEqual([])
  expect([...walk({ components: [] })]).toEqual([])
  expect([...walk({})]).toEqual([])
})

test('walk visits components of every type, unknown types included', () => {
  const all = TYPE_VALUES.map((type) => minimal[type]())
  const seen = new Set([...walk(asSource([...all, { type: 99 }]))].map(({ component }) => component.type))
  expect(seen).toEqual(new Set([...TYPE_VALUES, 99]))
})

test('walk can be stopped early', () => {
  for (const { component } of walk(asSource(receivedMessage()))) {
    expect(component.type).toBe(17)
    break
  }
})

test('countComponents counts accessories and fields of labels, like the limit of 40', () => {
  expect(countComponents(asSource(receivedMessage()))).toBe(17)
  expect(countComponents(asSource(modalOf(labelOf(minimal[4]()))))).toBe(2)
  expect(countComponents(asSource(textOf('A text')))).toBe(1)
  expect(countComponents([])).toBe(0)
})

test('textLength adds up the text displays of a message at every level', () => {
  expect(textLength(asSource(receivedMessage()))).toBe('## Title'.length + 3 + 2 + 5)
})

test('textLength does not count labels and descriptions', () => {
  expect(textLength(asSource(rowOf(buttonOf({ label: 'A long label' }))))).toBe(0)
  expect(textLength(asSource({ ...labelOf(minimal[4]()), description: 'A description' }))).toBe(0)
})

const message = receivedMessage()

test.each([
  ['accessory', 12],
  ['select', 17],
])('findByCustomId finds the custom_id %s', (customId, id) => {
  expect(findByCustomId(asSource(message), customId)).toBe(findById(asSource(message), id))
  expect(findByCustomId(asSource(message), customId)).toMatchObject({ custom_id: customId })
})

test.each(Array.from({ length: 17 }, (_, index) => index + 1))('findById finds the id %i', (id) => {
  expect(findById(asSource(message), id)).toMatchObject({ id })
  expect(findById(parseComponents(message.components), id)).toMatchObject({ id })
})

test('return undefined if there is no match', () => {
  expect(findByCustomId(asSource(message), 'nobody')).toBeUndefined()
  expect(findByCustomId(asSource(message), '')).toBeUndefined()
  expect(findById(asSource(message), 99)).toBeUndefined()
})

test('findById returns undefined for the id 0, which means no id', () => {
  const legacy = { components: [{ ...rowOf({ ...buttonOf(), id: 0 }), id: 0 }] }
  expect(findById(asSource(legacy), 0)).toBeUndefined()
})

test('findByCustomId finds the field of a label', () => {
  expect(findByCustomId(asSource(modalOf(labelOf({ type: 23, custom_id: 'box' }))), 'box')).toMatchObject({
    type: 23,
  })
})

test('findByCustomId finds only own custom_ids, even with the name of an inherited property', () => {
  expect(findByCustomId(asSource(rowOf(buttonOf())), 'constructor')).toBeUndefined()
  expect(findByCustomId(asSource(rowOf(buttonOf({ custom_id: '__proto__' }))), '__proto__')).toMatchObject({
    type: 2,
  })
})

describe('a source that cannot be walked', () => {
  const issuesOf = (source: unknown) => {
    try {
      countComponents(asSource(source))
    } catch (error) {
      if (isComponentError(error)) return error.issues
      throw error
    }
    throw new Error('nothing was thrown')
  }

  test.each([5, 'row', null, undefined])('countComponents throws a ComponentError for %j', (source) => {
    expect(issuesOf(source)).toMatchObject([{ code: 'invalid_type', path: [], message: 'expected components' }])
  })

  test('countComponents throws a ComponentError for a component that contains itself', () => {
    const cyclic = containerOf()
    Object.assign(cyclic, { components: [cyclic] })
    expect(issuesOf([cyclic])).toMatchObject([{ code: 'too_deep', message: 'nested too deeply' }])
    expect(() => countComponents(asSource([cyclic]))).toThrow('1 problem in the source:')
  })

  test('countComponents throws a ComponentError with the path of an array that is something else', () => {
    const source = { components: [textOf('A'), { type: 17, components: 'A' }] }
    expect(issuesOf(source)).toMatchObject([
      { code: 'invalid_type', path: ['components', 1, 'components'], message: 'expected an array' },
    ])
  })
})
