import { Client, isApiError } from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, type Responder, serve, text } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

/** Returns the error of a call with this response. */
async function errorOf(responder: Responder) {
  const server = await serve(responder)
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0 })
  return rejectionOf(client.relationships.sendRequest({ username: 'x', discriminator: null }), isApiError)
}

it('nested _errors become field errors, with array indexes as numbers', async () => {
  const error = await errorOf(
    json(400, {
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        username: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
        list: {
          0: {
            name: {
              _errors: [
                { code: 'TOO_LONG', message: 'Too long' },
                { code: 'BAD', message: 'Bad' },
              ],
            },
          },
        },
        array: [{ _errors: [{ code: 'IN_LIST', message: 'In a list' }] }],
        _errors: [{ code: 'WHOLE', message: 'As a whole' }],
      },
    }),
  )

  expect(error).toMatchObject({ status: 400, code: 50035, serviceMessage: 'Invalid Form Body' })
  expect(error.endpoint).toBe('Send Friend Request')
  expect(error.fieldErrors).toEqual([
    { path: ['username'], code: 'BASE_TYPE_REQUIRED', message: 'This field is required' },
    { path: ['list', 0, 'name'], code: 'TOO_LONG', message: 'Too long' },
    { path: ['list', 0, 'name'], code: 'BAD', message: 'Bad' },
    { path: ['array', 0], code: 'IN_LIST', message: 'In a list' },
    { path: [], code: 'WHOLE', message: 'As a whole' },
  ])
  expect(error.message.split('\n').slice(0, 2)).toEqual([
    'Send Friend Request failed with status 400, code 50035: Invalid Form Body',
    '  username: This field is required',
  ])
})

it.each<[string, unknown]>([
  ['a string', 'plain'],
  ['an array', [1, 2]],
  ['null', null],
  ['a string as errors', { errors: 'bad' }],
  ['an array of strings as errors', { errors: ['bad', 'worse'] }],
  ['a string as _errors', { errors: { a: { _errors: 'bad' } } }],
  ['invalid entries of _errors', { errors: { a: { _errors: [null, undefined, 5, []] } } }],
  [
    'entries of _errors that cannot become strings',
    { errors: { _errors: [{ code: { toString: 1, valueOf: 1 }, message: [{}] }] } },
  ],
  ['a string as code and an object as message', { code: '50035', message: { toString: null } }],
])('an error response with %s throws the ApiError of its status', async (_, body) => {
  const error = await errorOf(json(400, body))
  expect(error).toMatchObject({ status: 400, name: 'ApiError', code: undefined, serviceMessage: '' })
  for (const entry of error.fieldErrors) expect([typeof entry.code, typeof entry.message]).toEqual(['string', 'string'])
})

it('errors that are nested ten thousand levels deep are ignored', async () => {
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
  ] as const) {
    const deep = `${open.repeat(10_000)}{"_errors":[{"message":"m"}]}${close.repeat(10_000)}`
    const error = await errorOf(text(400, `{"code":1,"errors":${deep}}`))
    expect(error).toMatchObject({ code: 1, fieldErrors: [] })
  }
  const code = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const error = await errorOf(
    text(400, `{"errors":{"_errors":[{"code":${code},"message":${code}}]},"message":${code}}`),
  )
  expect(error.serviceMessage).toBe('')
})

it('a message of the service is shown as one line of bounded length', async () => {
  const message = `a\r\nb\u001b[31m\u2028c\u009b${'x'.repeat(100_000)}`
  const error = await errorOf(json(400, { message }))
  expect(error.message.length).toBeLessThan(700)
  expect(error.message).toMatch(/^Send Friend Request failed with status 400: a b \[31m c x+…$/)
  expect(error.serviceMessage).toBe(message)
})

it('a message shows a bounded number of field errors, and fieldErrors has all of them', async () => {
  const _errors = Array.from({ length: 5000 }, () => ({ code: 'C', message: `${'m'.repeat(600)}\n` }))
  const error = await errorOf(json(400, { errors: { 'a\nb\u009b\u2028': { _errors } } }))
  expect(error.fieldErrors).toHaveLength(5000)
  expect(error.message.length).toBeLessThan(20_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
  expect(error.message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/)
  expect(error.message.split('\n').length).toBeLessThan(25)
})
