import {
  assertMessage,
  assertModal,
  ComponentError,
  type Validation,
  validateComponent,
  validateMessage,
  validateModal,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { errorsOf } from './hostile-values'
import {
  buttonOf,
  containerOf,
  labelOf,
  messageOf,
  minimal,
  modalOf,
  type PlainObject,
  rowOf,
  textOf,
  V2,
} from './json-components'

const issueLines = (as: 'message' | 'modal', value: PlainObject) =>
  errorsOf({ as, value })
    .map(({ path, code }) => `${path.join('.')} ${code}`)
    .toSorted()

/** Returns the `ComponentError` that a function throws. */
function errorOf(run: () => unknown): ComponentError {
  try {
    run()
  } catch (error) {
    if (error instanceof ComponentError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** A message with errors in as many fields as possible. */
const INVALID = {
  flags: V2,
  content: 'Hello',
  components: [
    {
      type: 17,
      accent_color: 'red',
      components: [
        { type: 9, components: [{ type: 10, content: '' }], accessory: { type: 11, media: { url: 5 } } },
        {
          type: 1,
          components: [
            { type: 2, style: 1, custom_id: '', label: 'x'.repeat(81) },
            { type: 2, style: 5, url: `https://${'x'.repeat(512)}`, disabled: 'yes' },
            { type: 2, style: 6 },
          ],
        },
        { type: 12, items: [] },
        { type: 13, file: {} },
      ],
    },
    { type: 14, spacing: 3, divider: 1 },
    { type: 1, components: [{ type: 3, custom_id: 5, options: [{ label: 'x'.repeat(101), value: '' }, 'b'] }] },
    { type: 10 },
    'a text',
  ],
}

test('validateMessage reports all errors of a message in one pass, each with its path', () => {
  // The code of a forbidden field does not matter here.
  expect(issueLines('message', INVALID).map((line) => line.replace(/^content \w+$/, 'content'))).toEqual([
    'components.0.accent_color invalid_type',
    'components.0.components.0.accessory.media.url invalid_type',
    'components.0.components.0.components.0.content too_short',
    'components.0.components.1.components.0.custom_id too_short',
    'components.0.components.1.components.0.label too_long',
    'components.0.components.1.components.1.disabled invalid_type',
    'components.0.components.1.components.1.url too_long',
    'components.0.components.1.components.2.sku_id required',
    'components.0.components.2.items too_few',
    'components.0.components.3.file.url required',
    'components.1.divider invalid_type',
    'components.1.spacing invalid_value',
    'components.2.components.0.custom_id invalid_type',
    'components.2.components.0.options.0.label too_long',
    'components.2.components.0.options.0.value too_short',
    'components.2.components.0.options.1 invalid_type',
    'components.3.content required',
    'components.4 invalid_type',
    'content',
  ])
})

test('validateModal reports all errors of a modal in one pass', () => {
  const found = issueLines('modal', {
    custom_id: 'a modal',
    title: 'A modal',
    components: [
      { type: 18, label: 'x'.repeat(46), component: { type: 4, style: 3, custom_id: 'a', max_length: 0 } },
      { type: 18, description: 'x'.repeat(101), component: { type: 21, custom_id: 'b', options: [] } },
      { type: 18, label: 'A label', component: { type: 23, custom_id: 'c', default: 'yes' } },
      { type: 18, label: 'A label' },
    ],
  })
  expect(found).toEqual([
    'components.0.component.max_length invalid_value',
    'components.0.component.style invalid_value',
    'components.0.label too_long',
    'components.1.component.options too_few',
    'components.1.description too_long',
    'components.1.label required',
    'components.2.component.default invalid_type',
    'components.3.component required',
  ])
})

test('an issue has limit and actual if a limit is exceeded', () => {
  const value = {
    components: [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'a', label: 'x'.repeat(81) }] }],
  }
  expect(validateMessage(value)).toEqual({
    ok: false,
    issues: [
      {
        path: ['components', 0, 'components', 0, 'label'],
        code: 'too_long',
        message: '81 characters, at most 80',
        limit: 80,
        actual: 81,
        severity: 'error',
      },
    ],
  })
})

test('the path of an issue has array indexes as numbers', () => {
  const [first] = errorsOf({ as: 'message', value: { components: [5] } })
  expect(first?.path).toEqual(['components', 0])
})

describe('ComponentError', () => {
  const value = {
    components: [{ type: 1, components: [0, 1, 2].map((i) => ({ type: 2, style: 1, custom_id: `b${i}`, label: '' })) }],
  }
  const invalid = structuredClone(value)
  Object.assign(invalid.components[0]?.components[2] ?? {}, { label: 'x'.repeat(81), custom_id: '' })

  test('assertMessage does not throw for a valid message', () => {
    expect(() => assertMessage(value)).not.toThrow()
  })

  test('prints each issue on its own line', () => {
    const error = errorOf(() => assertMessage(invalid))
    expect(error.message.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        'components[0].components[2].label: 81 characters, at most 80',
        expect.stringMatching(/^components\[0\]\.components\[2\]\.custom_id: /),
      ]),
    )
  })

  test('has a name and the issues of the validation', () => {
    const error = errorOf(() => assertMessage(invalid))
    expect(error.issues).toEqual(errorsOf({ as: 'message', value: invalid }))
    expect(error.name).toBe('ComponentError')
    expect(error).toBeInstanceOf(Error)
  })

  test('prints the paths of modal fields', () => {
    const error = errorOf(() => assertModal({ custom_id: 'a', title: 'A', components: [{ type: 18, label: 'L' }] }))
    expect(error.message).toMatch(/components\[0\]\.component: /)
  })

  test('with a thousand issues has all of them and a short message', () => {
    const components = Array.from({ length: 1000 }, () => ({ type: 10, content: '' }))
    const error = errorOf(() => assertMessage({ flags: V2, components }))
    expect(error.issues.length).toBeGreaterThanOrEqual(1000)
    expect(error.message.length).toBeLessThan(5000)
    expect(error.message).toContain('components[0].content: 0 characters, at least 1')
  })
})

test('a ComponentError prints at most twenty issues and the number of the others', () => {
  const messageOf = (issues: number): string => {
    const components = Array.from({ length: issues }, () => ({ type: 10, content: '' }))
    return String(errorOf(() => assertMessage({ flags: V2, components })))
  }
  expect(messageOf(1)).toBe(
    'ComponentError: 1 problem in the message:\n  components[0].content: 0 characters, at least 1',
  )
  expect(messageOf(20).split('\n').slice(20)).toEqual(['  components[19].content: 0 characters, at least 1'])
  expect(messageOf(21).split('\n').slice(20)).toEqual([
    '  components[19].content: 0 characters, at least 1',
    '  … and 1 more',
  ])
})

/** Returns the issues of a validation as lines. */
function messageLines(result: Validation<unknown>): string[] {
  const issues = result.ok ? [] : result.issues
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}
const inModal = (field: object) => messageLines(validateModal(modalOf(labelOf({ ...field }))))
const at = 'components.0.component'

// API, "File Upload", "Text Input" and "String Select": the limits of the fields.
test('a min_values above its own limit is reported once', () => {
  const select = { ...minimal[5](), min_values: 26 }
  expect(messageLines(validateComponent(select))).toEqual(['min_values: 26, at most 25'])
})

test('a max_length below its own limit is reported once', () => {
  const input = { ...minimal[4](), max_length: 0 }
  expect(inModal(input)).toEqual([`${at}.max_length: 0, at least 1`])
})

test('a negative max_values is reported once, with or without a min_values', () => {
  expect(inModal({ ...minimal[19](), max_values: -1 })).toEqual([`${at}.max_values: -1, at least 0`])
  expect(messageLines(validateComponent({ ...minimal[5](), min_values: -1, max_values: -1 }))).toEqual([
    'max_values: -1, at least 0',
  ])
})

test('a received-only component is reported once, not for each of its fields', () => {
  for (const type of [16, 20] as const) {
    expect(messageLines(validateMessage(messageOf(containerOf(minimal[type]()))))).toHaveLength(1)
  }
})

test('the message about an unknown type has its value', () => {
  expect(messageLines(validateComponent({ type: 77 }))).toEqual(['type: expected a component type, got 77'])
})

test.each([
  [Number.NaN, 'NaN'],
  [1.5, '1.5'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
])('the message about an id of %s has its value', (id, text) => {
  expect(messageLines(validateComponent({ ...textOf('A text'), id }))).toEqual([`id: expected integer, got ${text}`])
})

test('messages name components as the documentation does', () => {
  const [line] = messageLines(validateMessage(messageOf(rowOf(textOf('A text')))))
  expect(line).toMatch(
    /^components.0.components.0: text display not allowed in action row; allowed: button, string select/,
  )
  expect(messageLines(validateComponent({ ...rowOf(buttonOf()), label: 'A label' }))).toEqual([
    'label: not a field of action row',
  ])
})

test('a message that is too large to validate is reported without totals', () => {
  const components = Array.from({ length: 100_001 }, () => textOf('A text'))
  const found = messageLines(validateMessage(messageOf(...components)))
  expect(found.filter((line) => line.includes('in total'))).toEqual([])
  expect(found).toContain(': too large to validate')
})
