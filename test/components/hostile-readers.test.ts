import {
  assignIds,
  container,
  countComponents,
  disableAll,
  messageV2,
  replaceByCustomId,
  row,
  toSendable,
  walk,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { cyclic, nested, READABLE_VALUES, READERS, resultOf, throwing } from './hostile-values'
import { buttonOf, containerOf, labelOf, messageOf, rowOf, sectionOf, textOf } from './json-components'

describe.each(READERS)('%s', (name, read) => {
  test.each(READABLE_VALUES)('throws nothing but a ComponentError for %s', (_, make) => {
    expect(() => resultOf(() => read(make()))).not.toThrow()
  })

  test.each(READABLE_VALUES)('throws nothing but a ComponentError for %s in an array or a component', (_, make) => {
    expect(() => resultOf(() => read([make(), textOf('a')]))).not.toThrow()
    expect(() => resultOf(() => read(messageOf(rowOf(make()), sectionOf(make()), labelOf(make()))))).not.toThrow()
    expect(() => resultOf(() => read({ type: 9, components: make(), accessory: make() }))).not.toThrow()
  })

  test.each<readonly [string, (inner: unknown) => unknown]>([
    ['containers', (inner) => containerOf(inner)],
    ['accessories', (accessory) => ({ type: 9, components: [], accessory })],
    ['labels', (inner) => labelOf(inner)],
  ])('handles 10,000 nested %s', (_, level) => {
    expect(() => resultOf(() => read([nested(10_000, level)]))).not.toThrow()
  })

  test(`${name} handles 100,000 components`, () => {
    const components = Array.from({ length: 100_000 }, () => textOf('a'))
    expect(() => read(components)).not.toThrow()
  })

  test(`${name} terminates if a component contains itself`, () => {
    expect(() => resultOf(() => read([cyclic()]))).not.toThrow()
    const row = rowOf(buttonOf())
    row.components = [row, row]
    expect(() => resultOf(() => read([row]))).not.toThrow()
  })

  test(`${name} handles sparse arrays`, () => {
    const holes: unknown[] = Array(5)
    holes[4] = textOf('a')
    expect(() => resultOf(() => read(holes))).not.toThrow()
    expect(() => resultOf(() => read([containerOf(...holes)]))).not.toThrow()
  })

  test(`${name} pollutes no prototype`, () => {
    const evil = '"__proto__":{"polluted":true,"type":10,"content":"evil"}'
    const button = `{"type":2,"style":1,"custom_id":"a",${evil}}`
    const value: unknown = JSON.parse(`[{"type":1,${evil},"components":[${button}]}]`)
    const result = resultOf(() => read(value))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    for (const part of parts(result)) expect(Reflect.get(part, 'polluted')).toBeUndefined()
  })
})

/** Returns all objects in a value. */
function parts(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const key of Object.keys(value)) if (key !== '__proto__') parts(Reflect.get(value, key), found)
  return found
}

const shared = buttonOf({ custom_id: 'shared' })
const message = messageOf(rowOf(shared, shared))
const source = message as unknown as Parameters<typeof walk>[0]

test('a component that is used twice is visited twice', () => {
  expect(countComponents(source)).toBe(3)
  expect([...walk(source)].map(({ path }) => path.length)).toEqual([2, 4, 4])
})

test('a component that is used twice gets an id and is disabled in both places', () => {
  expect([...walk(assignIds(source))].map(({ component }) => component.id)).toEqual([1, 2, 3])
  expect(JSON.stringify(disableAll(source)).match(/"disabled":true/g)).toHaveLength(2)
  expect(toSendable(source).components).toHaveLength(1)
})

test.each(READABLE_VALUES)('factories do not throw for %s', (_, make) => {
  expect(() => row(make() as never)).not.toThrow()
  expect(() => container([make()] as never)).not.toThrow()
  expect(() => messageV2(make() as never)).not.toThrow()
})

test('factories do not throw for 10,000 levels and cycles', () => {
  expect(() => container(nested(10_000, (inner) => containerOf(inner)) as never)).not.toThrow()
  expect(() => container(cyclic() as never)).not.toThrow()
})

test('readers pass on what a getter of the source throws', () => {
  expect(() => countComponents([throwing()] as never)).toThrow('do not read me')
})

test('replaceByCustomId throws nothing but a ComponentError for a hostile replacement', () => {
  const source = rowOf(buttonOf({ custom_id: 'a' })) as unknown as Parameters<typeof walk>[0]
  expect(() => resultOf(() => replaceByCustomId(source, 'a', throwing() as never))).not.toThrow()
  expect(() => resultOf(() => replaceByCustomId(source, 'a', cyclic() as never))).not.toThrow()
})
