import {
  Client,
  ConnectionError,
  type MfaHandler,
  MfaRequiredError,
  RapportError,
  ResponseMismatchError,
  ResponseParseError,
  TimeoutError,
  WebAuthnError,
} from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, noResponse, type Responder, resetConnection, serve, text } from '../servers/http-server'
import { reasonOf } from '../transport/rejection'

const mfaRequired = json(401, {
  code: 60003,
  message: 'Two factor is required',
  mfa: { ticket: 'ticket', methods: [{ type: 'totp' }] },
})
const refused = json(400, { code: 60008, message: 'Invalid two-factor code' })
const answer: MfaHandler = () => ({ type: 'totp', code: '000000' })

/** What the list of relationships fails with, where the service answers like this. */
async function failure(answers: Responder[], options: object = {}): Promise<Error> {
  const server = await serve(...answers)
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, ...options })
  const error = await reasonOf(client.relationships.list())
  if (error instanceof Error) return error
  throw new Error(`no error: ${error}`)
}

describe('what errors say: what failed, with what, and what to do', () => {
  it.each<[string, Responder, string]>([
    ['a refusal', json(400, { code: 7, message: 'No.' }), 'Get Relationships failed with status 400, code 7: No.'],
    ['a refusal in no words', json(400, {}), 'Get Relationships failed with status 400'],
    [
      'a token that is not accepted',
      json(401, {}),
      'Get Relationships failed with status 401\nSign in, or check the token and the `authorize` option.',
    ],
    ['a missing permission', json(403, { message: 'No.' }), 'Get Relationships failed with status 403: No.'],
    [
      'an account that can be had back',
      json(400, { code: 20013 }),
      'Get Relationships failed with status 400, code 20013\nRepeat the call with `undelete: true` to restore the account.',
    ],
    ['a failing service', text(502, '<html>'), 'Get Relationships failed with status 502'],
    [
      'a limit with a wait',
      json(429, {}, { 'retry-after': '90' }),
      'Get Relationships failed with status 429\nTry again in 90000 ms.',
    ],
    ['a limit without one', json(429, {}), 'Get Relationships failed with status 429\nTry again later.'],
  ])('%s', async (_, given, message) => {
    expect((await failure([given])).message).toBe(message)
  })

  it('a second factor without a handler', async () => {
    const error = await failure([mfaRequired])
    expect(error).toBeInstanceOf(MfaRequiredError)
    expect(error.message).toBe(
      'Get Relationships failed with status 401, code 60003: Two factor is required\n' +
        'Give an `onMfaRequired` handler, or verify `error.challenge` and repeat the call.',
    )
    expect((error as MfaRequiredError).challenge?.methods).toEqual([{ type: 'totp' }])
    expect(Object.keys(error)).not.toContain('challenge')
  })

  it('JSON, which has the facts and leaves the body out', async () => {
    const error = await failure([json(403, { code: 7, message: 'No.', detail: 'more' })])
    expect(error).toHaveProperty('body', { code: 7, message: 'No.', detail: 'more' })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'PermissionError',
      message: 'Get Relationships failed with status 403, code 7: No.',
      status: 403,
      code: 7,
      serviceMessage: 'No.',
      fieldErrors: [],
      endpoint: 'Get Relationships',
    })
  })

  it('a connection that breaks', async () => {
    expect((await failure([resetConnection])).message).toMatch(/^Get Relationships: \S/)
  })

  it.each<[string, Responder[], MfaHandler, string]>([
    [
      'that is cancelled',
      [mfaRequired],
      () => null,
      'MFA was cancelled: the handler gave null. The next call prompts again.',
    ],
    [
      'that is refused three times',
      [mfaRequired, refused, refused, refused],
      answer,
      'MFA failed: 3 answers were refused. The next call prompts again.',
    ],
  ])('a second factor %s', async (_, answers, onMfaRequired, message) => {
    expect((await failure(answers, { onMfaRequired })).message).toBe(message)
  })

  it.each([
    ['timeout', 'no response within 30 ms (`timeout`). Increase `timeout` if more time is needed.'],
    ['deadline', 'no response within 30 ms (`deadline`). Increase `deadline` if the call needs more time.'],
  ])('a passed %s', async (limit, words) => {
    const error = await failure([noResponse], { [limit]: 30 })
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error.message).toBe(`Get Relationships: ${words}`)
  })

  it('a passed mfaTimeout', async () => {
    const error = await failure([mfaRequired], { mfaTimeout: 30, onMfaRequired: () => new Promise(() => {}) })
    expect(error.message).toBe(
      'Get Relationships: the MFA prompt was not answered within 30 ms (`mfaTimeout`). Increase `mfaTimeout` if users ' +
        'need more time. If the handler makes calls, pass `onMfaRequired: false` to them; otherwise they wait for their ' +
        'own prompt.',
    )
  })

  it('a success that cannot be read, and one that the interface does not describe', async () => {
    const unreadable = await failure([text(200, '<html>')])
    expect(unreadable).toBeInstanceOf(ResponseParseError)
    expect(unreadable.message).toMatch(
      /^Get Relationships succeeded with status 200, but its response cannot be parsed: \S.+/,
    )

    const other = await failure([json(200, [{ id: 5 }])], { onResponseMismatch: 'throw' })
    expect(other).toBeInstanceOf(ResponseMismatchError)
    expect(other.message).toMatch(
      /^Get Relationships returned a response that does not match the interface:\n {2}\[0\]\.id: \S.+/,
    )
  })

  it('one problem and several problems in the input', async () => {
    const client = new Client({ baseUrl: 'https://service.example/api' })
    const one = await reasonOf(client.relationships.update('100', { nickname: '' }))
    const two = await reasonOf(client.auth.login({ login: 5, password: 7 } as never))
    expect(String(one)).toMatch(/: 1 problem in the input, nothing was sent:\n {2}nickname: \S/)
    expect(String(two)).toMatch(/: 2 problems in the input, nothing was sent:\n {2}login: .+\n {2}password: /)
  })

  it('twenty of many fields, and how many more there are', async () => {
    const fields = (count: number) =>
      json(400, {
        code: 50035,
        message: 'Invalid Form Body',
        errors: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`f${at}`, { _errors: [{ code: 'BAD', message: 'bad' }] }]),
        ),
      })
    const all = (await failure([fields(20)])).message.split('\n')
    expect(all).toHaveLength(21)
    expect(all.at(-1)).toBe('  f19: bad')
    const some = (await failure([fields(23)])).message.split('\n')
    expect(some).toHaveLength(22)
    expect(some.at(-1)).toBe('  … and 3 more in `fieldErrors`')
  })

  it('a name that is found on the class, may be changed on one error, and is not listed', async () => {
    const error = await failure([noResponse], { timeout: 20 })
    expect(String(error)).toMatch(/^TimeoutError: /)
    expect(Object.keys(error)).not.toContain('name')
    error.name = 'Mine'
    expect(String(error)).toMatch(/^Mine: /)
    expect(new ConnectionError('Get Relationships', 'gone').name).toBe('ConnectionError')
    expect(new WebAuthnError('cancelled', 'closed')).toBeInstanceOf(RapportError)
  })
})
