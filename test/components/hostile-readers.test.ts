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
import { cyclic, nested, ODD_VALUES, resultOf, throwing } from './hostile-values'
import { READERS } from './readers'
import { buttonOf, containerOf, labelOf, messageOf, rowOf, sectionOf, textOf } from './wire'

describe.each(READERS)('%s', (_, read) => {
  test.each(ODD_VALUES)('gives something or a ComponentError for %s', (__, make) => {
    expect(() => resultOf(() => read(make()))).not.toThrow()
  })

  test.each(ODD_VALUES)('does so for %s in a list and in a row', (__, make) => {
    expect(() => resultOf(() => read([make(), textOf('a')]))).not.toThrow()
    expect(() => resultOf(() => read(messageOf(rowOf(make()), sectionOf(make()), labelOf(make()))))).not.toThrow()
    expect(() => resultOf(() => read({ type: 9, components: make(), accessory: make() }))).not.toThrow()
  })

  test.each<readonly [string, (inner: unknown) => unknown]>([
    ['containers', (inner) => containerOf(inner)],
    ['accessories', (accessory) => ({ type: 9, components: [], accessory })],
    ['labels', (inner) => labelOf(inner)],
  ])('survives 10,000 %s in each other', (__, level) => {
    expect(() => resultOf(() => read([nested(10_000, level)]))).not.toThrow()
  })

  test('survives a hundred thousand components', () => {
    const components = Array.from({ length: 100_000 }, () => textOf('a'))
    expect(() => read(components)).not.toThrow()
  })

  test('ends where a component is in itself', () => {
    expect(() => resultOf(() => read([cyclic()]))).not.toThrow()
    const row = rowOf(buttonOf())
    row.components = [row, row]
    expect(() => resultOf(() => read([row]))).not.toThrow()
  })

  test('survives lists with holes', () => {
    const holes: unknown[] = Array(5)
    holes[4] = textOf('a')
    expect(() => resultOf(() => read(holes))).not.toThrow()
    expect(() => resultOf(() => read([containerOf(...holes)]))).not.toThrow()
  })

  test('pollutes nothing', () => {
    const evil = '"__proto__":{"polluted":true,"type":10,"content":"evil"}'
    const button = `{"type":2,"style":1,"custom_id":"a",${evil}}`
    const value: unknown = JSON.parse(`[{"type":1,${evil},"components":[${button}]}]`)
    const result = resultOf(() => read(value))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    for (const part of parts(result)) expect(Reflect.get(part, 'polluted')).toBeUndefined()
  })
})

/** Every object in a value, whatever it is. */
function parts(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const key of Object.keys(value)) if (key !== '__proto__') parts(Reflect.get(value, key), found)
  return found
}

describe('the same component in two places', () => {
  const shared = buttonOf({ custom_id: 'shared' })
  const message = messageOf(rowOf(shared, shared))
  const source = message as unknown as Parameters<typeof walk>[0]

  test('is seen twice: it is no cycle', () => {
    expect(countComponents(source)).toBe(3)
    expect([...walk(source)].map(({ path }) => path.length)).toEqual([2, 4, 4])
  })

  test('gets an id in each place, and is disabled in each', () => {
    expect([...walk(assignIds(source))].map(({ component }) => component.id)).toEqual([1, 2, 3])
    expect(JSON.stringify(disableAll(source)).match(/"disabled":true/g)).toHaveLength(2)
    expect(toSendable(source).components).toHaveLength(1)
  })
})

describe('factories', () => {
  test.each(ODD_VALUES)('take %s without an end or an overflow', (_, make) => {
    expect(() => row(make() as never)).not.toThrow()
    expect(() => container([make()] as never)).not.toThrow()
    expect(() => messageV2(make() as never)).not.toThrow()
  })

  test('take 10,000 levels and things that cannot be read', () => {
    expect(() => container(nested(10_000, (inner) => containerOf(inner)) as never)).not.toThrow()
    expect(() => container(throwing() as never)).not.toThrow()
    expect(() => container(cyclic() as never)).not.toThrow()
  })
})

test('what replaces may be hostile as well, and is put in unseen', () => {
  const source = rowOf(buttonOf({ custom_id: 'a' })) as unknown as Parameters<typeof walk>[0]
  expect(() => resultOf(() => replaceByCustomId(source, 'a', throwing() as never))).not.toThrow()
  expect(() => resultOf(() => replaceByCustomId(source, 'a', cyclic() as never))).not.toThrow()
})
