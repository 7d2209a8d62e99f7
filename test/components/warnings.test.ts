import { assertMessage, assertModal, validateMessage, validateModal } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { atHome, type Given, PLACES } from './places'
import {
  buttonOf,
  inputOf,
  legacyOf,
  messageOf,
  optionsOf,
  rowOf,
  selectOf,
  smallest,
  textOf,
  V2,
  type Wire,
} from './wire'

/** What is allowed and yet unwise, by its place. */
function warnings({ as, value }: Pick<Given, 'as' | 'value'>): string[] {
  const result = as === 'message' ? validateMessage(value) : validateModal(value)
  expect(result).toMatchObject({ ok: true })
  const found = result.ok ? result.warnings : result.issues
  expect(found.every(({ severity }) => severity === 'warning')).toBe(true)
  return found.map(({ path }) => path.join('.'))
}

const inRow = (button: Wire): Given => PLACES['row of a message'](button)
const twice = (value: string): Wire[] => [
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
  ])('of %i characters with %j', (length, more, expected) => {
    expect(warnings(inRow(buttonOf({ label: 'x'.repeat(length), ...more })))).toEqual(expected)
    expect(warnings(inRow(buttonOf({ label: '😀'.repeat(length), ...more })))).toEqual(expected)
  })

  test('is told of where the button is an accessory', () => {
    const given = PLACES['accessory of a section'](buttonOf({ label: 'x'.repeat(39) }))
    expect(warnings(given)).toEqual(['components.0.accessory.label'])
  })

  test('of a link counts as well', () => {
    const link = { type: 2, style: 5, url: 'https://example.test', label: 'x'.repeat(39) }
    expect(warnings(inRow(link))).toEqual([label])
  })
})

describe('a row', () => {
  test('of nothing is told of', () => {
    const found = warnings({ as: 'message', value: legacyOf(rowOf(), rowOf(buttonOf())) })
    expect(found).toEqual([expect.stringMatching(/^components\.0(\.components)?$/)])
  })
})

describe('options', () => {
  test.each([3, 21, 22] as const)('of type %i with one value twice are told of', (type) => {
    const given = atHome({ ...smallest[type](), options: twice('a') })
    const [at = ''] = warnings(given)
    expect(at.startsWith([...given.at, 'options'].join('.'))).toBe(true)
    expect(warnings(atHome({ ...smallest[type](), options: optionsOf(2) }))).toEqual([])
  })

  test('are told apart by case', () => {
    const options = [...twice('a').slice(0, 1), ...twice('A').slice(0, 1)]
    expect(warnings(atHome(selectOf({ options })))).toEqual([])
  })
})

describe('more defaults than may be chosen', () => {
  const chosen = (count: number) => optionsOf(5).map((option, index) => ({ ...option, default: index < count }))

  test.each([
    [1, {}, false],
    [2, {}, true],
    [2, { max_values: 2 }, false],
    [3, { max_values: 2 }, true],
  ])('%i options with %j', (count, more, expected) => {
    const given = atHome(selectOf({ options: chosen(count), ...more }))
    const found = warnings(given)
    expect(found.length > 0, found.join()).toBe(expected)
    expect(found.every((at) => at.startsWith(given.at.join('.')))).toBe(true)
  })

  test.each([5, 6, 7, 8] as const)('default values of type %i', (type) => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}`, type: 'user' }))
    expect(warnings(atHome({ ...smallest[type](), default_values: values(1) }))).toEqual([])
    expect(warnings(atHome({ ...smallest[type](), default_values: values(2), max_values: 2 }))).toEqual([])
    expect(warnings(atHome({ ...smallest[type](), default_values: values(2) }))).toHaveLength(1)
  })

  test('options of a radio group, of which exactly one is selected', () => {
    expect(warnings(atHome({ ...smallest[21](), options: chosen(1) }))).toEqual([])
    expect(warnings(atHome({ ...smallest[21](), options: chosen(2) }))).toHaveLength(1)
  })

  test('options of a checkbox group', () => {
    const group = (count: number, more: Wire) => atHome({ ...smallest[22](), options: chosen(count), ...more })
    expect(warnings(group(5, {}))).toEqual([])
    expect(warnings(group(2, { max_values: 1 }))).toHaveLength(1)
    expect(warnings(group(2, { max_values: 2 }))).toEqual([])
  })
})

// Interface, "Messages using the v2 component system", effect 2.
describe('an attachment that no component shows', () => {
  const attachments = [{ id: 0, filename: 'a.png' }]

  test('is told of with the flag', () => {
    const found = warnings({ as: 'message', value: { ...messageOf(textOf('a')), attachments } })
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
  ])('is shown by %s', (_, component) => {
    expect(warnings({ as: 'message', value: { flags: V2, attachments, components: [component] } })).toEqual([])
  })

  test('is shown without the flag', () => {
    expect(warnings({ as: 'message', value: { ...legacyOf(rowOf(buttonOf())), attachments } })).toEqual([])
  })
})

// Interface, "Text Input (type 4)": the label is ignored inside a Label.
test('a label of a text input is told of inside a label, and right in a row', () => {
  expect(warnings(PLACES.label(inputOf({ label: 'A label' })))).toEqual(['components.0.component.label'])
  expect(warnings(PLACES.label(inputOf()))).toEqual([])
  expect(
    warnings(PLACES['row of a modal'](inputOf({ label: 'A label' }))).filter((at) => at.endsWith('label')),
  ).toEqual([])
})

describe('warnings', () => {
  const unwise = () => legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39) })))

  test('stop nothing', () => {
    expect(() => assertMessage(unwise())).not.toThrow()
    expect(() => assertModal(PLACES.label(inputOf({ label: 'A' })).value)).not.toThrow()
  })

  test('are not looked for where they are not wanted', () => {
    expect(validateMessage(unwise(), { warnings: false })).toMatchObject({ ok: true, warnings: [] })
    expect(validateMessage(unwise(), { warnings: true })).toMatchObject({
      ok: true,
      warnings: [{ severity: 'warning' }],
    })
  })

  test('are told beside what is wrong', () => {
    const value = legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39), custom_id: '' })))
    const result = validateMessage(value)
    const severities = result.ok ? [] : result.issues.map(({ severity, path }) => `${severity} ${path.at(-1)}`)
    expect(severities.toSorted()).toEqual(['error custom_id', 'warning label'])
    const without = validateMessage(value, { warnings: false })
    expect(without.ok ? [] : without.issues.map(({ severity }) => severity)).toEqual(['error'])
  })

  test('are there for nothing that is as it should be', () => {
    for (const type of [1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23] as const) {
      expect(warnings(atHome(smallest[type]())), `type ${type}`).toEqual([])
    }
  })
})
