import { countComponents, findByCustomId, findById, parseComponents, textLength, walk } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { RECEIVED_PATHS, receivedMessage } from './received-trees'
import { buttonOf, containerOf, labelOf, modalOf, rowOf, smallest, TYPE_VALUES, textOf } from './wire'

type Source = Parameters<typeof walk>[0]
const asSource = (value: unknown) => value as Source
const at = (root: unknown, path: readonly (string | number)[]) =>
  path.reduce<unknown>((owner, key) => Reflect.get(Object(owner), key), root)

describe('walk', () => {
  test('sees every component of a message, each before what it holds, at its path', () => {
    const message = receivedMessage()
    const visits = [...walk(asSource(message))]
    expect(visits.map(({ path }) => path.join('.'))).toEqual(RECEIVED_PATHS)
    for (const { component, path } of visits) expect(component).toBe(at(message, path))
  })

  test('tells what a component stands in, and nothing for what stands on top', () => {
    const message = receivedMessage()
    for (const { path, parent } of walk(asSource(message))) {
      const holder = path.length === 2 ? undefined : path.slice(0, path.at(-1) === 'accessory' ? -1 : -2)
      expect(parent).toBe(holder === undefined ? undefined : at(message, holder))
    }
  })

  test('sees the fields of labels', () => {
    const field = smallest[21]()
    const modal = modalOf(textOf('A text'), labelOf(field))
    expect([...walk(asSource(modal))].map(({ path }) => path.join('.'))).toEqual([
      'components.0',
      'components.1',
      'components.1.component',
    ])
    expect([...walk(asSource(modal))].at(-1)?.parent).toBe(Reflect.get(Object(modal.components), 1))
  })

  test('takes a list, whose paths start with an index', () => {
    const paths = [...walk(asSource([rowOf(buttonOf()), textOf('A text')]))].map(({ path }) => path.join('.'))
    expect(paths).toEqual(['0', '0.components.0', '1'])
  })

  test('takes one component, which is the root', () => {
    const paths = [...walk(asSource(containerOf(textOf('A text'))))].map(({ path }) => path.join('.'))
    expect(paths).toEqual(['', 'components.0'])
  })

  test('takes nothing for nothing', () => {
    expect([...walk([])]).toEqual([])
    expect([...walk({ components: [] })]).toEqual([])
    expect([...walk({})]).toEqual([])
  })

  test('sees components of every type, those of later days included', () => {
    const all = TYPE_VALUES.map((type) => smallest[type]())
    const seen = new Set([...walk(asSource([...all, { type: 99 }]))].map(({ component }) => component.type))
    expect(seen).toEqual(new Set([...TYPE_VALUES, 99]))
  })

  test('may be stopped early', () => {
    for (const { component } of walk(asSource(receivedMessage()))) {
      expect(component.type).toBe(17)
      break
    }
  })
})

describe('countComponents', () => {
  test('counts accessories and fields of labels, as the limit of 40 does', () => {
    expect(countComponents(asSource(receivedMessage()))).toBe(17)
    expect(countComponents(asSource(modalOf(labelOf(smallest[4]()))))).toBe(2)
    expect(countComponents(asSource(textOf('A text')))).toBe(1)
    expect(countComponents([])).toBe(0)
  })
})

describe('textLength', () => {
  test('sums the texts of a message, wherever they are', () => {
    expect(textLength(asSource(receivedMessage()))).toBe('## Title'.length + 3 + 2 + 5)
    expect(textLength(asSource(receivedMessage()), { length: 'codePoints' })).toBe(18)
    expect(textLength(asSource(receivedMessage()), { length: 'utf16' })).toBe(20)
  })

  test('counts no label, placeholder or description', () => {
    expect(textLength(asSource(rowOf(buttonOf({ label: 'A long label' }))))).toBe(0)
    expect(textLength(asSource({ ...labelOf(smallest[4]()), description: 'A description' }))).toBe(0)
  })
})

describe('finding', () => {
  const message = receivedMessage()

  test.each([
    ['accessory', 12],
    ['select', 17],
  ])('by custom_id %s', (customId, id) => {
    expect(findByCustomId(asSource(message), customId)).toBe(findById(asSource(message), id))
    expect(findByCustomId(asSource(message), customId)).toMatchObject({ custom_id: customId })
  })

  test.each(Array.from({ length: 17 }, (_, index) => index + 1))('by id %i', (id) => {
    expect(findById(asSource(message), id)).toMatchObject({ id })
    expect(findById(parseComponents(message.components), id)).toMatchObject({ id })
  })

  test('gives nothing where there is none', () => {
    expect(findByCustomId(asSource(message), 'nobody')).toBeUndefined()
    expect(findByCustomId(asSource(message), '')).toBeUndefined()
    expect(findById(asSource(message), 99)).toBeUndefined()
  })

  test('gives nothing for id 0, which is no id', () => {
    const legacy = { components: [{ ...rowOf({ ...buttonOf(), id: 0 }), id: 0 }] }
    expect(findById(asSource(legacy), 0)).toBeUndefined()
  })

  test('finds the field of a label', () => {
    expect(findByCustomId(asSource(modalOf(labelOf({ type: 23, custom_id: 'box' }))), 'box')).toMatchObject({
      type: 23,
    })
  })

  test('finds a custom_id that is a name which objects inherit', () => {
    expect(findByCustomId(asSource(rowOf(buttonOf())), 'constructor')).toBeUndefined()
    expect(findByCustomId(asSource(rowOf(buttonOf({ custom_id: '__proto__' }))), '__proto__')).toMatchObject({
      type: 2,
    })
  })
})
