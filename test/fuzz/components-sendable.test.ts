import fc from 'fast-check'
import {
  assignIds,
  disableAll,
  isComponentError,
  parseComponents,
  replaceByCustomId,
  toSendable,
  validateMessage,
  walk,
} from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { messagePart } from './components-messages'
import { modalPart } from './components-modals'
import { anyTrees, receivedComponents } from './components-received'
import { runs } from './runs'

type Source = Parameters<typeof walk>[0]
type Path = readonly (string | number)[]
const asSource = (value: unknown) => value as Source
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const at = (root: unknown, path: Path) => path.reduce<unknown>((owner, key) => Reflect.get(Object(owner), key), root)

/** Whether a component type is receive-only or undocumented. */
const isUnsendable = (type: number) => [16, 20].includes(type) || type > 23 || type === 15

/** Freezes a value deeply. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  }
  return value
}

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

/** Receive-only fields. Interface, "Unfurled Media Item" and "File". */
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
