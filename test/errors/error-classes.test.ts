import * as sdk from 'rapport-sdk'
import {
  Client,
  isAccountDeletionScheduledError,
  isAccountDisabledError,
  isAccountRecoverableError,
  isApiError,
  isAuthenticationError,
  isNotFoundError,
  isPermissionError,
  isRapportError,
  isServerError,
  RapportError,
} from 'rapport-sdk'
import { expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { reasonOf } from '../transport/rejection'

type ErrorClass = { readonly prototype: Error; readonly name: string }

const classes = Object.entries(sdk).flatMap(([name, value]) =>
  typeof value === 'function' && value.prototype instanceof Error
    ? [[name, value as unknown as ErrorClass] as const]
    : [],
)
const guardOf = (name: string) => (sdk as Record<string, unknown>)[`is${name}`] as (error: unknown) => boolean

it.each(classes)('%s has a literal name and its own guard', (name, type) => {
  expect(type.prototype.name).toBe(name)
  expect(Object.hasOwn(type.prototype, 'name')).toBe(true)
  expect(type === RapportError || type.prototype instanceof RapportError).toBe(true)
  const error = Object.create(type.prototype)
  expect(guardOf(name)(error)).toBe(true)
  expect(isRapportError(error)).toBe(true)
})

it('every documented error class is exported', () => {
  expect(classes.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      ...['RapportError', 'RequestValidationError', 'ResponseMismatchError', 'ResponseParseError', 'ConnectionError'],
      ...['TimeoutError', 'ApiError', 'MfaCancelledError', 'MfaFailedError', 'WebAuthnError', 'AuthenticationError'],
      ...['MfaRequiredError', 'PermissionError', 'NotFoundError', 'RateLimitError', 'ServerError'],
      ...['AccountRecoverableError', 'AccountDisabledError', 'AccountDeletionScheduledError'],
    ]),
  )
})

it('guards reject other values, and errors that only look similar', () => {
  const lookalike = Object.assign(new Error('x'), { name: 'ApiError', status: 400 })
  for (const [name] of classes) {
    for (const value of [null, undefined, 'ApiError', {}, new Error('x'), new TypeError('x'), lookalike]) {
      expect(guardOf(name)(value)).toBe(false)
    }
  }
})

it('guards return false for a proxy whose traps throw', () => {
  const { proxy, revoke } = Proxy.revocable(new Error('x'), {})
  revoke()
  for (const [name] of classes) expect(guardOf(name)(proxy)).toBe(false)
})

it('the status of a response, or an account code, decides the class of its error', async () => {
  const cases: [number, number, (error: unknown) => boolean][] = [
    [400, 0, isApiError],
    [401, 0, isAuthenticationError],
    [403, 0, isPermissionError],
    [404, 0, isNotFoundError],
    [500, 0, isServerError],
    [599, 20013, isServerError],
    [400, 20013, isAccountDisabledError],
    [401, 20011, isAccountDeletionScheduledError],
    [403, 20011, isAccountRecoverableError],
  ]
  for (const [status, code, guard] of cases) {
    const server = await serve(json(status, { code, message: 'm' }))
    const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0 })
    const error = await reasonOf(client.relationships.list())
    expect(error).toSatisfy(guard)
    expect(error).toSatisfy(isApiError)
    expect(error).toMatchObject({ status, code, endpoint: 'Get Relationships', serviceMessage: 'm' })
  }
})

it('guards recognize errors of another copy of the package, unlike instanceof', async () => {
  const server = await serve()
  server.fallback(() => json(404, { code: 1 }))
  vi.resetModules()
  const other = await import('rapport-sdk')
  expect(other.Client).not.toBe(Client)

  const foreign = await reasonOf(new other.Client({ baseUrl: server.url, token: 'ada' }).relationships.list())
  const invalid = await reasonOf(new other.Client({ baseUrl: server.url }).relationships.delete('x'))

  expect(foreign).not.toBeInstanceOf(RapportError)
  expect([isNotFoundError(foreign), isApiError(foreign), isRapportError(foreign)]).toEqual([true, true, true])
  expect([isServerError(foreign), isAuthenticationError(foreign)]).toEqual([false, false])
  expect(sdk.isRequestValidationError(invalid)).toBe(true)
  expect(other.isNotFoundError(foreign)).toBe(true)
})
