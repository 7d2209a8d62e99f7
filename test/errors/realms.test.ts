import { runInNewContext } from 'node:vm'
import {
  Client,
  type ClientOptions,
  errorFromJSON,
  isConnectionError,
  isMfaCancelledError,
  isMfaRequiredError,
  isNotFoundError,
  isRapportError,
  NotFoundError,
  type RapportError,
} from 'rapport-sdk'
import { describe, expect, it, test } from 'vitest'
import { expectNoSecret, PLANTED } from '../security/hostile-values'
import { mfaRequired, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

/** Creates an error in another realm, like those that Node throws in the tests of an app that run in Jest. */
function foreignError(message: string, fields: Readonly<Record<string, unknown>> = {}, type = 'Error'): Error {
  return Object.assign(runInNewContext(`new ${type}(message)`, { message }), fields)
}

/** Returns the error of a call whose `fetch` rejects with this reason. */
function failWith(reason: unknown, options: Partial<ClientOptions> = {}): Promise<RapportError> {
  const fetch = () => Promise.reject(reason)
  const client = new Client({ baseUrl: 'https://service.example', token: PLANTED.token, retry: 0, fetch, ...options })
  return rejectionOf(client.relationships.list(), isRapportError)
}

describe('an error of another realm', () => {
  it('the error that these tests create is not an instance of the class of this realm', () => {
    expect(foreignError('x')).not.toBeInstanceOf(Error)
  })

  it('a cause of another realm without a secret is kept unchanged', async () => {
    const reason = foreignError('connect ECONNREFUSED', { code: 'ECONNREFUSED', errno: -111 }, 'TypeError')
    expect((await failWith(reason)).cause).toBe(reason)
  })

  it('a cause of another realm with a secret keeps its name, its code and its redacted message and causes', async () => {
    const inner = foreignError(`socket of ${PLANTED.token}`, { code: 'ECONNRESET' })
    const reason = foreignError(
      `sent ${PLANTED.token}`,
      { code: 'EFAILED', cause: inner, sent: PLANTED.token },
      'RangeError',
    )
    const error = await failWith(reason)
    expect(error).toSatisfy(isConnectionError)
    expect(error.cause).toMatchObject({ name: 'RangeError', message: 'sent [redacted]', code: 'EFAILED' })
    expect(error.cause).toMatchObject({ cause: { message: 'socket of [redacted]', code: 'ECONNRESET' } })
    expectNoSecret(error)
  })

  it.each([
    ['in its stack', (error: Error) => Object.assign(error, { stack: PLANTED.token })],
    ['in a property', (error: Error) => Object.assign(error, { request: { headers: [PLANTED.token] } })],
    ['in a getter', (error: Error) => Object.defineProperty(error, 'sent', { get: () => PLANTED.token })],
    ['in its toJSON', (error: Error) => Object.assign(error, { toJSON: () => PLANTED.token })],
    [
      'in an object with a tag of an error',
      () => ({ [Symbol.toStringTag]: 'Error', message: 'x', sent: PLANTED.token }),
    ],
  ])('a cause of another realm that has a secret %s does not show it', async (_, plant) => {
    expectNoSecret(await failWith(plant(foreignError('failed'))))
  })

  it('a cause of another realm that throws when it is read shows no secret', async () => {
    const fail = () => {
      throw new Error(PLANTED.token)
    }
    const proxy = new Proxy(foreignError('x'), { get: fail, has: fail, getPrototypeOf: fail })
    const error = await failWith(proxy)
    expect(String(error.cause)).toContain('[redacted]')
    expectNoSecret(error)
  })

  it('one that a handler throws is the cause of the cancelled prompt', async () => {
    const server = await serve(mfaRequired(PLANTED.ticket, [{ type: 'totp' }]))
    const reason = foreignError(`dialog of ${PLANTED.ticket}`, { code: 'ECLOSED' }, 'TypeError')
    const onMfaRequired = () => Promise.reject(reason)
    const client = new Client({ baseUrl: server.url, token: PLANTED.token, onMfaRequired })
    const { cause } = await rejectionOf(client.relationships.list(), isMfaCancelledError)
    expect(cause).toMatchObject({ name: 'TypeError', message: 'dialog of [redacted]', code: 'ECLOSED' })
  })

  it('the JSON of an error keeps name, message, code and causes of a cause of another realm', async () => {
    const cause = foreignError('inner', { code: 'EINNER' })
    const error = await failWith(foreignError('outer', { code: 'EOUTER', cause }, 'TypeError'))
    const shown = { name: 'TypeError', message: 'outer', code: 'EOUTER', cause: { message: 'inner', code: 'EINNER' } }
    expect(error.toJSON()).toMatchObject({ cause: shown })
    expect(errorFromJSON(JSON.parse(JSON.stringify(error)))).toMatchObject({ cause: shown })
  })
})

describe('a token store that fails with an error of another realm', () => {
  const quoting = () => foreignError(`EACCES: ${PLANTED.token}`, { code: 'EACCES', syscall: 'open' })
  const baseUrl = 'https://service.example'

  it('an EACCES of `get` stays readable by name and code, without its message', async () => {
    const tokenStore = { get: () => Promise.reject(quoting()), set: () => {} }
    const error = await rejectionOf(new Client({ baseUrl, tokenStore }).ready, isRapportError)
    expect(error.cause).toMatchObject({ name: 'Error', code: 'EACCES' })
    expectNoSecret(error)
  })

  it('an EACCES of `set` stays readable by name, code and redacted message', async () => {
    const tokenStore = { get: () => null, set: () => Promise.reject(quoting()) }
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    const error = await rejectionOf(client.session.setToken(PLANTED.token), isRapportError)
    expect(error.cause).toMatchObject({ name: 'Error', message: 'EACCES: [redacted]', code: 'EACCES' })
    expectNoSecret(error)
  })

  it('a SyntaxError of another realm, which may quote a part of the token, does not show its message', async () => {
    const quote = () => foreignError(`Unexpected "${PLANTED.token.slice(0, 12)}"`, {}, 'SyntaxError')
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: () => Promise.reject(quote()) } })
    await client.ready
    const error = await rejectionOf(client.session.setToken(PLANTED.token), isRapportError)
    expect(error.cause).toMatchObject({ name: 'SyntaxError' })
    expect(String(error.cause)).not.toContain(PLANTED.token.slice(0, 12))
  })
})

/** Returns an error of a copy of this package in another realm. */
const foreignApiError = (kinds: readonly string[]) => {
  const script = `class E extends Error {}; E.prototype[Symbol.for('rapport-sdk.error-kinds')] = kinds; new E('x')`
  return runInNewContext(script, { kinds })
}

test('guards recognize the errors of a copy of the package in another realm', () => {
  const error = foreignApiError(['RapportError', 'ApiError', 'NotFoundError'])
  expect(error).not.toBeInstanceOf(Error)
  expect([isRapportError(error), isNotFoundError(error), isMfaRequiredError(error)]).toEqual([true, true, false])
  expect(isRapportError(foreignError('x'))).toBe(false)
})

test('guards reject an object that only has the names of the classes', () => {
  const failure = { endpoint: 'x', status: 404, serviceMessage: '', fieldErrors: [], body: undefined }
  expect(isNotFoundError({ ...new NotFoundError(failure) })).toBe(false)
})
