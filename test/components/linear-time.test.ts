import { container, separator } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { cpuNow, expectLinearTime } from '../cpu-time'
import { nested, READERS, resultOf, VALIDATORS } from './hostile-values'
import { buttonOf, containerOf, labelOf, type PlainObject, rowOf, textOf, V2 } from './json-components'

const SMALL = 200
const LARGE = 6000

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const top = (components: unknown): PlainObject => ({ flags: 32768, custom_id: 'm', title: 'M', components })

/** Creates hostile values with about `size` parts. */
const HOSTILE: Readonly<Record<string, (size: number) => PlainObject>> = {
  'text displays': (size) => top(times(size, () => textOf('a'))),
  'buttons with the same custom_id': (size) => top([rowOf(...times(size, () => buttonOf({ custom_id: 'a' })))]),
  'buttons with unique ids': (size) =>
    top([rowOf(...times(size, (index) => buttonOf({ custom_id: `${index}`, id: index })))]),
  'separators with the same id': (size) => top(times(size, () => ({ type: 14, id: 1 }))),
  'separators with descending ids': (size) => top(times(size, (index) => ({ type: 14, id: size - index }))),
  'options with the same value': (size) =>
    top([rowOf({ type: 3, custom_id: 'a', options: times(size, () => ({ label: 'a', value: 'a' })) })]),
  'attachments that no component shows': (size) => ({
    ...top([textOf('a')]),
    attachments: times(size, (index) => ({ filename: `${index}` })),
  }),
  'files and attachments': (size) => ({
    ...top(times(size, (index) => ({ type: 13, file: { url: `attachment://${index}` } }))),
    attachments: times(size, (index) => ({ filename: `${index}` })),
  }),
  'nested containers': (size) => top([nested(size, (inner) => containerOf(inner))]),
  'nested labels': (size) => top([nested(size, (inner) => labelOf(inner))]),
  'numbers in place of components': (size) => top(times(size, () => 5)),
  'unknown types': (size) => top(times(size, (index) => ({ type: 100 + index }))),
  'unknown keys': (size) =>
    top([Object.fromEntries([['type', 14], ...times(size, (index) => [`key${index}`, index])])]),
  'a long text': (size) => top([textOf('x'.repeat(size * 100))]),
  'a long text of lone surrogates': (size) => top([textOf('\ud83d'.repeat(size * 100))]),
  'a long attachment name': (size) => top([{ type: 13, file: { url: `attachment://${'/'.repeat(size * 100)}` } }]),
  'long custom_ids': (size) => top([rowOf(...times(size, () => buttonOf({ custom_id: 'x'.repeat(1000) })))]),
}

const functions = [
  ...VALIDATORS,
  ...READERS.map(([name, read]) => [name, name === 'parseComponents' ? withComponents(read) : read] as const),
]

/** Passes the array of components instead of the message. */
function withComponents(read: (value: unknown) => unknown) {
  return (value: unknown) => read(Reflect.get(Object(value), 'components'))
}

describe.each(functions)('%s', (_, run) => {
  test.each(Object.entries(HOSTILE))('takes linear time for %s', (__, make) =>
    expectLinearTime({ make, run: (value) => resultOf(() => run(value)), small: SMALL, large: LARGE }),
  )
})

/** Adds components to a container one by one. */
function appendOneByOne(count: number): void {
  let appended = container(separator())
  for (let index = 1; index < count; index += 1) appended = appended.addComponents(separator())
  expect(appended.components).toHaveLength(count)
}

test('addComponents visits only the added components, not the existing ones', async () => {
  appendOneByOne(500)
  const startedAt = cpuNow()
  appendOneByOne(8000)
  // Copying the existing components each time would take 10 s or more.
  expect(cpuNow() - startedAt).toBeLessThan(2500)
})

/** Maximum number of items that a function may read of an array, whatever its length. */
const MAX_READS = 250_000

/** Creates an array with a length of four billion. It counts the items that are read, and throws after the maximum. */
function endlessArray(item: unknown): { array: unknown[]; reads: () => number } {
  let reads = 0
  const array = new Proxy([] as unknown[], {
    get(target, key) {
      if (key === 'length') return 2 ** 32 - 1
      // Methods of arrays; all other keys are items.
      if (typeof key !== 'string' || key in target) return Reflect.get(target, key)
      reads += 1
      if (reads > MAX_READS) throw new Error('too many reads')
      return item
    },
    has: () => true,
  })
  return { array, reads: () => reads }
}

const ARRAYS: readonly (readonly [name: string, item: unknown, wrap: (array: unknown[]) => unknown])[] = [
  ['unwrapped components', textOf('a'), (array) => array],
  ['holes', undefined, (array) => ({ flags: V2, components: array })],
  ['message components', textOf('a'), (array) => ({ flags: V2, components: array })],
  ['rows of a legacy message', { type: 1, components: [] }, (components) => ({ components })],
  ['modal components', textOf('a'), (components) => ({ custom_id: 'm', title: 'M', components })],
  ['container components', textOf('a'), (components) => ({ flags: V2, components: [{ type: 17, components }] })],
  [
    'options',
    { label: 'a', value: 'a' },
    (options) => ({ components: [{ type: 1, components: [{ type: 3, custom_id: 'a', options }] }] }),
  ],
  [
    'default values',
    { id: '1', type: 'user' },
    (default_values) => ({ components: [{ type: 1, components: [{ type: 5, custom_id: 'a', default_values }] }] }),
  ],
  [
    'channel types',
    1,
    (channel_types) => ({ components: [{ type: 1, components: [{ type: 8, custom_id: 'a', channel_types }] }] }),
  ],
  ['gallery items', { media: { url: 'a:b' } }, (items) => ({ flags: V2, components: [{ type: 12, items }] })],
  ['attachments', { filename: 'a' }, (attachments) => ({ flags: V2, components: [textOf('a')], attachments })],
  ['embeds', {}, (embeds) => ({ flags: V2, components: [textOf('a')], embeds })],
]

/** Arrays of components. Only validators read the others. */
const COMPONENT_ARRAYS = ARRAYS.filter(([name]) => /component/.test(name) && !/modal/.test(name))

function expectBoundedReads(run: (value: unknown) => unknown, [, item, wrap]: (typeof ARRAYS)[number]) {
  const { array, reads } = endlessArray(item)
  resultOf(() => run(wrap(array)))
  expect(reads()).toBeLessThanOrEqual(MAX_READS)
}

describe.each(VALIDATORS)('%s', (_, validate) => {
  test.each(ARRAYS)('stops reading an endless array of %s', (...row) => expectBoundedReads(validate, row))
})

describe.each(READERS)('%s', (_, read) => {
  test.each(COMPONENT_ARRAYS)('stops reading an endless array of %s', (...row) => expectBoundedReads(read, row))
})
