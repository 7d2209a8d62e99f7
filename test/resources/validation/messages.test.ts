import { isRapportError, isRequestValidationError, RequestValidationError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { refusal } from './refusal'

test('an error says what failed, that nothing was sent, and every problem on a line of its own', async () => {
  const error = await refusal('client.relationships.create', '101', { type: 9, note: 'x'.repeat(121), extra: true })
  expect(error).toBeInstanceOf(RequestValidationError)
  expect(isRequestValidationError(error) && isRapportError(error)).toBe(true)
  expect(error.name).toBe('RequestValidationError')
  expect(error.endpoint).toBe('Create Relationship')
  expect(error.message.split('\n')).toEqual([
    'Create Relationship: 3 problems in the input, nothing was sent:',
    '  type: expected one of -1, 0, 1, 2, 3, 4, 5, got the number 9',
    '  note: 121 characters, at most 120',
    '  extra: unknown field; known fields: type, from_friend_suggestion, confirm_stranger_request, note',
  ])
})

test('an issue has a path, a code, a message, the limit and what was given', async () => {
  const { issues } = await refusal('client.auth.sessions.logout', { session_id_hashes: [] })
  expect(issues).toEqual([
    {
      path: ['session_id_hashes'],
      code: 'too_few',
      message: '0 items, at least 1',
      limit: 1,
      actual: 0,
      severity: 'error',
    },
  ])
})

// What was given, in words.
test.each([
  [null, 'got null'],
  [true, 'got true'],
  [5, 'got the number 5'],
  [5n, 'got a bigint'],
  [[], 'got an array'],
  [{}, 'got an object'],
  [() => 5, 'got a function'],
  [Symbol('a'), 'got a symbol'],
])('a nickname that is %o is told as "%s"', async (nickname, words) => {
  const { message } = await refusal('client.relationships.update', '101', { nickname })
  expect(message).toContain(`nickname: expected a string, ${words}`)
})

test('a missing field is told with what it should be', async () => {
  const { message } = await refusal('client.relationships.addBulk', {})
  expect(message).toContain('user_ids: required: an array')
  expect(message).toContain('token: required: a string')
})

test('a long text is not repeated', async () => {
  const { message } = await refusal('client.relationships.create', '101', { type: 'x'.repeat(5000) })
  expect(message).toContain('got a long string')
  expect(message.length).toBeLessThan(400)
})

test('an issue deep in a list is told by its place', async () => {
  const widgets = [{ data: { type: 'played_games', games: [{ game_id: 5 }] } }]
  const { message } = await refusal('client.widgets.replace', { widgets })
  expect(message).toContain('widgets[0].data.games[0].game_id: expected a string, got the number 5')
})

test('every field that is unknown is told with those that are known, at every level', async () => {
  const dynamic = [{ name: 'a', type: 1, value: 'a', unit: 'm' }]
  const { message } = await refusal('client.identities.updateProfile', '200', '100', 'p7', { data: { dynamic } })
  expect(message).toContain('data.dynamic[0].unit: unknown field; known fields: name, type, value')
})
