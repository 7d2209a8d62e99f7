import { isRapportError, isRequestValidationError, RequestValidationError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { validationErrorOf } from './param-table'

test('a validation error says what failed, that nothing was sent, and each problem on its own line', async () => {
  const error = await validationErrorOf('client.relationships.create', '101', {
    type: 9,
    note: 'x'.repeat(121),
    extra: true,
  })
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

test('an issue has a path, a code, a message, the limit and the actual value', async () => {
  const { issues } = await validationErrorOf('client.auth.sessions.logout', { session_id_hashes: [] })
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

test.each([
  [null, 'got null'],
  [true, 'got true'],
  [5, 'got the number 5'],
  [5n, 'got a bigint'],
  [[], 'got an array'],
  [{}, 'got an object'],
  [() => 5, 'got a function'],
  [Symbol('a'), 'got a symbol'],
])('a validation error describes %o: %s', async (nickname, description) => {
  const { message } = await validationErrorOf('client.relationships.update', '101', { nickname })
  expect(message).toContain(`nickname: expected a string, ${description}`)
})

test('a validation error of a missing field names its type', async () => {
  const { message } = await validationErrorOf('client.relationships.addBulk', {})
  expect(message).toContain('user_ids: required: an array')
  expect(message).toContain('token: required: a string')
})

test('a validation error of a missing field says that it may be null', async () => {
  const { message } = await validationErrorOf('client.relationships.sendRequest', {})
  expect(message).toContain('username: required: a string\n')
  expect(message).toContain('discriminator: required: a string or null')
})

test('a validation error does not quote a long string', async () => {
  const { message } = await validationErrorOf('client.relationships.create', '101', { type: 'x'.repeat(5000) })
  expect(message).toContain('got a long string')
  expect(message.length).toBeLessThan(400)
})

test('a validation error names the path of a nested field', async () => {
  const widgets = [{ data: { type: 'played_games', games: [{ game_id: 5 }] } }]
  const { message } = await validationErrorOf('client.widgets.replace', { widgets })
  expect(message).toContain('widgets[0].data.games[0].game_id: expected a string, got the number 5')
})

const widgetOf = (data: object) => ({ widgets: [{ data }] })
test.each<[string, string, readonly unknown[]]>([
  [
    'widgets[0].data.games: an application widget has no games',
    'client.widgets.replace',
    [widgetOf({ type: 'application', application_id: '200', games: [{ game_id: '1' }] })],
  ],
  [
    'widgets[0].data.application_id: a played_games widget has no application_id',
    'client.widgets.replace',
    [widgetOf({ type: 'played_games', application_id: '200' })],
  ],
  [
    'widgets[0].data.games: 2 games, at most 1 on a favorite_games widget',
    'client.widgets.replace',
    [widgetOf({ type: 'favorite_games', games: [{ game_id: '1' }, { game_id: '2' }] })],
  ],
  [
    'key of 1025 characters, at most 1024',
    'client.identities.updateProfile',
    ['200', '100', 'p7', { metadata: { ['k'.repeat(1025)]: 1 } }],
  ],
  [
    'metadata: 26 keys, at most 25',
    'client.identities.updateProfile',
    ['200', '100', 'p7', { metadata: Object.fromEntries(Array.from({ length: 26 }, (_, index) => [index, 1])) }],
  ],
  ['username: required: a username or a global_name', 'client.auth.register', [{ consent: true }]],
])('a validation error explains: %s', async (text, call, args) => {
  expect((await validationErrorOf(call, ...args)).message).toContain(text)
})

test('a validation error of an unknown field lists the known fields of its level', async () => {
  const game = { game_id: '1', comments: 'a' }
  const { message } = await validationErrorOf('client.widgets.replace', {
    widgets: [{ data: { type: 'played_games', games: [game] } }],
  })
  expect(message).toContain('widgets[0].data.games[0].comments: unknown field; known fields: game_id, comment, tags')
})
