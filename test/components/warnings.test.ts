import { assertMessage, assertModal, validateMessage, validateModal } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import {
  buttonOf,
  inputOf,
  legacyOf,
  messageOf,
  minimal,
  optionsOf,
  type PlainObject,
  rowOf,
  selectOf,
  textOf,
  V2,
} from './json-components'
import { PLACES, type PlacedComponent, placeCorrectly } from './places'

/** Returns the paths of the warnings of a valid message or modal. */
function warningPaths({ as, value }: Pick<PlacedComponent, 'as' | 'value'>): string[] {
  const result = as === 'message' ? validateMessage(value) : validateModal(value)
  expect(result).toMatchObject({ ok: true })
  const found = result.ok ? result.warnings : result.issues
  expect(found.every(({ severity }) => severity === 'warning')).toBe(true)
  return found.map(({ path }) => path.join('.'))
}

const inRow = (button: PlainObject): PlacedComponent => PLACES['row of a message'](button)
const twice = (value: string): PlainObject[] => [
  { label: 'One', value },
  { label: 'Two', value },
]

// Interface, "Button (type 2)", rule 5.
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
  ])('a button label of %i characters with %j causes the warnings %j', (length, more, expected) => {
    expect(warningPaths(inRow(buttonOf({ label: 'x'.repeat(length), ...more })))).toEqual(expected)
    expect(warningPaths(inRow(buttonOf({ label: '😀'.repeat(length), ...more })))).toEqual(expected)
  })

  test('a long label of an accessory button causes a warning', () => {
    const placed = PLACES['accessory of a section'](buttonOf({ label: 'x'.repeat(39) }))
    expect(warningPaths(placed)).toEqual(['components.0.accessory.label'])
  })

  test('a long label of a link button causes a warning', () => {
    const link = { type: 2, style: 5, url: 'https://example.test', label: 'x'.repeat(39) }
    expect(warningPaths(inRow(link))).toEqual([label])
  })
})

describe('a row', () => {
  test('an empty row causes a warning', () => {
    const found = warningPaths({ as: 'message', value: legacyOf(rowOf(), rowOf(buttonOf())) })
    expect(found).toEqual([expect.stringMatching(/^components\.0(\.components)?$/)])
  })
})

describe('options', () => {
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

// Interface, "Messages using the v2 component system", effect 2.
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

  test('an attachment causes no warning without IS_COMPONENTS_V2', () => {
    expect(warningPaths({ as: 'message', value: { ...legacyOf(rowOf(buttonOf())), attachments } })).toEqual([])
  })
})

// Interface, "Text Input (type 4)": the label is ignored inside a Label.
test('the label field of a text input causes a warning in a label component, but not in a row', () => {
  expect(warningPaths(PLACES.label(inputOf({ label: 'A label' })))).toEqual(['components.0.component.label'])
  expect(warningPaths(PLACES.label(inputOf()))).toEqual([])
  expect(
    warningPaths(PLACES['row of a modal'](inputOf({ label: 'A label' }))).filter((at) => at.endsWith('label')),
  ).toEqual([])
})

describe('warnings', () => {
  const withWarning = () => legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39) })))

  test('assertions do not throw for warnings', () => {
    expect(() => assertMessage(withWarning())).not.toThrow()
    expect(() => assertModal(PLACES.label(inputOf({ label: 'A' })).value)).not.toThrow()
  })

  test('the option warnings: false turns warnings off', () => {
    expect(validateMessage(withWarning(), { warnings: false })).toMatchObject({ ok: true, warnings: [] })
    expect(validateMessage(withWarning(), { warnings: true })).toMatchObject({
      ok: true,
      warnings: [{ severity: 'warning' }],
    })
  })

  test('warnings are reported next to errors', () => {
    const value = legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39), custom_id: '' })))
    const result = validateMessage(value)
    const severities = result.ok ? [] : result.issues.map(({ severity, path }) => `${severity} ${path.at(-1)}`)
    expect(severities.toSorted()).toEqual(['error custom_id', 'warning label'])
    const without = validateMessage(value, { warnings: false })
    expect(without.ok ? [] : without.issues.map(({ severity }) => severity)).toEqual(['error'])
  })

  test('components with only the required fields cause no warnings', () => {
    for (const type of [1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23] as const) {
      expect(warningPaths(placeCorrectly(minimal[type]())), `type ${type}`).toEqual([])
    }
  })
})
