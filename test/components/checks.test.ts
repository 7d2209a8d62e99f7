import {
  assertComponent,
  assertMessage,
  ComponentError,
  isComponentError,
  messageV2,
  text,
  validateComponent,
  validateMessage,
  validateModal,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { buttonOf, labelOf, legacyOf, modalOf, rowOf, selectOf, smallest, TYPE_VALUES, textOf, type Wire } from './wire'

const wrong = legacyOf(rowOf(buttonOf({ label: 'x'.repeat(81) })))

describe('what a check gives', () => {
  test('is the very value that was given', () => {
    const message = messageV2(text('A text'))
    const result = validateMessage(message)
    expect(result.ok && result.value).toBe(message)
    const literal = modalOf(labelOf(smallest[4]()))
    const checked = validateModal(literal)
    expect(checked.ok && checked.value).toBe(literal)
  })

  test('is not changed by the check, right or wrong', () => {
    for (const value of [wrong, legacyOf(rowOf(buttonOf()))]) {
      const before = structuredClone(value)
      validateMessage(value)
      expect(value).toEqual(before)
    }
  })

  test('does not depend on what was checked before', () => {
    const first = validateMessage(wrong)
    validateMessage(legacyOf(rowOf(buttonOf({ custom_id: 'a' }))))
    expect(validateMessage(wrong)).toEqual(first)
    expect(validateMessage(legacyOf(rowOf(buttonOf({ custom_id: 'a' }))))).toMatchObject({ ok: true })
  })
})

describe('each check is a Standard Schema:', () => {
  test.each([
    ['validateMessage', validateMessage],
    ['validateModal', validateModal],
    ['validateComponent', validateComponent],
  ] as const)('%s says so', (_, check) => {
    expect(check['~standard']).toMatchObject({ version: 1, vendor: 'rapport-sdk' })
    expect(check['~standard'].validate).toBeTypeOf('function')
  })

  test('what is right is a value and no issues', async () => {
    const value = legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39) })))
    const result = await validateMessage['~standard'].validate(value)
    expect('value' in result && result.value).toBe(value)
    expect(result.issues).toBeUndefined()
  })

  test('what is wrong is issues with a path and a message', async () => {
    const result = await validateMessage['~standard'].validate(wrong)
    expect(result.issues).toEqual([
      expect.objectContaining({
        path: ['components', 0, 'components', 0, 'label'],
        message: expect.stringContaining('81 characters, at most 80'),
      }),
    ])
  })
})

describe('validateComponent', () => {
  const SENDABLE = TYPE_VALUES.filter((type) => type !== 16 && type !== 20)

  test.each(SENDABLE)('takes type %i by itself', (type) => {
    expect(validateComponent(smallest[type]())).toMatchObject({ ok: true })
  })

  test.each([16, 20] as const)('takes no type %i, which cannot be sent', (type) => {
    expect(validateComponent(smallest[type]())).toMatchObject({ ok: false })
  })

  test.each([15, 99, undefined, '2'])('takes no type %j', (type) => {
    const result = validateComponent({ type })
    expect(result.ok ? [] : result.issues.map(({ path }) => path)).toEqual([['type']])
  })

  // Interface, "Component Type", "Usable in".
  const IN_MESSAGES = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17]
  const IN_MODALS = [1, 3, 4, 5, 6, 7, 8, 10, 18, 19, 21, 22, 23]
  const fitting = (type: (typeof SENDABLE)[number], context: string): Wire =>
    type === 1 && context === 'modal' ? rowOf(smallest[4]()) : smallest[type]()

  test.each(SENDABLE.flatMap((type) => (['message', 'modal'] as const).map((context) => [type, context] as const)))(
    'takes type %i for a %s where the document has it there',
    (type, context) => {
      const expected = (context === 'message' ? IN_MESSAGES : IN_MODALS).includes(type)
      expect(validateComponent(fitting(type, context), { context }).ok).toBe(expected)
    },
  )

  test('knows required and disabled by where the component is to stand', () => {
    const problems = (component: Wire, context: 'message' | 'modal') => {
      const result = validateComponent(component, { context })
      return result.ok ? [] : result.issues.map(({ path }) => path.join('.'))
    }
    expect(problems(selectOf({ required: true }), 'message')).toEqual(['required'])
    expect(problems(selectOf({ disabled: true }), 'modal')).toEqual(['disabled'])
    expect(problems(selectOf({ required: true }), 'modal')).toEqual([])
    expect(problems(selectOf({ disabled: true }), 'message')).toEqual([])
  })

  test('takes a select that is disabled, or required, but never both', () => {
    expect(validateComponent(selectOf({ disabled: true }))).toMatchObject({ ok: true })
    expect(validateComponent(selectOf({ required: true }))).toMatchObject({ ok: true })
    expect(validateComponent(selectOf({ required: true, disabled: true }))).toMatchObject({ ok: false })
  })

  test('has paths from the component', () => {
    const result = validateComponent(rowOf(buttonOf({ label: 5 })))
    expect(result.ok ? [] : result.issues.map(({ path }) => path)).toEqual([['components', 0, 'label']])
  })
})

describe('assertComponent', () => {
  test('throws a ComponentError and gives nothing', () => {
    expect(assertComponent(textOf('A text'))).toBeUndefined()
    expect(() => assertComponent(textOf(''))).toThrow(ComponentError)
    expect(() => assertComponent(textOf(''))).toThrow(/content: 0 characters, at least 1/)
  })

  test('throws what isComponentError knows', () => {
    let thrown: unknown
    try {
      assertMessage(wrong)
    } catch (error) {
      thrown = error
    }
    expect(isComponentError(thrown)).toBe(true)
    expect(isComponentError(new Error('another'))).toBe(false)
  })
})
