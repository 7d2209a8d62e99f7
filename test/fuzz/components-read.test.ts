import fc from 'fast-check'
import {
  assignIds,
  countComponents,
  disableAll,
  findByCustomId,
  findById,
  replaceByCustomId,
  textLength,
  validateMessage,
  walk,
} from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { legacyPart, messagePart } from './components-messages'
import { modalPart } from './components-modals'
import { runs } from './runs'

type Source = Parameters<typeof walk>[0]
type Path = readonly (string | number)[]
const asSource = (value: unknown) => value as Source
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const at = (root: unknown, path: Path) => path.reduce<unknown>((owner, key) => Reflect.get(Object(owner), key), root)

/** Freezes a value deeply. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  }
  return value
}

/** Valid components of messages and modals. */
const built = fc.array(fc.oneof(messagePart, modalPart, legacyPart), { maxLength: 8 })

/** Returns the paths of all components, independently of the tested code. */
function paths(part: unknown, path: Path = []): Path[] {
  if (Array.isArray(part)) return part.flatMap((item, index) => paths(item, [...path, index]))
  const { components, accessory, component } = Object(part)
  return [
    path,
    ...(components === undefined ? [] : paths(components, [...path, 'components'])),
    ...(accessory === undefined ? [] : paths(accessory, [...path, 'accessory'])),
    ...(component === undefined ? [] : paths(component, [...path, 'component'])),
  ]
}

test('walk() visits every component once, with its path', () => {
  fc.assert(
    fc.property(built, (parts) => {
      const expected = paths(parts)
      const visits = [...walk(asSource(parts))]
      expect(visits.map(({ path }) => path)).toEqual(expected)
      for (const { component, path } of visits) expect(component).toBe(at(parts, path))
      expect(countComponents(asSource(parts))).toBe(expected.length)
      const texts = visits.map(({ component }) => (component.type === 10 ? [...String(component.content)].length : 0))
      expect(textLength(asSource(parts))).toBe(texts.reduce((sum, length) => sum + length, 0))
    }),
    runs(3),
  )
})

test('a component with a custom_id is found by it and replaced in its place', () => {
  const another = { type: 2, style: 6, sku_id: '1' } as const
  fc.assert(
    fc.property(built, (parts) => {
      for (const { component, path } of walk(asSource(parts))) {
        const customId: unknown = Reflect.get(component, 'custom_id')
        if (typeof customId !== 'string') continue
        expect(findByCustomId(asSource(parts), customId)).toBe(component)
        const replaced = replaceByCustomId(asSource(parts), customId, another)
        expect(plain(at(replaced, path))).toEqual(another)
        expect(findByCustomId(replaced, customId)).toBeUndefined()
        expect(countComponents(replaced)).toBe(countComponents(asSource(parts)))
      }
    }),
    runs(),
  )
})

test('assignIds() keeps existing ids and assigns new ones to other components', () => {
  const ids = fc.array(fc.oneof(fc.nat(12), fc.constantFrom(0, undefined, 2 ** 31 - 1)), {
    minLength: 60,
    maxLength: 60,
  })
  fc.assert(
    fc.property(built, ids, (parts, ids) => {
      const tree = structuredClone(plain(parts)) as unknown
      const taken = new Set<number>()
      for (const [index, { component }] of [...walk(asSource(tree))].entries()) {
        const id = ids[index % ids.length]
        if (id === undefined || (id !== 0 && taken.has(id))) continue
        Object.assign(component, { id })
        if (id !== 0) taken.add(id)
      }
      const before = [...walk(asSource(tree))].map(({ component }) => component.id)
      const after = [...walk(assignIds(deepFreeze(asSource(tree))))].map(({ component }) => component.id)
      expect(new Set(after).size).toBe(before.length)
      for (const [index, id] of after.entries()) {
        if (before[index]) expect(id).toBe(before[index])
        else expect(Number.isInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31 && !taken.has(Number(id))).toBe(true)
        expect(findById(assignIds(asSource(tree)), Number(id))).toBeDefined()
      }
    }),
    runs(),
  )
})

test('disableAll() keeps a valid message valid', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(messagePart, legacyPart), { maxLength: 3 }), (parts) => {
      const disabled = disableAll(asSource({ flags: 32768, components: parts }))
      expect(validateMessage(disabled).ok).toBe(validateMessage({ flags: 32768, components: parts }).ok)
      for (const { component } of walk(disabled)) {
        if ([2, 3, 5, 6, 7, 8].includes(component.type)) expect(component).toMatchObject({ disabled: true })
      }
    }),
    runs(2),
  )
})
