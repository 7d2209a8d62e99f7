import { assertMessage, button, isComponentError, validateMessage } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { errorLines, errorPaths, errorsOf } from './hostile-values'
import {
  buttonOf,
  containerOf,
  legacyOf,
  mediaOf,
  messageOf,
  minimal,
  modalOf,
  type PlainObject,
  rowOf,
  sectionOf,
  selectOf,
  TYPE_NAMES,
  TYPE_VALUES,
  textOf,
  V2,
} from './json-components'

const pathsOf = (value: PlainObject) => errorPaths({ as: 'message', value })

// API, "Messages using the v2 component system", effects 1 to 3.
describe('a message with IS_COMPONENTS_V2', () => {
  const message = (more: PlainObject) => ({ flags: V2, components: [textOf('A text')], ...more })
  const DISABLED: readonly [field: string, value: unknown][] = [
    ['content', 'Hello'],
    ['content', ' '],
    ['content', 0],
    ['content', false],
    ['poll', 0],
    ['embeds', [{ title: 'An embed' }]],
    ['poll', { question: { text: 'Why?' }, answers: [] }],
    ['stickers', ['1']],
  ]

  test.each(DISABLED)('rejects %s of %j', (field, value) => {
    expect(pathsOf(message({ [field]: value }))).toEqual([field])
  })

  test('all fields that IS_COMPONENTS_V2 disables are reported at once', () => {
    const all = { content: 'Hello', embeds: [{}], poll: {}, stickers: ['1'] }
    expect(pathsOf(message(all)).toSorted()).toEqual(['content', 'embeds', 'poll', 'stickers'])
  })

  test.each([
    ['content', ''],
    ['content', null],
    ['content', undefined],
    ['embeds', []],
    ['embeds', null],
    ['embeds', undefined],
    ['poll', null],
    ['poll', undefined],
    ['stickers', null],
    ['stickers', undefined],
  ])('accepts %s of %j, which is empty', (field, value) => {
    expect(pathsOf(message({ [field]: value }))).toEqual([])
  })

  test('accepts other message fields', () => {
    const more = {
      tts: false,
      nonce: 'a',
      allowed_mentions: { parse: [] },
      attachments: [{ id: 0, filename: 'a.txt' }],
    }
    const value = message({ ...more, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] })
    expect(pathsOf(value)).toEqual([])
  })

  test.each([V2, V2 | 4, V2 | 64 | 4096, 2 ** 31 - 1])('IS_COMPONENTS_V2 is recognized in flags of %i', (flags) => {
    expect(pathsOf({ flags, components: [textOf('A text')] })).toEqual([])
    expect(pathsOf({ flags, content: 'Hello', components: [textOf('A text')] })).toEqual(['content'])
  })
})

describe('a message without IS_COMPONENTS_V2', () => {
  test.each([undefined, 0, 4, 64, V2 - 1, V2 * 2])(
    'a message with flags of %s accepts only rows at the top level',
    (flags) => {
      const more = flags === undefined ? {} : { flags }
      expect(pathsOf({ ...more, components: [rowOf(buttonOf())] })).toEqual([])
      const found = errorsOf({ as: 'message', value: { ...more, components: [rowOf(buttonOf()), textOf('A text')] } })
      expect(found.map(({ path }) => path.slice(0, 2))).toEqual([['components', 1]])
    },
  )

  test.each([9, 10, 11, 12, 13, 14, 17] as const)('rejects type %i, and the message names the flag', (type) => {
    const found = errorsOf({ as: 'message', value: { content: 'Hello', components: [minimal[type]()] } })
    expect(found.every(({ path }) => path[0] === 'components' && path[1] === 0)).toBe(true)
    if (type !== 11) expect(found.map(({ message }) => message).join('\n')).toMatch(/IS_COMPONENTS_V2/)
  })

  test('accepts content, embeds, a poll and stickers', () => {
    const all = { content: 'Hello', embeds: [{ title: 'An embed' }], poll: {}, stickers: ['1'] }
    expect(pathsOf({ ...all, components: [rowOf(buttonOf())] })).toEqual([])
  })
})

test.each(['32768', true, {}, 1.5, null])('flags reject %j, which is not an integer', (flags) => {
  const found = errorsOf({ as: 'message', value: { flags, components: [rowOf(buttonOf())] } })
  if (flags === null) expect(found.every(({ path }) => path.join() === 'flags')).toBe(true)
  else expect(found.map(({ path }) => path)).toEqual([['flags']])
})

test('a missing IS_COMPONENTS_V2 is reported once for a container, not for each of its children', () => {
  const value = { components: [{ type: 17, components: [textOf('a'), textOf('b'), { type: 14 }] }] }
  expect(errorsOf({ as: 'message', value })).toHaveLength(1)
  expect(errorLines({ as: 'message', value: { ...value, flags: V2 } })).toEqual([])
})

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
const line = () => ({ type: 14 })
const message = (...components: PlainObject[]) => ({ as: 'message', value: messageOf(...components) }) as const

// API, "Messages using the v2 component system", effect 4: at most 40 components in total.
describe('the limit of 40 components', () => {
  // Each function creates a tree of 40 components.
  const trees: readonly [name: string, of40: () => PlainObject[]][] = [
    ['all at the top level', () => times(40, line)],
    ['rows of buttons', () => [...times(6, () => rowOf(...times(5, () => buttonOf()))), ...times(4, line)]],
    ['rows of one select', () => times(20, () => rowOf(selectOf()))],
    ['sections with accessories', () => times(13, () => sectionOf(textOf('a'))).concat(line())],
    [
      'sections with thumbnails',
      () => {
        const section = () => ({ ...sectionOf(textOf('a'), textOf('b'), textOf('c')), accessory: minimal[11]() })
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

  test.each(trees)('a message accepts 40 components and rejects 41: %s', (_, of40) => {
    expect(errorLines(message(...of40()))).toEqual([])
    const found = errorLines(message(...of40(), line()))
    expect(found).toEqual([expect.stringMatching(/: too_many, limit 40, actual 41$/)])
  })

  test('too many components are reported at the top-level array', () => {
    expect(errorsOf(message(...times(41, line))).map(({ path }) => path)).toEqual([['components']])
  })

  test('options, items and media do not count as components', () => {
    const gallery = () => ({ type: 12, items: times(10, () => ({ media: mediaOf() })) })
    expect(errorLines(message(...times(40, gallery)))).toEqual([])
  })

  test('does not apply to legacy messages and modals', () => {
    const rows = times(40, () => rowOf(buttonOf()))
    expect(errorLines({ as: 'message', value: legacyOf(...rows) })).toEqual([])
    expect(errorLines({ as: 'modal', value: modalOf(...times(41, () => textOf('a'))) })).toEqual([])
  })
})

// The same section, effect 5: at most 4000 characters of text.
describe('the limit of 4000 characters', () => {
  const full = 'x'.repeat(1000)
  const trees: readonly [name: string, of: (last: string) => PlainObject[]][] = [
    ['one text', (last) => [textOf('x'.repeat(3000)), textOf(last)]],
    ['many texts', (last) => [...times(3, () => textOf(full)), textOf(last)]],
    ['texts of sections', (last) => [sectionOf(textOf(full), textOf(full), textOf(full)), sectionOf(textOf(last))]],
    ['texts in containers', (last) => [containerOf(...times(3, () => textOf(full)), sectionOf(textOf(last)))]],
  ]

  test.each(trees)('a message accepts 4000 characters of text and rejects 4001: %s', (_, of) => {
    expect(errorLines(message(...of(full)))).toEqual([])
    expect(errorLines(message(...of(`${full}x`)))).toEqual([
      expect.stringMatching(/: too_long, limit 4000, actual 4001$/),
    ])
  })

  test('labels and descriptions do not count as text, by convention', () => {
    const button = () => buttonOf({ label: 'x'.repeat(80) })
    const thumbnail = { ...minimal[11](), description: 'x'.repeat(1024) }
    const rows = times(5, () => rowOf(...times(5, button)))
    const value = message(...rows, textOf('x'.repeat(3999)), { ...sectionOf(textOf('x')), accessory: thumbnail })
    expect(errorLines(value)).toEqual([])
  })

  test('does not apply to modals', () => {
    expect(errorLines({ as: 'modal', value: modalOf(...times(3, () => textOf('x'.repeat(4000)))) })).toEqual([])
  })
})

test('too many components and too much text are reported together', () => {
  const found = errorLines(message(...times(41, () => textOf('x'.repeat(100)))))
  expect(found).toHaveLength(2)
  expect(found.join()).toMatch(/too_many, limit 40, actual 41/)
  expect(found.join()).toMatch(/too_long, limit 4000, actual 4100/)
})

test('a message may have no components, because the API document gives no minimum', () => {
  expect(errorLines({ as: 'message', value: { content: 'Hello' } })).toEqual([])
  expect(errorLines({ as: 'message', value: { content: 'Hello', components: [] } })).toEqual([])
})

test.each([null, 'components', 5, {}])(
  'the components of a message and of a modal reject %j, which is not an array',
  (components) => {
    expect(errorLines({ as: 'message', value: { flags: 32768, components } })).toEqual(['components: invalid_type'])
    expect(errorLines({ as: 'modal', value: { custom_id: 'a', title: 'A', components } })).toEqual([
      'components: invalid_type',
    ])
  },
)

test.each([null, undefined, 5, 'message', true, [], () => 1])(
  '%j is rejected as a message, modal and component with one issue',
  (value) => {
    for (const as of ['message', 'modal', 'component'] as const) {
      const [first, ...rest] = errorsOf({ as, value })
      expect(rest).toEqual([])
      expect(first).toMatchObject({ path: [], severity: 'error' })
    }
  },
)

describe.each(TYPE_VALUES)('a component of type %i', (type) => {
  test.each(['message', 'modal'] as const)('is reported as one issue if it is validated as a %s', (as) => {
    expect(errorsOf({ as, value: minimal[type]() })).toEqual([
      {
        path: [],
        code: 'invalid_type',
        message: `expected ${as}, got ${TYPE_NAMES[type]}`,
        severity: 'error',
      },
    ])
  })
})

test('a component of a factory is rejected as a message, also by assertMessage', () => {
  expect(validateMessage(button.primary('a').withId(1)).ok).toBe(false)
  try {
    assertMessage(button.primary('a'))
    expect.unreachable()
  } catch (error) {
    expect(isComponentError(error) && error.message).toBe(
      '1 problem in the message:\n  (value): expected message, got button',
    )
  }
})

// The API document does not show the type of a message, nor all its fields.
test.each([
  ['no fields', {}],
  ['a type that no component has', { type: 0, components: [rowOf()] }],
  ['a type and content', { type: 2, content: 'Hello' }],
  ['a type and a snowflake as id', { type: 10, id: '123', content: 'Hello' }],
  ['a type and an unknown field', { type: 19, tts: false }],
  ['a type and flags', { type: 17, flags: 0, components: [rowOf()] }],
])('a message is valid with %s', (_, value) => {
  expect(errorsOf({ as: 'message', value })).toEqual([])
})
