import { assertMessage, button, isComponentError, validateMessage } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { errorsOf } from './problems'
import { rowOf, smallest, TYPE_VALUES, TYPES } from './wire'

describe.each(TYPE_VALUES)('a component of type %i', (type) => {
  test.each(['message', 'modal'] as const)('is no %s, and is told so alone', (as) => {
    expect(errorsOf({ as, value: smallest[type]() })).toEqual([
      {
        path: [],
        code: 'invalid_type',
        message: `expected ${as}, got ${TYPES[type]}`,
        severity: 'error',
      },
    ])
  })
})

test('what a factory makes is told apart as well, by assertMessage too', () => {
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

// The document does not show a message's type, nor all that a message has.
test.each([
  ['nothing', {}],
  ['a type that no component has', { type: 0, components: [rowOf()] }],
  ['a type and a text', { type: 2, content: 'Hello' }],
  ['a type and an ID of its own', { type: 10, id: '123', content: 'Hello' }],
  ['a type and a field that the document does not show', { type: 19, tts: false }],
  ['a type and flags', { type: 17, flags: 0, components: [rowOf()] }],
])('a message may have %s', (_, value) => {
  expect(errorsOf({ as: 'message', value })).toEqual([])
})
