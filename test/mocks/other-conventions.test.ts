import { Client, type ClientOptions, isApiError, isMfaRequiredError, isRateLimitError } from 'rapport-sdk'
import { createMockService, type PolicySettings } from 'rapport-sdk/mocks'
import { describe, expect, test } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { type Problem, startControl } from './control'
import { password } from './set-up'

/** A policy whose conventions are others, as JSON. */
const policy: PolicySettings = {
  authorization: { scheme: 'Bearer' },
  errorEnvelope: { wrapper: 'error', code: 'number', message: 'text', errors: 'invalid', fieldErrors: 'list' },
  errors: {
    mfaRequired: { status: 403, code: 60003, message: 'A second factor, please' },
    invalidCode: { status: 409, code: 7, message: 'Wrong' },
  },
  retryAfterUnit: 'milliseconds',
  mfaHeader: 'X-Second-Factor',
  gateway: { readyUser: false },
}

const errorOf = (body: unknown) => Object(Object(body).error)

/** Options of a client for that policy. */
const options: Partial<ClientOptions> = {
  authorize: (token) => `Bearer ${token}`,
  mfaHeader: 'X-Second-Factor',
  readError({ body }) {
    const { number, text, invalid, mfa } = errorOf(body)
    const fieldErrors = invalid?.map((field: { path: string }) => ({ ...field, path: field.path.split('.') }))
    return { code: number, message: text, fieldErrors, mfa }
  },
  readRateLimit: ({ status, body }) => (status === 429 ? { retryAfterMs: errorOf(body).retry_after } : {}),
  isStepUp: ({ status, body }) => status === 403 && errorOf(body).number === 60003,
  classifyMfaFailure: (error) => (isApiError(error) && error.status === 409 ? 'refused' : 'fatal'),
}

/** Starts a mock over HTTP, changes its policy by the control API, and returns a client for it. */
async function startOther(changes: PolicySettings = {}) {
  const started = await startControl()
  const { control, server, service, ada } = started
  expect((await control('PATCH /policy', { ...policy, ...changes })).status).toBe(200)
  const codes = ['000000']
  const client = new Client({
    baseUrl: server.url,
    ...options,
    gateway: { url: server.gatewayUrl },
    onMfaRequired: () => ({ type: 'totp', code: codes.shift() ?? service.users.totp(ada) }),
  })
  return { ...started, client }
}

describe('a mock whose policy has other conventions', () => {
  test('a client with the matching options signs in with a second factor, after a wrong code', async () => {
    const { client, service } = await startOther()
    expect(await client.auth.login({ login: 'ada@example.com', password })).toMatchObject({ status: 'complete' })
    expect(service.journal.find('Verify MFA Login').map(({ status }) => status)).toEqual([409, 200])
  })

  test('a client with the matching options steps up, and the journal does not show the verification', async () => {
    const { client, service, ada } = await startOther()
    await client.session.setToken(service.token(ada))
    await client.auth.sessions.logout({ session_id_hashes: ['unknown'] })
    const requests = service.journal.find('Logout Auth Sessions')
    expect(requests.map(({ status, reason }) => [status, reason?.code, reason?.message])).toEqual([
      [403, 60003, 'A second factor, please'],
      [204, undefined, undefined],
    ])
    expect(requests[1]?.headers['x-second-factor']).toBe('[redacted]')
  })

  test('a client with the matching options waits for a rate limit in milliseconds', async () => {
    const { client, service, ada } = await startOther({ rateLimits: { 'Get Relationships': { limit: 1, per: 100 } } })
    await client.session.setToken(service.token(ada))
    expect([await client.relationships.list(), await client.relationships.list()]).toEqual([[], []])
    service.faults.on('Get Relationships', { status: 429, retryAfter: 3600, times: 1 })
    expect(await rejectionOf(client.relationships.list(), isRateLimitError)).toMatchObject({ retryAfterMs: 3_600_000 })
  })

  test('a client with the matching options reads codes, messages and field errors, also of faults', async () => {
    const { client, service, ada } = await startOther()
    await client.session.setToken(service.token(ada))
    const login = client.auth.login({ login: 'ada@example.com', password: 'another password' })
    const { fieldErrors, serviceMessage } = await rejectionOf(login, isApiError)
    expect(serviceMessage).toBe('Invalid Form Body')
    expect(fieldErrors.length).toBeGreaterThan(0)
    expect(fieldErrors[0]).toMatchObject({ path: ['login'], message: expect.any(String) })
    service.faults.on('Get Relationships', { status: 418 })
    expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({ code: 0 })
    expect(service.journal.find('Login Account')[0]?.reason?.fields[0]).toMatchObject({ path: 'login' })
  })

  test('a client without these options does not recognize the step-up', async () => {
    const { server, service, ada } = await startOther()
    const client = new Client({ baseUrl: server.url, token: `Bearer ${service.token(ada)}` })
    const call = client.auth.sessions.logout({ session_id_hashes: ['unknown'] })
    const error = await rejectionOf(call, isApiError)
    expect([isMfaRequiredError(error), error.code, error.serviceMessage]).toEqual([false, undefined, ''])
  })

  test('Ready has no user', async () => {
    const { client, service, ada } = await startOther()
    await client.session.setToken(service.token(ada))
    expect(await client.gateway.connect()).not.toHaveProperty('user')
    client.dispose()
  })
})

test('the settings of a mock with other conventions create a mock with the same', () => {
  const { policySettings } = createMockService({ policy })
  expect(policySettings).toMatchObject(policy)
  expect(createMockService({ policy: JSON.parse(JSON.stringify(policySettings)) }).policySettings).toEqual(
    policySettings,
  )
})

test.each([
  [{ errorEnvelope: { code: '' } }, '/errorEnvelope/code'],
  [{ errorEnvelope: { fieldErrors: 'map' } }, '/errorEnvelope/fieldErrors'],
  [{ errorEnvelope: { wrap: 'error' } }, '/errorEnvelope/wrap'],
  [{ retryAfterUnit: 'minutes' }, '/retryAfterUnit'],
  [{ mfaHeader: 'no header' }, '/mfaHeader'],
  [{ verificationCookie: 'a\r\nb: c' }, '/verificationCookie'],
  [{ gateway: { readyUser: 'no' } }, '/gateway/readyUser'],
])('the control API refuses the policy %j', async (changes, path) => {
  const { control } = await startControl()
  const { status, body } = await control<Problem>('PATCH /policy', changes)
  expect([status, body.errors[0]?.path]).toEqual([400, path])
})
