import { inspect } from 'node:util'
import { Client, type ClientOptions, isApiError, isMfaRequiredError, isRateLimitError } from 'rapport-sdk'
import { createClient, relationships } from 'rapport-sdk/core'
import { describe, expect, test, vi } from 'vitest'
import { json, noContent, type RecordedRequest, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const TICKET = 'the-ticket-of-another-service'
const CODE = '123456'

/** Options for a service whose envelope, limits, step-up and failure codes differ from every convention. */
const options: Omit<ClientOptions, 'baseUrl'> = {
  token: 'ada',
  authorize: (token) => `Bearer ${token}`,
  mfaHeader: 'X-Second-Factor',
  readError({ body }) {
    const { number, text, fields, factor } = Object(Object(body).failure)
    return {
      code: number,
      message: text,
      fieldErrors: fields?.map((field: { at: string; why: string }) => ({
        path: field.at.split('/'),
        code: 'INVALID',
        message: field.why,
      })),
      mfa: factor && { ticket: factor.handle, methods: factor.kinds.map((type: string) => ({ type })) },
    }
  },
  readRateLimit: ({ status, body }) => (status === 429 ? { retryAfterMs: Object(body).failure.retry_after } : {}),
  isStepUp: ({ status, body }) => status === 403 && Object(body).failure?.factor !== undefined,
  classifyMfaFailure: (error) => (isApiError(error) && error.status === 409 ? 'refused' : 'fatal'),
}

const fail = (status: number, failure: object) => json(status, { failure })
const stepUp = fail(403, { number: 7, text: 'Second factor, please', factor: { handle: TICKET, kinds: ['totp'] } })

/** Answers like that service: each call needs a verification, and the first code is wrong. */
function answer({ url, headers, body }: RecordedRequest) {
  if (headers.authorization !== 'Bearer ada') return fail(401, { number: 1, text: 'Who are you?' })
  if (url === '/mfa/finish') {
    const { ticket, data } = JSON.parse(body.toString())
    return ticket === TICKET && data === CODE ? json(200, { token: 'jwt' }) : fail(409, { number: 8, text: 'Wrong' })
  }
  return headers['x-second-factor'] === 'jwt' ? noContent : stepUp
}

describe('a service whose conventions are others', () => {
  test('a step-up that is refused as 403 with another shape is verified, after a wrong code, and the call repeated', async () => {
    const server = (await serve()).fallback(answer)
    const codes = ['000000', CODE]
    const onMfaRequired = vi.fn(() => ({ type: 'totp' as const, code: codes.shift() ?? '' }))
    const client = new Client({ baseUrl: server.url, ...options, onMfaRequired })
    await client.relationships.delete('42')
    expect(onMfaRequired).toHaveBeenCalledTimes(2)
    const path = '/users/@me/relationships/42'
    expect(server.requests.map(({ url }) => url)).toEqual([path, '/mfa/finish', '/mfa/finish', path])
  })

  test('without a handler, the error has the code and the message of that envelope, and a challenge', async () => {
    const server = (await serve()).fallback(answer)
    const client = new Client({ baseUrl: server.url, ...options })
    const error = await rejectionOf(client.relationships.delete('42'), isMfaRequiredError)
    expect(error).toMatchObject({ status: 403, code: 7, serviceMessage: 'Second factor, please' })
    await error.challenge?.verify({ type: 'totp', code: CODE })
    expect(await client.relationships.delete('42')).toBeUndefined()
  })

  test('a ticket of any name is redacted in errors and in every log line', async () => {
    const server = (await serve()).fallback(answer)
    const lines: string[] = []
    const write = (message: string, details?: unknown) => void lines.push(message, JSON.stringify(details))
    const client = new Client({ baseUrl: server.url, ...options, logger: { debug: write, info: write, warn: write } })
    const error = await rejectionOf(client.relationships.delete('42'), isMfaRequiredError)
    expect([...lines, String(error), JSON.stringify(error), JSON.stringify(error.body)].join()).not.toContain(TICKET)
  })

  test('`readError` may return the object in an envelope, whose tree `errors` becomes the field errors', async () => {
    const errors = { profile: { bio: { _errors: [{ code: 'TOO_LONG', message: 'Too long.' }] } } }
    const server = await serve(json(400, { error: { code: 50035, message: 'Invalid', errors } }))
    const client = new Client({ baseUrl: server.url, token: 'ada', readError: ({ body }) => Object(body).error })
    const error = await rejectionOf(client.relationships.delete('42'), isApiError)
    expect(error.fieldErrors).toEqual([{ path: ['profile', 'bio'], code: 'TOO_LONG', message: 'Too long.' }])
  })

  test('a client without the part `mfa` recognizes that step-up too', async () => {
    const server = await serve(stepUp)
    const { authorize, readError, isStepUp } = options
    const client = createClient(
      { baseUrl: server.url, token: 'ada', authorize, readError, isStepUp },
      { relationships },
    )
    expect((await rejectionOf(client.relationships.delete('42'), isMfaRequiredError)).message).toContain('part `mfa`')
  })

  test('field errors, the code and the message are read from that envelope', async () => {
    const fields = [{ at: 'user/name', why: 'too short' }]
    const server = await serve(fail(400, { number: 9, text: 'Not like this', fields }))
    const client = new Client({ baseUrl: server.url, ...options })
    expect(await rejectionOf(client.relationships.delete('42'), isApiError)).toMatchObject({
      code: 9,
      serviceMessage: 'Not like this',
      fieldErrors: [{ path: ['user', 'name'], code: 'INVALID', message: 'too short' }],
    })
  })

  test('codes 20011 and 20013 of that envelope are accounts that can be restored', async () => {
    const server = await serve(fail(403, { number: 20013, text: 'Disabled' }))
    const client = new Client({ baseUrl: server.url, ...options })
    const login = client.auth.login({ login: 'ada@example.test', password: 'correct horse' })
    expect(await login.catch((error: Error) => error.name)).toBe('AccountDisabledError')
  })

  test('a retry_after in milliseconds is read as such', async () => {
    const server = await serve(fail(429, { number: 2, text: 'Slowly', retry_after: 3_600_000 }))
    const client = new Client({ baseUrl: server.url, ...options })
    const error = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(error.retryAfterMs).toBe(3_600_000)
  })
})

describe('options that misbehave', () => {
  test('a readError or isStepUp that throws is reported once for a response, and the call fails with its status', async () => {
    const server = await serve(json(401, { code: 60003, message: 'MFA', mfa: { ticket: 'x', methods: [] } }))
    const error = vi.fn()
    const broken = () => {
      throw new Error('broken')
    }
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      logger: { error },
      readError: broken,
      isStepUp: broken,
    })
    expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({
      name: 'AuthenticationError',
      code: 60003,
    })
    expect(error).toHaveBeenCalledTimes(2)
  })

  test.each([undefined, null, 'text', 5, { code: '5', message: {}, fieldErrors: [null, { path: 5 }], mfa: 'x' }])(
    'a readError that returns %j fails no call otherwise than by its status',
    async (content) => {
      const server = await serve(json(400, { code: 1 }))
      // @ts-expect-error JavaScript may return anything.
      const client = new Client({ baseUrl: server.url, token: 'ada', readError: () => content })
      expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({
        status: 400,
        code: undefined,
        serviceMessage: '',
      })
    },
  )

  test('secrets in what readError returns are redacted', async () => {
    const server = await serve(json(400, {}))
    const token = 'the-token-of-ada'
    const readError = () => ({
      message: `${token} is wrong`,
      fieldErrors: [{ path: [token], code: token, message: token }],
    })
    const client = new Client({ baseUrl: server.url, token, readError })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expect(`${error} ${JSON.stringify(error)} ${JSON.stringify(error.fieldErrors)}`).not.toContain(token)
  })

  test('a ticket that readError finds is not logged, whatever its field is called', async () => {
    const server = await serve(stepUp)
    const lines: unknown[] = []
    const debug = (...line: unknown[]) => lines.push(...line)
    const client = new Client({ ...options, baseUrl: server.url, logger: { debug, warn: debug } })
    await rejectionOf(client.relationships.list(), isMfaRequiredError)
    expect(lines.length).toBeGreaterThan(2)
    expect(JSON.stringify(lines)).toContain('kinds')
    expect(JSON.stringify(lines)).not.toContain(TICKET)
  })

  test.each(['readError', 'isStepUp', 'readRateLimit'])(
    'the error of the option %s is reported without the secrets that it quotes',
    async (option) => {
      const body = { message: 'the-token-of-ada', mfa: { ticket: 'the-ticket' } }
      const server = await serve(json(401, body))
      const error = vi.fn()
      const broken = (response: { readonly body: unknown }) => {
        throw new Error(`cannot read ${JSON.stringify(response.body)}`)
      }
      const client = new Client({ baseUrl: server.url, token: 'the-token-of-ada', logger: { error }, [option]: broken })
      await rejectionOf(client.relationships.list(), isApiError)
      expect(String(error.mock.lastCall?.[1])).toMatch(/^Error: cannot read .*redacted/)
      expect(inspect(error.mock.calls)).not.toMatch(/the-token-of-ada|the-ticket/)
    },
  )
})
