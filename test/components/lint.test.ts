import { validateMessage, validateModal } from 'rapport-sdk/components'
import { lintMessage, lintModal } from 'rapport-sdk/components/lint'
import { describe, expect, test } from 'vitest'
import { cpuNow } from '../cpu-time'
import { ODD_VALUES } from './hostile-values'
import {
  buttonOf,
  inputOf,
  labelOf,
  legacyOf,
  messageOf,
  minimal,
  modalOf,
  optionsOf,
  PLACES,
  type PlacedComponent,
  type PlainObject,
  placeCorrectly,
  rowOf,
  selectOf,
  textOf,
  V2,
} from './json-components'

/** Returns the paths of the warnings of a valid message or modal. */
function warningPaths({ as, value }: Pick<PlacedComponent, 'as' | 'value'>): string[] {
  const result = as === 'message' ? validateMessage(value) : validateModal(value)
  expect(result).toMatchObject({ ok: true })
  const found = as === 'message' ? lintMessage(value) : lintModal(value)
  expect(found.every(({ severity }) => severity === 'warning')).toBe(true)
  return found.map(({ path }) => path.join('.'))
}

const inRow = (button: PlainObject): PlacedComponent => PLACES['row of a message'](button)
const twice = (value: string): PlainObject[] => [
  { label: 'One', value },
  { label: 'Two', value },
]

// API, "Button (type 2)", rule 5.
describe('a long label of a button', () => {
  const label = 'components.0.components.0.label'
  const emoji = { name: '🔥' }

  test.each([
    [38, {}, []],
    [39, {}, [label]],
    [80, {}, [label]],
    [34, { emoji }, []],
    [35, { emoji }, [label]],
    [38, { emoji }, [label]],
  ])('one of %i characters with %j causes the warnings %j', (length, more, expected) => {
    expect(warningPaths(inRow(buttonOf({ label: 'x'.repeat(length), ...more })))).toEqual(expected)
    expect(warningPaths(inRow(buttonOf({ label: '😀'.repeat(length), ...more })))).toEqual(expected)
  })

  test('one of an accessory causes a warning', () => {
    const placed = PLACES['accessory of a section'](buttonOf({ label: 'x'.repeat(39) }))
    expect(warningPaths(placed)).toEqual(['components.0.accessory.label'])
  })

  test('one of a link causes a warning', () => {
    const link = { type: 2, style: 5, url: 'https://example.test', label: 'x'.repeat(39) }
    expect(warningPaths(inRow(link))).toEqual([label])
  })
})

test('an empty row causes a warning', () => {
  const found = warningPaths({ as: 'message', value: legacyOf(rowOf(), rowOf(buttonOf())) })
  expect(found).toEqual([expect.stringMatching(/^components\.0(\.components)?$/)])
})

test.each([3, 21, 22] as const)('two options of type %i with the same value cause a warning', (type) => {
  const placed = placeCorrectly({ ...minimal[type](), options: twice('a') })
  const [at = ''] = warningPaths(placed)
  expect(at.startsWith([...placed.at, 'options'].join('.'))).toBe(true)
  expect(warningPaths(placeCorrectly({ ...minimal[type](), options: optionsOf(2) }))).toEqual([])
})

test('options whose values differ only in case cause no warning', () => {
  const options = [...twice('a').slice(0, 1), ...twice('A').slice(0, 1)]
  expect(warningPaths(placeCorrectly(selectOf({ options })))).toEqual([])
})

describe('default options', () => {
  const withDefaults = (count: number) => optionsOf(5).map((option, index) => ({ ...option, default: index < count }))

  test.each([
    [1, {}, false],
    [2, {}, true],
    [2, { max_values: 2 }, false],
    [3, { max_values: 2 }, true],
  ])('%i default options of a select with %j cause a warning: %s', (count, more, expected) => {
    const placed = placeCorrectly(selectOf({ options: withDefaults(count), ...more }))
    const found = warningPaths(placed)
    expect(found.length > 0, found.join()).toBe(expected)
    expect(found.every((at) => at.startsWith(placed.at.join('.')))).toBe(true)
  })

  test.each([5, 6, 7, 8] as const)('more default values of type %i than max_values cause a warning', (type) => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}`, type: 'user' }))
    expect(warningPaths(placeCorrectly({ ...minimal[type](), default_values: values(1) }))).toEqual([])
    expect(warningPaths(placeCorrectly({ ...minimal[type](), default_values: values(2), max_values: 2 }))).toEqual([])
    expect(warningPaths(placeCorrectly({ ...minimal[type](), default_values: values(2) }))).toHaveLength(1)
  })

  test('more than one default option of a radio group causes a warning', () => {
    expect(warningPaths(placeCorrectly({ ...minimal[21](), options: withDefaults(1) }))).toEqual([])
    expect(warningPaths(placeCorrectly({ ...minimal[21](), options: withDefaults(2) }))).toHaveLength(1)
  })

  test('more default options of a checkbox group than max_values cause a warning', () => {
    const group = (count: number, more: PlainObject) =>
      placeCorrectly({ ...minimal[22](), options: withDefaults(count), ...more })
    expect(warningPaths(group(5, {}))).toEqual([])
    expect(warningPaths(group(2, { max_values: 1 }))).toHaveLength(1)
    expect(warningPaths(group(2, { max_values: 2 }))).toEqual([])
  })
})

// API, "Messages using the v2 component system", effect 2.
describe('attachments', () => {
  const attachments = [{ id: 0, filename: 'a.png' }]

  test('an attachment that no component shows causes a warning with IS_COMPONENTS_V2', () => {
    const found = warningPaths({ as: 'message', value: { ...messageOf(textOf('a')), attachments } })
    expect(found).toEqual([expect.stringMatching(/^attachments\.0/)])
  })

  test.each([
    ['a file', { type: 13, file: { url: 'attachment://a.png' } }],
    ['a gallery', { type: 12, items: [{ media: { url: 'attachment://a.png' } }] }],
    [
      'a thumbnail',
      { type: 9, components: [textOf('a')], accessory: { type: 11, media: { url: 'attachment://a.png' } } },
    ],
    ['a file in a container', { type: 17, components: [{ type: 13, file: { url: 'attachment://a.png' } }] }],
  ])('an attachment that %s shows causes no warning', (_, component) => {
    expect(warningPaths({ as: 'message', value: { flags: V2, attachments, components: [component] } })).toEqual([])
  })

  test.each<readonly [string, object | undefined, PlainObject, number]>([
    ['not among the attachments causes a warning', undefined, { attachments: [{ filename: 'b.png' }] }, 2],
    ['of a message without attachments causes a warning', undefined, {}, 1],
    ['among the names of the option causes no warning', { attachments: ['a.png'] }, {}, 0],
  ])('a reference to an attachment %s', (_, options, more, count) => {
    const message = { ...messageOf({ type: 13, file: { url: 'attachment://a.png' } }), ...more }
    const found = lintMessage(message, options)
    expect(found).toHaveLength(count)
    if (count > 0) expect(found.at(-1)?.message).toBe('no attachment is named a.png')
  })

  test('an attachment causes no warning without IS_COMPONENTS_V2', () => {
    expect(warningPaths({ as: 'message', value: { ...legacyOf(rowOf(buttonOf())), attachments } })).toEqual([])
  })
})

// API, "Text Input (type 4)": the label is ignored inside a Label.
test('the label field of a text input causes a warning in a label component, but not in a row', () => {
  expect(warningPaths(PLACES.label(inputOf({ label: 'A label' })))).toEqual(['components.0.component.label'])
  expect(warningPaths(PLACES.label(inputOf()))).toEqual([])
  expect(
    warningPaths(PLACES['row of a modal'](inputOf({ label: 'A label' }))).filter((at) => at.endsWith('label')),
  ).toEqual([])
})

test('components with only the required fields cause no warnings', () => {
  for (const type of [1, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23] as const) {
    const { as, value } = placeCorrectly({ ...minimal[type]() })
    const attachments = ['a.txt', 'a.png']
    const found = as === 'message' ? lintMessage(value, { attachments }) : lintModal(value)
    expect(found, `type ${type}`).toEqual([])
  }
})

/** Returns what the linter reports about a message, as lines. */
const lines = (value: unknown) => lintMessage(value).map(({ path, message }) => `${path.join('.')}: ${message}`)
const modalLines = (value: unknown) => lintModal(value).map(({ path, message }) => `${path.join('.')}: ${message}`)
const inRowLines = (component: PlainObject) => lines(legacyOf(rowOf(component)))
const at = 'components.0.components.0'

test.each<readonly [string, () => readonly string[], readonly string[]]>([
  ['an empty row', () => lines(legacyOf(rowOf())), ['components.0: empty row']],
  [
    'a long label',
    () => inRowLines(buttonOf({ label: 'x'.repeat(35), emoji: { name: 'a' } })),
    [`${at}.label: 35 characters, best at most 34`],
  ],
  [
    'two options with the same value',
    () => inRowLines(selectOf({ options: [...optionsOf(2), { label: 'B', value: 'o1' }] })),
    [`${at}.options.2.value: duplicate value`],
  ],
  [
    'a field in camel case',
    () => lines(messageOf({ type: 17, accentColor: 1, components: [textOf('A')] })),
    ['components.0.accentColor: misspelt: did you mean accent_color?'],
  ],
  [
    'a field with two letters swapped',
    () => lines(messageOf({ type: 17, spolier: true, components: [textOf('A')] })),
    ['components.0.spolier: misspelt: did you mean spoiler?'],
  ],
  [
    'a misspelt field of an option',
    () => inRowLines(selectOf({ options: [{ label: 'A', value: 'a', descripton: 'B' }] })),
    [`${at}.options.0.descripton: misspelt: did you mean description?`],
  ],
  ['a field that no component has', () => lines(messageOf({ ...textOf('A'), tomorrow: 1 })), []],
  [
    'misspelt fields of a message',
    () => lines({ content: 'A', allowedMentions: {}, flagz: 64 }),
    ['allowedMentions: misspelt: did you mean allowed_mentions?', 'flagz: misspelt: did you mean flags?'],
  ],
  ['a field of a message that is not shown', () => lines({ ...messageOf(textOf('A')), nonce: '1', tts: true }), []],
  [
    'javascript: in a link',
    () => inRowLines({ type: 2, style: 5, label: 'A', url: 'JavaScript:alert(1)' }),
    [`${at}.url: javascript: is not a web address`],
  ],
  ['an empty URL', () => inRowLines({ type: 2, style: 5, label: 'A', url: '' }), [`${at}.url: empty URL`]],
  [
    'a URL without a scheme',
    () => lines(messageOf({ type: 12, items: [{ media: { url: 'example.test/a.png' } }] })),
    ['components.0.items.0.media.url: no scheme, such as https:'],
  ],
  [
    'a button without label and emoji',
    () => inRowLines({ type: 2, style: 1, custom_id: 'a' }),
    [`${at}: neither label nor emoji`],
  ],
  ['a premium button', () => inRowLines({ type: 2, style: 6, sku_id: '1' }), []],
  [
    'an accent colour out of range',
    () => lines(messageOf({ type: 17, accent_color: 0x1000000, components: [textOf('A')] })),
    ['components.0.accent_color: 16777216, a colour is 0 to 0xffffff'],
  ],
  ['a forgotten flag', () => lines({ components: [textOf('A')] }), ['flags: add flags: 32768']],
  [
    'custom_ids that are nearly the same',
    () =>
      lines(
        legacyOf(rowOf(buttonOf({ label: 'A', custom_id: 'buy-now' }), buttonOf({ label: 'B', custom_id: 'Buy_now' }))),
      ),
    ['components.0.components.1.custom_id: nearly the same as "buy-now"'],
  ],
  [
    'custom_ids that differ in a number',
    () => lines(legacyOf(rowOf(...['v:1', 'v:2'].map((custom_id) => buttonOf({ label: 'A', custom_id }))))),
    [],
  ],
  [
    'custom_ids with a separator at both ends or doubled',
    () => lines(legacyOf(rowOf(...['_a--b-', 'ab'].map((custom_id) => buttonOf({ label: 'A', custom_id }))))),
    ['components.0.components.1.custom_id: nearly the same as "_a--b-"'],
  ],
])('the linter reports %s', (_, found, expected) => {
  expect(found()).toEqual(expected)
})

test.each<readonly [string, () => readonly string[], readonly string[]]>([
  ['a message of nothing', () => lines({}), [': empty message']],
  [
    'a message of empty fields',
    () => lines({ flags: 64, content: ' \n', embeds: [], poll: null, components: [], allowed_mentions: { parse: [] } }),
    [': empty message'],
  ],
  ['a message without components but with the flag', () => lines({ flags: V2 }), ['components: no components']],
  ['no component with the flag', () => lines(messageOf()), ['components: no components']],
  ['white space as text', () => lines(messageOf(textOf(' \n'))), ['components.0.content: empty content']],
  [
    'white space as the label of a button',
    () => inRowLines(buttonOf({ label: ' ' })),
    [`${at}: neither label nor emoji`],
  ],
  [
    'an option without a label',
    () => inRowLines(selectOf({ options: [{ label: '', value: 'a' }] })),
    [`${at}.options.0.label: empty label`],
  ],
  [
    'a label without text',
    () => modalLines(modalOf({ ...labelOf(inputOf()), label: ' ' })),
    ['components.0.label: empty label'],
  ],
  ['a modal without a title', () => modalLines({ ...modalOf(labelOf(inputOf())), title: '' }), ['title: empty title']],
  ['a modal without components', () => modalLines(modalOf()), ['components: no components']],
])('the linter reports %s, which is shown as nothing', (_, found, expected) => {
  expect(found()).toEqual(expected)
})

test.each<readonly [string, () => readonly string[]]>([
  ['content', () => lines({ content: 'Hello' })],
  ['embeds', () => lines({ embeds: [{ title: 'Hello' }] })],
  ['a poll', () => lines({ poll: {} })],
  ['stickers', () => lines({ stickers: ['1'] })],
  ['attachments', () => lines({ attachments: [{ filename: 'a.png' }] })],
  ['a field that the linter does not know', () => lines({ forwarded_from: '1' })],
  ['uploaded files', () => lintMessage({}, { attachments: ['a.png'] }).map(({ message }) => message)],
  ['a button with an emoji and an empty label', () => inRowLines(buttonOf({ label: '', emoji: { name: '🔥' } }))],
])('the linter takes no message with %s for empty', (_, found) => {
  expect(found()).toEqual([])
})

test.each([
  ['page:-1', 'page:1'],
  ['t:1-2', 't:12'],
  ['user:1 0', 'user:10'],
  ['v_1', 'v1'],
])('the linter takes %s and %s for different custom_ids, because of their numbers', (...ids) => {
  expect(lines(legacyOf(rowOf(...ids.map((custom_id) => buttonOf({ label: 'A', custom_id })))))).toEqual([])
})

test('the linter reports rows in a modal as deprecated', () => {
  expect(lintModal({ custom_id: 'm', title: 'M', components: [rowOf(inputOf())] })).toMatchObject([
    { path: ['components', 0], message: 'deprecated in modals', severity: 'warning' },
  ])
})

test('the linter reports the limit and the actual value', () => {
  expect(lintMessage(legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39) }))))).toEqual([
    {
      path: ['components', 0, 'components', 0, 'label'],
      code: 'too_long',
      message: '39 characters, best at most 38',
      limit: 38,
      actual: 39,
      severity: 'warning',
    },
  ])
})

test('the linter handles 100,000 unknown fields in a second', () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`contentt${index.toString(36)}`, 1]))
  const startedAt = cpuNow()
  lintMessage(messageOf({ ...textOf('A'), ...fields }))
  expect(cpuNow() - startedAt).toBeLessThan(1000)
})

test.each(ODD_VALUES)('the linter never throws for %s', (_, make) => {
  expect(lintMessage(make())).toBeInstanceOf(Array)
  expect(lintMessage(messageOf(make()))).toBeInstanceOf(Array)
  expect(lintModal(make())).toBeInstanceOf(Array)
})
