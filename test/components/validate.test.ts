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
import {
  buttonOf,
  labelOf,
  legacyOf,
  minimal,
  modalOf,
  type PlainObject,
  rowOf,
  selectOf,
  TYPE_VALUES,
  textOf,
} from './json-components'

const invalid = legacyOf(rowOf(buttonOf({ label: 'x'.repeat(81) })))

describe('the result of a validation', () => {
  test('it is the same object after a success', () => {
    const message = messageV2(text('A text'))
    const result = validateMessage(message)
    expect(result.ok && result.value).toBe(message)
    const literal = modalOf(labelOf(minimal[4]()))
    const checked = validateModal(literal)
    expect(checked.ok && checked.value).toBe(literal)
  })

  test('does not change the input', () => {
    for (const value of [invalid, legacyOf(rowOf(buttonOf()))]) {
      const before = structuredClone(value)
      validateMessage(value)
      expect(value).toEqual(before)
    }
  })

  test('does not depend on earlier ones', () => {
    const first = validateMessage(invalid)
    validateMessage(legacyOf(rowOf(buttonOf({ custom_id: 'a' }))))
    expect(validateMessage(invalid)).toEqual(first)
    expect(validateMessage(legacyOf(rowOf(buttonOf({ custom_id: 'a' }))))).toMatchObject({ ok: true })
  })
})

test.each([
  ['validateMessage', validateMessage],
  ['validateModal', validateModal],
  ['validateComponent', validateComponent],
] as const)('%s implements Standard Schema', (_, check) => {
  expect(check['~standard']).toMatchObject({ version: 1, vendor: 'rapport-sdk' })
  expect(check['~standard'].validate).toBeTypeOf('function')
})

test('the Standard Schema returns a valid value and no issues', async () => {
  const value = legacyOf(rowOf(buttonOf({ label: 'x'.repeat(39) })))
  const result = await validateMessage['~standard'].validate(value)
  expect('value' in result && result.value).toBe(value)
  expect(result.issues).toBeUndefined()
})

test('the Standard Schema returns issues with a path and a message for an invalid value', async () => {
  const result = await validateMessage['~standard'].validate(invalid)
  expect(result.issues).toEqual([
    expect.objectContaining({
      path: ['components', 0, 'components', 0, 'label'],
      message: expect.stringContaining('81 characters, at most 80'),
    }),
  ])
})

const SENDABLE = TYPE_VALUES.filter((type) => type !== 16 && type !== 20)

test.each(SENDABLE)('validateComponent accepts type %i', (type) => {
  expect(validateComponent(minimal[type]())).toMatchObject({ ok: true })
})

test.each([16, 20] as const)('validateComponent rejects type %i, which cannot be sent', (type) => {
  expect(validateComponent(minimal[type]())).toMatchObject({ ok: false })
})

test.each([15, 99, undefined, '2'])('validateComponent rejects the unknown type %j', (type) => {
  const result = validateComponent({ type })
  expect(result.ok ? [] : result.issues.map(({ path }) => path)).toEqual([['type']])
})

// API, "Component Type", "Usable in".
const IN_MESSAGES = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17]
const IN_MODALS = [1, 3, 4, 5, 6, 7, 8, 10, 18, 19, 21, 22, 23]
const validComponent = (type: (typeof SENDABLE)[number], context: string): PlainObject =>
  type === 1 && context === 'modal' ? rowOf(minimal[4]()) : minimal[type]()

test.each(SENDABLE.flatMap((type) => (['message', 'modal'] as const).map((context) => [type, context] as const)))(
  'validateComponent checks whether type %i is allowed in a %s',
  (type, context) => {
    const expected = (context === 'message' ? IN_MESSAGES : IN_MODALS).includes(type)
    expect(validateComponent(validComponent(type, context), { context }).ok).toBe(expected)
  },
)

test('validateComponent rejects required in messages and disabled in modals', () => {
  const errorPaths = (component: PlainObject, context: 'message' | 'modal') => {
    const result = validateComponent(component, { context })
    return result.ok ? [] : result.issues.map(({ path }) => path.join('.'))
  }
  expect(errorPaths(selectOf({ required: true }), 'message')).toEqual(['required'])
  expect(errorPaths(selectOf({ disabled: true }), 'modal')).toEqual(['disabled'])
  expect(errorPaths(selectOf({ required: true }), 'modal')).toEqual([])
  expect(errorPaths(selectOf({ disabled: true }), 'message')).toEqual([])
})

test('validateComponent rejects a select that is both disabled and required', () => {
  expect(validateComponent(selectOf({ disabled: true }))).toMatchObject({ ok: true })
  expect(validateComponent(selectOf({ required: true }))).toMatchObject({ ok: true })
  expect(validateComponent(selectOf({ required: true, disabled: true }))).toMatchObject({ ok: false })
})

test('validateComponent reports paths relative to the component', () => {
  const result = validateComponent(rowOf(buttonOf({ label: 5 })))
  expect(result.ok ? [] : result.issues.map(({ path }) => path)).toEqual([['components', 0, 'label']])
})

describe('assertComponent', () => {
  test('returns undefined or throws a ComponentError', () => {
    expect(assertComponent(textOf('A text'))).toBeUndefined()
    expect(() => assertComponent(textOf(''))).toThrow(ComponentError)
    expect(() => assertComponent(textOf(''))).toThrow(/content: 0 characters, at least 1/)
  })

  test('isComponentError recognizes the errors of assertions only', () => {
    let thrown: unknown
    try {
      assertMessage(invalid)
    } catch (error) {
      thrown = error
    }
    expect(isComponentError(thrown)).toBe(true)
    expect(isComponentError(new Error('another'))).toBe(false)
  })
})

test('a problem says what is missing, wrong or unreadable, and where it is not allowed', () => {
  const messageOf = (result: ReturnType<typeof validateComponent | typeof validateMessage>) =>
    result.ok ? undefined : result.issues[0]?.message
  const unreadable = {
    get flags(): never {
      throw new TypeError('planted')
    },
  }
  expect(messageOf(validateComponent({ type: 10 }))).toBe('required')
  expect(messageOf(validateMessage(unreadable))).toBe('cannot be read')
  expect(messageOf(validateComponent(buttonOf({}), { context: 'modal' }))).toContain('not allowed in modal')
})
