import { Client, isApiError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, type Responder, serve, text } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

async function errorOf(answer: Responder) {
  const server = await serve(answer)
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0 })
  return rejectionOf(client.relationships.sendRequest({ username: 'x', discriminator: null }), isApiError)
}

describe('the envelope of a failure', () => {
  it('nested _errors become field errors, list positions as numbers', async () => {
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
    ['a text', 'plain'],
    ['a list', [1, 2]],
    ['null', null],
    ['errors that is a text', { errors: 'bad' }],
    ['errors that is a list of texts', { errors: ['bad', 'worse'] }],
    ['_errors that is no list', { errors: { a: { _errors: 'bad' } } }],
    ['entries that are null', { errors: { a: { _errors: [null, undefined, 5, []] } } }],
    [
      'entries that cannot become texts',
      { errors: { _errors: [{ code: { toString: 1, valueOf: 1 }, message: [{}] }] } },
    ],
    ['a code that is a text and a message that is none', { code: '50035', message: { toString: null } }],
  ])('%s is no failure of its own', async (_, body) => {
    const error = await errorOf(json(400, body))
    expect(error).toMatchObject({ status: 400, name: 'ApiError', code: undefined, serviceMessage: '' })
    for (const entry of error.fieldErrors)
      expect([typeof entry.code, typeof entry.message]).toEqual(['string', 'string'])
  })

  it('an entry that is a text is a message', async () => {
    const error = await errorOf(json(400, { errors: { a: { _errors: ['bad'] } } }))
    expect(error.fieldErrors).toEqual([{ path: ['a'], code: '', message: 'bad' }])
  })

  it('errors ten thousand levels deep are cut, not followed', async () => {
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

  it('a message is one line of bounded length, whatever the service says', async () => {
    const message = `a\r\nb\u001b[31m\u2028c\u009b${'x'.repeat(100_000)}`
    const error = await errorOf(json(400, { message }))
    expect(error.message.length).toBeLessThan(700)
    expect(error.message).toMatch(/^Send Friend Request failed with status 400: a b \[31m c x+$/)
    expect(error.serviceMessage).toBe(message)
  })

  it('a message shows a bounded number of fields, and fieldErrors all of them', async () => {
    const _errors = Array.from({ length: 5000 }, () => ({ code: 'C', message: `${'m'.repeat(600)}\n` }))
    const error = await errorOf(json(400, { errors: { 'a\nb\u009b\u2028': { _errors } } }))
    expect(error.fieldErrors).toHaveLength(5000)
    expect(error.message.length).toBeLessThan(20_000)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
    expect(error.message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/)
    expect(error.message.split('\n').length).toBeLessThan(25)
  })
})
