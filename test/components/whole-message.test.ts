import { describe, expect, test } from 'vitest'
import { errorsOf, problems } from './problems'
import {
  buttonOf,
  containerOf,
  legacyOf,
  mediaOf,
  messageOf,
  modalOf,
  rowOf,
  sectionOf,
  selectOf,
  smallest,
  textOf,
  type Wire,
} from './wire'

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
const line = () => ({ type: 14 })
const message = (...components: Wire[]) => ({ as: 'message', value: messageOf(...components) }) as const

// Interface, "Messages using the v2 component system", effect 4: at most 40 components in total.
describe('a message holds 40 components and no more:', () => {
  // Each makes a tree of as many components as its name says.
  const trees: readonly [name: string, of40: () => Wire[]][] = [
    ['all on top', () => times(40, line)],
    ['rows of buttons', () => [...times(6, () => rowOf(...times(5, () => buttonOf()))), ...times(4, line)]],
    ['rows of one select', () => times(20, () => rowOf(selectOf()))],
    ['sections with accessories', () => times(13, () => sectionOf(textOf('a'))).concat(line())],
    [
      'sections with thumbnails',
      () => {
        const section = () => ({ ...sectionOf(textOf('a'), textOf('b'), textOf('c')), accessory: smallest[11]() })
        return times(8, section)
      },
    ],
    ['containers', () => [...times(3, () => containerOf(...times(10, line))), ...times(7, line)]],
    [
      'rows in containers',
      () => [...times(5, () => containerOf(rowOf(...times(5, () => buttonOf())))), ...times(5, line)],
    ],
    ['sections in containers', () => times(10, () => containerOf(sectionOf(textOf('a'))))],
  ]

  test.each(trees)('%s', (_, of40) => {
    expect(problems(message(...of40()))).toEqual([])
    const found = problems(message(...of40(), line()))
    expect(found).toEqual([expect.stringMatching(/: too_many, limit 40, actual 41$/)])
  })

  test('the problem is that of the list on top', () => {
    expect(errorsOf(message(...times(41, line))).map(({ path }) => path)).toEqual([['components']])
  })

  test('options, items and media are no components', () => {
    const gallery = () => ({ type: 12, items: times(10, () => ({ media: mediaOf() })) })
    expect(problems(message(...times(40, gallery)))).toEqual([])
  })

  test('without the flag, and in a modal, there is no such limit', () => {
    const rows = times(40, () => rowOf(buttonOf()))
    expect(problems({ as: 'message', value: legacyOf(...rows) })).toEqual([])
    expect(problems({ as: 'modal', value: modalOf(...times(41, () => textOf('a'))) })).toEqual([])
  })
})

// The same, effect 5: at most 4000 characters of text.
describe('a message holds 4000 characters of text and no more:', () => {
  const full = 'x'.repeat(1000)
  const trees: readonly [name: string, of: (last: string) => Wire[]][] = [
    ['one text', (last) => [textOf('x'.repeat(3000)), textOf(last)]],
    ['many texts', (last) => [...times(3, () => textOf(full)), textOf(last)]],
    ['texts of sections', (last) => [sectionOf(textOf(full), textOf(full), textOf(full)), sectionOf(textOf(last))]],
    ['texts in containers', (last) => [containerOf(...times(3, () => textOf(full)), sectionOf(textOf(last)))]],
  ]

  test.each(trees)('%s', (_, of) => {
    expect(problems(message(...of(full)))).toEqual([])
    expect(problems(message(...of(`${full}x`)))).toEqual([
      expect.stringMatching(/: too_long, limit 4000, actual 4001$/),
    ])
  })

  test('labels, placeholders and descriptions are not counted: a convention', () => {
    const button = () => buttonOf({ label: 'x'.repeat(80) })
    const thumbnail = { ...smallest[11](), description: 'x'.repeat(1024) }
    const rows = times(5, () => rowOf(...times(5, button)))
    const value = message(...rows, textOf('x'.repeat(3999)), { ...sectionOf(textOf('x')), accessory: thumbnail })
    expect(problems(value)).toEqual([])
  })

  test('in a modal there is no such limit', () => {
    expect(problems({ as: 'modal', value: modalOf(...times(3, () => textOf('x'.repeat(4000)))) })).toEqual([])
  })
})

test('a message that has too much of everything is told so at once', () => {
  const found = problems(message(...times(41, () => textOf('x'.repeat(100)))))
  expect(found).toHaveLength(2)
  expect(found.join()).toMatch(/too_many, limit 40, actual 41/)
  expect(found.join()).toMatch(/too_long, limit 4000, actual 4100/)
})

test('a message without components is no list short: the document gives no minimum', () => {
  expect(problems({ as: 'message', value: { content: 'Hello' } })).toEqual([])
  expect(problems({ as: 'message', value: { content: 'Hello', components: [] } })).toEqual([])
})

test.each([null, 'components', 5, {}])('the components of a message are a list, not %j', (components) => {
  expect(problems({ as: 'message', value: { flags: 32768, components } })).toEqual(['components: invalid_type'])
  expect(problems({ as: 'modal', value: { custom_id: 'a', title: 'A', components } })).toEqual([
    'components: invalid_type',
  ])
})

test.each([null, undefined, 5, 'message', true, [], () => 1])('nothing but an object is a message: %j', (value) => {
  for (const as of ['message', 'modal', 'component'] as const) {
    const [first, ...rest] = errorsOf({ as, value })
    expect(rest).toEqual([])
    expect(first).toMatchObject({ path: [], severity: 'error' })
  }
})
