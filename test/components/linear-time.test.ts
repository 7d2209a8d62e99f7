import { describe, test } from 'vitest'
import { expectLinearTime } from '../cpu-time'
import { nested, resultOf } from './hostile-values'
import { CHECKS, READERS } from './readers'
import { buttonOf, containerOf, labelOf, rowOf, textOf, type Wire } from './wire'

const SMALL = 300
const LARGE = 9000

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const top = (components: unknown): Wire => ({ flags: 32768, custom_id: 'm', title: 'M', components })

/** Values of about `size` parts, each made to keep something busy. */
const HOSTILE: Readonly<Record<string, (size: number) => Wire>> = {
  texts: (size) => top(times(size, () => textOf('a'))),
  'buttons of one custom_id': (size) => top([rowOf(...times(size, () => buttonOf({ custom_id: 'a' })))]),
  'buttons of their own': (size) =>
    top([rowOf(...times(size, (index) => buttonOf({ custom_id: `${index}`, id: index })))]),
  'separators of one id': (size) => top(times(size, () => ({ type: 14, id: 1 }))),
  'separators of ids in reverse': (size) => top(times(size, (index) => ({ type: 14, id: size - index }))),
  'options of one value': (size) =>
    top([rowOf({ type: 3, custom_id: 'a', options: times(size, () => ({ label: 'a', value: 'a' })) })]),
  'attachments that nothing shows': (size) => ({
    ...top([textOf('a')]),
    attachments: times(size, (index) => ({ filename: `${index}` })),
  }),
  'files and attachments': (size) => ({
    ...top(times(size, (index) => ({ type: 13, file: { url: `attachment://${index}` } }))),
    attachments: times(size, (index) => ({ filename: `${index}` })),
  }),
  'containers in containers': (size) => top([nested(size, (inner) => containerOf(inner))]),
  'labels in labels': (size) => top([nested(size, (inner) => labelOf(inner))]),
  'values of the wrong kind': (size) => top(times(size, () => 5)),
  'types that nobody knows': (size) => top(times(size, (index) => ({ type: 100 + index }))),
  'unknown keys': (size) =>
    top([Object.fromEntries([['type', 14], ...times(size, (index) => [`key${index}`, index])])]),
  'a long text': (size) => top([textOf('x'.repeat(size * 100))]),
  'a long text of surrogates': (size) => top([textOf('\ud83d'.repeat(size * 100))]),
  'a long name of an attachment': (size) =>
    top([{ type: 13, file: { url: `attachment://${'/'.repeat(size * 100)}` } }]),
  'long ids': (size) => top([rowOf(...times(size, () => buttonOf({ custom_id: 'x'.repeat(1000) })))]),
}

const functions = [
  ...CHECKS,
  ...READERS.map(([name, read]) => [name, name === 'parseComponents' ? listed(read) : read] as const),
]

/** What is parsed is the list itself. */
function listed(read: (value: unknown) => unknown) {
  return (value: unknown) => read(Reflect.get(Object(value), 'components'))
}

describe.each(functions)('%s takes linear time', (_, run) => {
  test.each(Object.entries(HOSTILE))('%s', { timeout: 60_000 }, (__, make) =>
    expectLinearTime({ make, run: (value) => resultOf(() => run(value)), small: SMALL, large: LARGE }),
  )
})
