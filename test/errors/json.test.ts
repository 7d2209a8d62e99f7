import { once } from 'node:events'
import { inspect } from 'node:util'
import { MessageChannel } from 'node:worker_threads'
import * as sdk from 'rapport-sdk'
import {
  Client,
  errorFromJSON,
  explain,
  isApiError,
  isAuthenticationError,
  isMfaCancelledError,
  isMfaFailedError,
  isNotFoundError,
  isRapportError,
  isRateLimitError,
  isRequestValidationError,
  NotFoundError,
  RapportError,
} from 'rapport-sdk'
import { assertComponent, isComponentError } from 'rapport-sdk/components'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

/** Sends an error through a message port, as a worker does. */
async function post(error: RapportError): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  port1.postMessage(error.toJSON())
  const [data] = await once(port2, 'message')
  port1.close()
  return data
}

const ways: [string, (error: RapportError) => unknown][] = [
  ['postMessage', post],
  ['structuredClone', (error) => structuredClone(error.toJSON())],
  ['a JSON text', (error) => JSON.parse(JSON.stringify(error))],
]

describe.each(ways)('an error that is sent by %s', (_, send) => {
  const restore = async (error: RapportError) => errorFromJSON(await send(error))

  it('has its name, message, code, status and fields, and its guards and class hold', async () => {
    const errors = { note: { _errors: [{ code: 'BLOCKED', message: 'Be kind.' }] } }
    const server = await serve(json(404, { code: 7, message: 'No.', errors }, { 'x-request-id': 'r-1' }))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    const restored = await restore(error)
    expect(restored).toMatchObject({
      name: 'NotFoundError',
      message: error.message,
      status: 404,
      code: 7,
      serviceMessage: 'No.',
      fieldErrors: error.fieldErrors,
      endpoint: 'Get Relationships',
      attempts: 1,
      requestId: 'r-1',
    })
    expect([isNotFoundError(restored), isApiError(restored), isRateLimitError(restored)]).toEqual([true, true, false])
    expect(restored).toBeInstanceOf(NotFoundError)
    expect(restored).toBeInstanceOf(Error)
    expect(restored.stack).toContain(`NotFoundError: ${error.message}`)
    expect(explain(restored)).toEqual(explain(error))
    if (isApiError(restored)) expect([restored.body, [...restored.headers]]).toEqual([undefined, []])
    expect(restored.toJSON()).toEqual(error.toJSON())
  })

  it('has its issues, of values that no clone can contain too', async () => {
    const client = new Client({ baseUrl: 'https://service.example' })
    const invalid = { username: 'x', discriminator: null, note: 'x'.repeat(121) }
    const error = await rejectionOf(client.relationships.sendRequest(invalid), isRequestValidationError)
    const restored = await restore(error)
    expect(isRequestValidationError(restored) && restored.issues).toEqual(error.issues)
    for (const value of [() => {}, Symbol('x'), 5n]) {
      try {
        assertComponent(value)
      } catch (thrown) {
        expect(isComponentError(await restore(thrown as RapportError))).toBe(true)
        continue
      }
      expect.unreachable()
    }
  })

  it('has its cause: an error of this package, another error with its code, or a string', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.com', mfa: ['totp'] })
    const options = { baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) }
    const logout = (onMfaRequired: sdk.MfaHandler) =>
      new Client({ ...options, onMfaRequired }).auth.sessions.logout({ session_id_hashes: ['x'] })
    const failed = await restore(
      await rejectionOf(
        logout(() => ({ type: 'totp', code: '000000' })),
        isMfaFailedError,
      ),
    )
    expect(isApiError(failed.cause) && failed.cause.serviceMessage).toBe('Invalid two-factor code')

    const nested = Object.assign(new TypeError('outer', { cause: new RangeError('inner') }), { code: 'E_OUTER' })
    for (const thrown of [nested, 'a string']) {
      const cancelled = await rejectionOf(
        logout(() => {
          throw thrown
        }),
        isMfaCancelledError,
      )
      const { cause } = await restore(cancelled)
      if (typeof thrown === 'string') expect(cause).toBe(thrown)
      else {
        expect(cause).toMatchObject({ name: 'TypeError', message: 'outer', code: 'E_OUTER' })
        expect(cause).toBeInstanceOf(Error)
        expect((cause as Error).cause).toMatchObject({ name: 'RangeError', message: 'inner' })
      }
    }
  })

  it('has nested causes, without the content of objects and of an error that is its own cause', async () => {
    const leaking = Object.assign(new TypeError('inner'), { toJSON: () => ({ config: 'secret' }), config: 'secret' })
    const nested = new RapportError('outer', { cause: new RapportError('middle', { cause: leaking }) })
    expect(JSON.stringify(await send(nested))).not.toContain('secret')
    expect(await restore(nested)).toMatchObject({ cause: { message: 'middle', cause: { message: 'inner' } } })
    expect((await restore(new RapportError('outer', { cause: { token: 'secret' } }))).cause).toBe('an object')
    leaking.cause = leaking
    expect((await restore(nested)).message).toBe('outer')
  })

  it('has no challenge, no body and no stack of the sender', async () => {
    const server = await serve(mfaRequired('a-secret-ticket', [{ type: 'totp' }]))
    const client = new Client({ baseUrl: server.url, token: 'a-secret-token' })
    const error = await rejectionOf(client.relationships.list(), sdk.isMfaRequiredError)
    expect(error.challenge).toBeDefined()
    const sent = await send(error)
    expect(inspect(sent, { depth: Infinity })).not.toMatch(/a-secret|\.test\.ts/)
    const restored = errorFromJSON(sent)
    expect(sdk.isMfaRequiredError(restored) && restored.challenge).toBeUndefined()
    expect(explain(restored).action).toBe('verify')
  })
})

describe('errorFromJSON', () => {
  const classes = Object.values(sdk).filter(
    (value): value is typeof RapportError =>
      typeof value === 'function' && (value === RapportError || value.prototype instanceof RapportError),
  )

  it.each(classes.map((type) => [type.name, type] as const))('restores a %s', (name, type) => {
    expect(classes.length).toBeGreaterThan(18)
    const fields = { status: 400, endpoint: 'x', serviceMessage: '', fieldErrors: [], issues: [] }
    const restored = errorFromJSON({ name, message: 'm', ...fields })
    expect(restored).toBeInstanceOf(type)
    expect([restored.name, restored.message, isRapportError(restored)]).toEqual([name, 'm', true])
  })

  it('returns an error as it is, and a plain RapportError for anything that toJSON did not write', () => {
    const error = new NotFoundError({
      ...{ endpoint: 'x', status: 404, serviceMessage: '', fieldErrors: [], body: undefined },
    })
    expect(errorFromJSON(error)).toBe(error)
    const isForeign = (json: unknown) => {
      const restored = errorFromJSON(json)
      expect(restored.message).toBe('An error of unknown origin: its JSON is not that of `toJSON`.')
      return restored.name === 'RapportError' && !isApiError(restored)
    }
    for (const json of [null, undefined, 'x', 5, [], {}, new TypeError('x'), { name: 'TypeError', message: 'x' }])
      expect(isForeign(json)).toBe(true)
    const incomplete = { name: 'ApiError', message: 'x', status: 400, endpoint: 'x', serviceMessage: '' }
    expect(isForeign(incomplete)).toBe(true)
    for (const problem of [5, { path: [] }, { message: 'x' }])
      expect(isForeign({ ...incomplete, fieldErrors: [problem] })).toBe(true)
    for (const field of ['status', 'endpoint', 'serviceMessage', 'message'])
      expect(isForeign({ ...incomplete, fieldErrors: [], [field]: {} })).toBe(true)
    expect(isForeign({ name: 'RequestValidationError', message: 'x' })).toBe(true)
  })

  it.each([
    ['an AbortError', new DOMException('The user left.', 'AbortError')],
    ['its name and message', { name: 'AbortError', message: 'The user left.' }],
  ])('keeps the name of %s, also when it is sent on, so that explain ignores it', (_, sent) => {
    const restored = errorFromJSON(sent)
    for (const error of [restored, errorFromJSON(structuredClone(restored.toJSON()))]) {
      expect([error.name, error.message, isRapportError(error)]).toEqual(['AbortError', 'The user left.', true])
      expect(explain(error).action).toBe('ignore')
      expect(String(error)).toBe('AbortError: The user left.')
    }
  })

  it('sets no prototype and overwrites no member of an error', () => {
    const text =
      '{"name":"RapportError","message":"m","__proto__":{"polluted":1},"toJSON":1,"stack":"s","constructor":1,"cause":{"message":"c","__proto__":{"polluted":1}}}'
    const restored = errorFromJSON(JSON.parse(text))
    expect(Object.getPrototypeOf(restored)).toBe(RapportError.prototype)
    expect(restored.toJSON()).toEqual({ name: 'RapportError', message: 'm', cause: { name: 'Error', message: 'c' } })
    expect(restored.stack).not.toBe('s')
    expect('headers' in restored).toBe(false)
    for (const member of ['polluted', 'code', 'cause']) expect(member in Object(restored.cause)).toBe(false)
  })

  it('keeps name and message of a cause that `structuredClone` has kept as an error', () => {
    const cause = structuredClone(new TypeError('fetch failed'))
    const json = { name: 'ConnectionError', message: 'm', endpoint: 'x', cause }
    expect(errorFromJSON(json).cause).toMatchObject({ name: 'TypeError', message: 'fetch failed' })
  })

  it('restores causes to a limited depth', () => {
    let json: object = { name: 'RapportError', message: 'm' }
    for (let depth = 0; depth < 10_000; depth++) json = { name: 'RapportError', message: 'm', cause: json }
    let depth = 0
    for (let error: unknown = errorFromJSON(json); error !== undefined; error = Object(error).cause) depth++
    expect(depth).toBeLessThan(20)
  })
})

describe('the response of an ApiError', () => {
  it('has headers with secrets redacted, the number of attempts and the first known request identifier', async () => {
    const headers = {
      'cf-ray': 'the-ray',
      'x-request-id': 'the-request',
      'x-limit': '5',
      'set-cookie': 'session=a-secret-cookie',
      'x-echo': 'Bearer a-secret-token',
    }
    const server = await serve(json(503, {}), json(503, {}), json(503, {}, headers))
    const client = new Client({ baseUrl: server.url, token: 'a-secret-token' })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expect(error).toMatchObject({ attempts: 3, requestId: 'the-request' })
    expect(error.headers.get('X-Limit')).toBe('5')
    expect(error.headers.get('x-echo')).toBe('Bearer [redacted]')
    expect(error.headers.get('set-cookie')).toBe('[redacted]')
    expect(error.message).toBe('Get Relationships failed with status 503, request the-request')
    expect(inspect(error, { showHidden: true, getters: true }) + JSON.stringify(error)).not.toContain('a-secret')
    expect(Object.keys(error)).not.toContain('headers')
  })

  it.each([
    [undefined, { 'cf-ray': 'the-ray' }, 'the-ray'],
    [undefined, {}, undefined],
    [['X-Trace', 'x-request-id'], { 'x-request-id': 'one', 'x-trace': 'two' }, 'two'],
    [['x-trace'], { 'x-request-id': 'one' }, undefined],
    [[], { 'x-request-id': 'one' }, undefined],
    [undefined, { 'x-request-id': 'id of a-secret-token' }, 'id of [redacted]'],
  ])('with requestIdHeaders %o and headers %o has the requestId %s', async (requestIdHeaders, headers, expected) => {
    const server = await serve(json(400, {}, headers))
    const client = new Client({ baseUrl: server.url, token: 'a-secret-token', requestIdHeaders })
    expect((await rejectionOf(client.relationships.list(), isApiError)).requestId).toBe(expected)
  })

  it('has no attempt, request ID or headers without a request', async () => {
    const server = await serve(json(429, {}, { 'retry-after': '90' }))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    await reasonOf(client.relationships.list())
    const error = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect([error.attempts, error.requestId, [...error.headers]]).toEqual([0, undefined, []])
  })

  it.each([[5], ['x-request-id'], [['a b']], [['']], [{}]])('requestIdHeaders refuses %o', (requestIdHeaders) => {
    const create = () => new Client({ baseUrl: 'https://service.example', requestIdHeaders: requestIdHeaders as never })
    expect(create).toThrow('requestIdHeaders: expected an array of header names')
  })

  it('a 401 of a verification keeps its class as a cause', async () => {
    const server = await serve(
      mfaRequired('t', [{ type: 'totp' }]),
      json(401, {}),
      mfaRequired('u', [{ type: 'totp' }]),
      json(401, {}),
    )
    const client = new Client({
      baseUrl: server.url,
      token: 'a',
      onMfaRequired: () => ({ type: 'totp', code: '000000' }),
    })
    const failed = await rejectionOf(client.auth.logout(), isMfaFailedError)
    expect(isAuthenticationError(errorFromJSON(failed.toJSON()).cause)).toBe(true)
  })
})
