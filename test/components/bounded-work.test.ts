import { describe, expect, test } from 'vitest'
import { resultOf } from './hostile-values'
import { CHECKS, READERS } from './readers'
import { textOf, V2 } from './wire'

/** Nobody should look at more of a list than this, however long it says that it is. */
const BUDGET = 250_000

/** A list that says that it has four billion items, and counts how many are looked at; past the budget it gives up. */
function endless(item: unknown): { list: unknown[]; reads: () => number } {
  let reads = 0
  const list = new Proxy([] as unknown[], {
    get(target, key) {
      if (key === 'length') return 2 ** 32 - 1
      // Its methods are those of any list; what else is asked for are items.
      if (typeof key !== 'string' || key in target) return Reflect.get(target, key)
      reads += 1
      if (reads > BUDGET) throw new Error('enough')
      return item
    },
    has: () => true,
  })
  return { list, reads: () => reads }
}

const HOLDERS: readonly (readonly [name: string, item: unknown, hold: (list: unknown[]) => unknown])[] = [
  ['a list of components', textOf('a'), (list) => list],
  ['a list of holes', undefined, (list) => ({ flags: V2, components: list })],
  ['components of a message', textOf('a'), (list) => ({ flags: V2, components: list })],
  ['rows of a legacy message', { type: 1, components: [] }, (components) => ({ components })],
  ['components of a modal', textOf('a'), (components) => ({ custom_id: 'm', title: 'M', components })],
  ['components of a container', textOf('a'), (components) => ({ flags: V2, components: [{ type: 17, components }] })],
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
  ['items', { media: { url: 'a:b' } }, (items) => ({ flags: V2, components: [{ type: 12, items }] })],
  ['attachments', { filename: 'a' }, (attachments) => ({ flags: V2, components: [textOf('a')], attachments })],
  ['embeds', {}, (embeds) => ({ flags: V2, components: [textOf('a')], embeds })],
]

/** Those in which a list of components is; the others are looked at by the checks alone. */
const OF_COMPONENTS = HOLDERS.filter(([name]) => /component/.test(name) && !/modal/.test(name))

function expectAnEnd(run: (value: unknown) => unknown, [, item, hold]: (typeof HOLDERS)[number]) {
  const { list, reads } = endless(item)
  resultOf(() => run(hold(list)))
  expect(reads()).toBeLessThanOrEqual(BUDGET)
}

describe.each(CHECKS)('%s gives up on what has no end:', (_, check) => {
  test.each(HOLDERS)('%s', (...holder) => expectAnEnd(check, holder))
})

describe.each(READERS)('%s gives up on what has no end:', (_, read) => {
  test.each(OF_COMPONENTS)('%s', (...holder) => expectAnEnd(read, holder))
})
