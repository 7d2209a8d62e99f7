import {
  Client,
  type ClientOptions,
  ConnectionError,
  isConnectionError,
  isMfaRequiredError,
  isRapportError,
  isRateLimitError,
  isResponseParseError,
  type MfaHandler,
  MfaRequiredError,
  RapportError,
  ResponseMismatchError,
  ResponseParseError,
  TimeoutError,
  WebAuthnError,
} from 'rapport-sdk'
import { createSessionHandler } from 'rapport-sdk/server'
import { describe, expect, it, vi } from 'vitest'
import {
  json,
  mfaRequired,
  noResponse,
  type Responder,
  resetConnection,
  resetDuringBody,
  serve,
  text,
} from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const steppingUp = json(401, {
  code: 60003,
  message: 'Two factor is required',
  mfa: { ticket: 'ticket', methods: [{ type: 'totp' }] },
})
const rejectedCode = json(400, { code: 60008, message: 'Invalid two-factor code' })
const answer: MfaHandler = ({ attempt }) => ({ type: 'totp', code: `00000${attempt}` })

/** Returns the error of a call with these responses. */
async function errorOf(responders: Responder[], options: object = {}): Promise<Error> {
  const server = await serve(...responders)
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, ...options })
  const error = await reasonOf(client.relationships.list())
  if (error instanceof Error) return error
  throw new Error(`no error: ${error}`)
}

describe('the message of an error', () => {
  it.each<[string, Responder, string]>([
    ['a 400', json(400, { code: 7, message: 'No.' }), 'Get Relationships failed with status 400, code 7: No.'],
    ['a 400 without a message', json(400, {}), 'Get Relationships failed with status 400'],
    ['a 401', json(401, {}), 'Get Relationships failed with status 401'],
    ['a 403', json(403, { message: 'No.' }), 'Get Relationships failed with status 403: No.'],
    ['a disabled account', json(400, { code: 20013 }), 'Get Relationships failed with status 400, code 20013'],
    ['a 502', text(502, '<html>'), 'Get Relationships failed with status 502'],
    [
      'a 429 with a wait',
      json(429, {}, { 'retry-after': '90' }),
      'Get Relationships failed with status 429\nTry again in 90000 ms.',
    ],
    ['a 429 without a wait', json(429, {}), 'Get Relationships failed with status 429'],
  ])('says what failed: %s', async (_, responder, message) => {
    expect((await errorOf([responder])).message).toBe(message)
  })

  it('says what failed for an MfaRequiredError without a handler', async () => {
    const error = await errorOf([steppingUp])
    expect(error).toBeInstanceOf(MfaRequiredError)
    expect(error.message).toBe('Get Relationships failed with status 401, code 60003: Two factor is required')
    expect((error as MfaRequiredError).challenge?.methods).toEqual([{ type: 'totp' }])
    expect(Object.keys(error)).not.toContain('challenge')
  })

  it('JSON of an ApiError has its public fields without the body', async () => {
    const error = await errorOf([json(403, { code: 7, message: 'No.', detail: 'more' })])
    expect(error).toHaveProperty('body', { code: 7, message: 'No.', detail: 'more' })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'PermissionError',
      message: 'Get Relationships failed with status 403, code 7: No.',
      status: 403,
      code: 7,
      serviceMessage: 'No.',
      fieldErrors: [],
      endpoint: 'Get Relationships',
      attempts: 1,
    })
  })

  it('names the endpoint and the reason of a ConnectionError', async () => {
    expect((await errorOf([resetConnection])).message).toMatch(/^Get Relationships: \S/)
  })

  it.each<[string, Responder[], MfaHandler, string]>([
    ['cancelled', [steppingUp], () => null, 'MFA was cancelled: the handler returned null.'],
    [
      'rejected three times',
      [steppingUp, rejectedCode, rejectedCode, rejectedCode],
      answer,
      'MFA failed: 3 answers were refused.',
    ],
  ])('says why a second factor was %s', async (_, responders, onMfaRequired, message) => {
    expect((await errorOf(responders, { onMfaRequired })).message).toBe(message)
  })

  it.each([
    ['timeout', 'no response within 30 ms (`timeout`).'],
    ['deadline', 'no response within 30 ms (`deadline`).'],
  ])('names the option of an exceeded %s', async (limit, advice) => {
    const error = await errorOf([noResponse], { [limit]: 30 })
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error.message).toBe(`Get Relationships: ${advice}`)
  })

  it('says how calls of a handler avoid an exceeded mfaTimeout', async () => {
    const error = await errorOf([steppingUp], { mfaTimeout: 30, onMfaRequired: () => new Promise(() => {}) })
    expect(error.message).toBe(
      'Get Relationships: the MFA prompt was not answered within 30 ms (`mfaTimeout`). Calls of ' +
        'the handler need `onMfaRequired: false`.',
    )
  })

  it('names the problem of an unreadable response and of a mismatch', async () => {
    const unreadable = await errorOf([text(200, '<html>')])
    expect(unreadable).toBeInstanceOf(ResponseParseError)
    expect(unreadable.message).toMatch(
      /^Get Relationships succeeded with status 200, but its response cannot be parsed: \S.+/,
    )

    const mismatch = await errorOf([json(200, [{ id: 5 }])], { onResponseMismatch: 'throw' })
    expect(mismatch).toBeInstanceOf(ResponseMismatchError)
    expect(mismatch.message).toMatch(
      /^Get Relationships returned a response that does not match the API:\n {2}\[0\]\.id: \S.+/,
    )
  })

  it('counts the problems of a validation, and says of a call that nothing was sent', async () => {
    const client = new Client({ baseUrl: 'https://service.example/api' })
    const one = await reasonOf(client.relationships.update('100', { nickname: '' }))
    const two = await reasonOf(client.auth.login({ login: 5, password: 7 } as never))
    expect(String(one)).toMatch(/: 1 problem in the input, nothing was sent:\n {2}nickname: \S/)
    expect(String(two)).toMatch(/: 2 problems in the input, nothing was sent:\n {2}login: .+\n {2}password: /)
    const start = () =>
      createSessionHandler({ baseUrl: 'https://service.example', keys: [], origin: 'https://a.example/' })
    expect(start).toThrow(/^createSessionHandler: 2 problems in the input:\n {2}keys: .+\n {2}origin: /)
  })

  it('lists twenty field errors of an ApiError and the number of others', async () => {
    const fields = (count: number) =>
      json(400, {
        code: 50035,
        message: 'Invalid Form Body',
        errors: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`f${at}`, { _errors: [{ code: 'BAD', message: 'bad' }] }]),
        ),
      })
    const all = (await errorOf([fields(20)])).message.split('\n')
    expect(all).toHaveLength(21)
    expect(all.at(-1)).toBe('  f19: bad')
    const some = (await errorOf([fields(23)])).message.split('\n')
    expect(some).toHaveLength(22)
    expect(some.at(-1)).toBe('  … and 3 more in `fieldErrors`')
  })

  it('the name of an error is not enumerable and can be changed', async () => {
    const error = await errorOf([noResponse], { timeout: 20 })
    expect(String(error)).toMatch(/^TimeoutError: /)
    expect(Object.keys(error)).not.toContain('name')
    error.name = 'Mine'
    expect(String(error)).toMatch(/^Mine: /)
    expect(new ConnectionError('Get Relationships', 'gone').name).toBe('ConnectionError')
    expect(new WebAuthnError('cancelled', 'closed')).toBeInstanceOf(RapportError)
  })
})

async function clientFor(responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', retry: 0, ...options }) }
}

describe('the message of a transport error', () => {
  it.each<[string, Responder, string]>([
    ['is empty', text(200, ''), 'it is empty, expected JSON'],
    ['is HTML', text(200, ' \n<html>'), 'it is HTML or XML, not JSON'],
    ['is cut off', text(200, '[{'), 'it is not valid JSON, or truncated'],
    ['is not UTF-8', text(200, Buffer.from([0x22, 0xff, 0x22])), 'it is not valid UTF-8'],
    ['is too large', text(200, `"${'x'.repeat(100)}"`), 'it is larger than 100 bytes (`maxResponseBytes`)'],
  ])('names the reason of a successful response that %s', async (_, responder, reason) => {
    const { client } = await clientFor([responder], { maxResponseBytes: 100 })
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error.message).toBe(
      `Get Relationships succeeded with status 200, but its response cannot be parsed: ${reason}`,
    )
    expect(error).toMatchObject({ status: 200, endpoint: 'Get Relationships' })
  })

  it('names the bytes received of a successful response that is cut off', async () => {
    const { client } = await clientFor([resetDuringBody])
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error.message).toMatch(/: the connection broke after 7 bytes$/)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('says to check baseUrl for a redirect', async () => {
    const { client } = await clientFor([text(307, '', { location: 'https://elsewhere.example' })])
    const error = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(error.message).toBe(
      'Get Relationships: the response is a redirect, which is not followed: it could send secrets to another origin. Check `baseUrl`.',
    )
  })

  it('names the origin of an unreachable service', async () => {
    const { server, client } = await clientFor([resetConnection])
    const error = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(error.message).toBe(
      `Get Relationships: no response to GET from ${new URL(server.url).origin}. Check the connection and \`baseUrl\`.`,
    )
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('says which options to raise for a call that a known rate limit blocks', async () => {
    const { client, server } = await clientFor([json(429, {}, { 'retry-after': '30' })], { retry: 1 })
    const control = new AbortController()
    const rateLimited = new Promise((resolve) => client.on('rateLimited', resolve))
    const patient = reasonOf(client.relationships.list({ signal: control.signal }))
    await rateLimited
    const impatient = client.relationships.list({ retry: { maxRateLimitWaitMs: 1000 } })
    const error = await rejectionOf(impatient, isRateLimitError)
    control.abort()
    await patient
    expect(error.message).toMatch(
      /^Get Relationships failed with status 429\nNo request was sent: the service has asked to wait, and `limit`, `maxRateLimitWaitMs` or `deadline` is too low\. Try again in \d+ ms\.$/,
    )
    expect(error).toMatchObject({ status: 429, global: false, fieldErrors: [], body: undefined })
    expect(server.requests).toHaveLength(1)
  })

  it('names the reason of a second factor that cannot be obtained', async () => {
    const handler = vi.fn(() => ({ type: 'totp', code: '123456' }) as const)
    const { client } = await clientFor(
      [
        json(401, { code: 60003, message: 'Two factor is required', mfa: { ticket: 5 } }),
        mfaRequired('one'),
        json(200, { token: 'jwt' }),
        mfaRequired('two'),
        json(200, { token: 'jwt-2' }),
        mfaRequired('three'),
        mfaRequired('four'),
      ],
      { onMfaRequired: handler },
    )
    const advice = async (call: Promise<unknown>) =>
      (await rejectionOf(call, isMfaRequiredError)).message.split('\n')[1]

    expect(await advice(client.relationships.list())).toBe('The response contains nothing to verify.')
    expect(await advice(client.relationships.list())).toBe(
      'The service requires a second factor again although one was verified. Check that no proxy ' +
        'removes the header x-service-mfa-authorization (`mfaHeader`). Prompts are blocked for 5 minutes.',
    )
    const body = new Blob(['x']).stream()
    expect(await advice(client.request({ method: 'POST', path: '/upload', body }))).toBe(
      'A stream can be sent only once: verify `error.challenge`, then call with a new stream.',
    )
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('names the disposed client for a pending call and for a later one', async () => {
    const { client, server } = await clientFor([noResponse])
    const open = reasonOf(client.relationships.list())
    await server.waitForRequests(1)
    client.dispose()

    const ended = await open
    const later = await rejectionOf(client.relationships.list(), isRapportError)
    expect(String(ended)).toBe('RapportError: The client was disposed.')
    expect(later.message).toBe('Get Relationships: the client was disposed.')
  })
})
