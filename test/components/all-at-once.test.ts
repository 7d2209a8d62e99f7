import { assertMessage, assertModal, ComponentError, validateMessage } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { errorsOf } from './problems'
import { V2, type Wire } from './wire'

const lines = (as: 'message' | 'modal', value: Wire) =>
  errorsOf({ as, value })
    .map(({ path, code }) => `${path.join('.')} ${code}`)
    .toSorted()

/** One message with something wrong wherever something can be. */
const WRONG = {
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

test('everything that is wrong with a message is told in one pass, each at its path', () => {
  // Which code a forbidden field has is not what this is about.
  expect(lines('message', WRONG).map((line) => line.replace(/^content \w+$/, 'content'))).toEqual([
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

test('everything that is wrong with a modal is told in one pass', () => {
  const found = lines('modal', {
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

describe('an issue', () => {
  test('tells limit and actual where a limit was passed', () => {
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

  test('has indexes of lists as numbers', () => {
    const [first] = errorsOf({ as: 'message', value: { components: [5] } })
    expect(first?.path).toEqual(['components', 0])
  })
})

describe('the error of an assertion', () => {
  const value = {
    components: [{ type: 1, components: [0, 1, 2].map((i) => ({ type: 2, style: 1, custom_id: `b${i}`, label: '' })) }],
  }
  const wrong = structuredClone(value)
  Object.assign(wrong.components[0]?.components[2] ?? {}, { label: 'x'.repeat(81), custom_id: '' })

  function errorOf(run: () => unknown): ComponentError {
    try {
      run()
    } catch (error) {
      if (error instanceof ComponentError) return error
      throw error
    }
    throw new Error('nothing was thrown')
  }

  test('is not thrown for what is right', () => {
    expect(() => assertMessage(value)).not.toThrow()
  })

  test('prints each issue on a line of its own', () => {
    const error = errorOf(() => assertMessage(wrong))
    expect(error.message.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        'components[0].components[2].label: 81 characters, at most 80',
        expect.stringMatching(/^components\[0\]\.components\[2\]\.custom_id: /),
      ]),
    )
  })

  test('has the issues that the check gives, and a name', () => {
    const error = errorOf(() => assertMessage(wrong))
    expect(error.issues).toEqual(errorsOf({ as: 'message', value: wrong }))
    expect(error.name).toBe('ComponentError')
    expect(error).toBeInstanceOf(Error)
  })

  test('names a modal’s fields by their path too', () => {
    const error = errorOf(() => assertModal({ custom_id: 'a', title: 'A', components: [{ type: 18, label: 'L' }] }))
    expect(error.message).toMatch(/components\[0\]\.component: /)
  })

  test('stays short where a thousand things are wrong, and still has all of them', () => {
    const components = Array.from({ length: 1000 }, () => ({ type: 10, content: '' }))
    const error = errorOf(() => assertMessage({ flags: V2, components }))
    expect(error.issues.length).toBeGreaterThanOrEqual(1000)
    expect(error.message.length).toBeLessThan(5000)
    expect(error.message).toContain('components[0].content: 0 characters, at least 1')
  })
})

test('an error has twenty lines at most, and says how many more there are', () => {
  const messageOf = (problems: number): string => {
    const components = Array.from({ length: problems }, () => ({ type: 10, content: '' }))
    try {
      assertMessage({ flags: V2, components })
    } catch (error) {
      return String(error)
    }
    throw new Error('nothing was wrong')
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
