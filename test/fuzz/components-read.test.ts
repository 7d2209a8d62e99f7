import fc from 'fast-check'
import {
  assignIds,
  countComponents,
  disableAll,
  findByCustomId,
  findById,
  isComponentError,
  parseComponents,
  replaceByCustomId,
  textLength,
  toSendable,
  validateMessage,
  walk,
} from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { runs } from './arbitraries'
import { legacyPart, messagePart, modalPart } from './components'
import { anyTrees, receivedComponents } from './components-received'

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
        const found = findByCustomId(asSource(parts), customId)
        // A literal in a built component gets methods.
        if (Object.getPrototypeOf(component) === Object.prototype) expect(plain(found)).toEqual(plain(component))
        else expect(found).toBe(component)
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

/** Whether a component type is receive-only or undocumented. */
const isUnsendable = (type: number) => [16, 20].includes(type) || type > 23 || type === 15

test('toSendable() makes received components valid to send and lists those that it drops', () => {
  fc.assert(
    fc.property(receivedComponents, (received) => {
      const parsed = parseComponents(plain(received))
      expect(parsed).toEqual(plain(received))
      const { components, dropped } = toSendable(parsed)
      const result = validateMessage({ flags: 32768, components })
      const problems = result.ok ? [] : result.issues.filter(({ severity }) => severity === 'error')
      // The total number is the responsibility of the sender.
      expect(problems.filter(({ path }) => path.length > 1 || path[0] !== 'components')).toEqual([])
      for (const { component, path } of walk(asSource(parsed))) {
        const isDropped = dropped.some((one) => one.path.every((key, index) => path[index] === key))
        if (isUnsendable(component.type)) expect(isDropped).toBe(true)
      }
      for (const { path, type } of dropped) expect(at(parsed, path)).toMatchObject({ type })
      for (const { component } of walk(components)) expect(isUnsendable(component.type)).toBe(false)
    }),
    runs(5),
  )
})

/** Receive-only fields. API, "Unfurled Media Item" and "File". */
const RECEIVED_ONLY = ['proxy_url', 'content_scan_metadata', 'placeholder_version', 'loading_state', 'attachment_id']

test('toSendable() removes receive-only fields of any value, or throws a ComponentError', () => {
  fc.assert(
    fc.property(anyTrees, (trees) => {
      let components: readonly unknown[] = []
      try {
        components = toSendable(parseComponents(plain(trees))).components
      } catch (error) {
        expect(error).toSatisfy(isComponentError)
      }
      for (const { component } of walk(asSource(components))) {
        expect(isUnsendable(component.type)).toBe(false)
        const { media, file, items } = Object(component)
        if (component.type === 11)
          expect(Object.keys(Object(media)).filter((key) => RECEIVED_ONLY.includes(key))).toEqual([])
        const { url } = Object(file)
        if (component.type === 13 && typeof url === 'string') expect(url).toMatch(/^attachment:/)
        if (component.type === 12 && Array.isArray(items)) {
          const keys = items.flatMap((item) => Object.keys(Object(Object(item).media)))
          expect(keys.filter((key) => RECEIVED_ONLY.includes(key))).toEqual([])
        }
      }
    }),
    runs(3),
  )
})

test('functions that read components never change them', () => {
  const readers: ((source: Source) => unknown)[] = [
    (source) => [...walk(source)],
    (source) => assignIds(source),
    (source) => disableAll(source),
    (source) => replaceByCustomId(source, 'a', { type: 14 }),
    (source) => toSendable(source),
    (source) => parseComponents(source),
    (source) => validateMessage({ flags: 32768, components: source }),
  ]
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.oneof(messagePart, modalPart), { maxLength: 5 }).map(plain),
        receivedComponents.map(plain),
        anyTrees.map(plain),
      ),
      (tree) => {
        const before = JSON.stringify(tree)
        for (const read of readers) {
          try {
            read(deepFreeze(asSource(tree)))
          } catch (error) {
            expect(error).toSatisfy(isComponentError)
          }
        }
        expect(JSON.stringify(tree)).toBe(before)
      },
    ),
    runs(3),
  )
})
