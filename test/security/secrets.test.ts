import {
  Client,
  type ClientOptions,
  isApiError,
  isConnectionError,
  isMfaFailedError,
  isMfaRequiredError,
  isRequestValidationError,
  type MfaChallenge,
} from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, mfaRequired, type Responder, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { CREDENTIAL, echoSecrets, expectNoSecret, PLANTED, SIGNATURE } from './hostile-values'

const methods = [{ type: 'totp' }, { type: 'webauthn', challenge: JSON.stringify({ challenge: SIGNATURE }) }]
const mfa = { ticket: PLANTED.ticket, methods }
const steppingUp = mfaRequired(PLANTED.ticket, methods)
const verified = json(200, { token: PLANTED.jwt })
const reject = (status: number, code = 0, further = {}): Responder => json(status, echoSecrets(code, further))
const credentials = { login: 'ada@example.test', password: PLANTED.password }

async function clientFor(responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  const lines: unknown[] = []
  const log = (...line: unknown[]) => void lines.push(line)
  const client = new Client({
    baseUrl: server.url,
    token: PLANTED.token,
    retry: 0,
    logger: { debug: log, info: log, warn: log, error: log },
    onMfaRequired: () => ({ type: 'totp', code: PLANTED.code }),
    ...options,
  })
  return { server, client, lines }
}

const anonymous = { token: undefined, fingerprint: PLANTED.fingerprint } as unknown as Partial<ClientOptions>

describe('errors, causes and log lines', () => {
  it.each<[string, Responder[], Partial<ClientOptions>, (client: Client) => Promise<unknown>]>([
    ['a 403 that quotes the token', [reject(403)], {}, (client) => client.relationships.list()],
    ['a 500 that quotes the token', [reject(500)], {}, (client) => client.relationships.list()],
    ['a rate limit', [reject(429)], {}, (client) => client.relationships.list()],
    [
      'a 60003 without a handler',
      [reject(401, 60003, { mfa })],
      { onMfaRequired: undefined } as object,
      (client) => client.relationships.list(),
    ],
    ['a 60003 without methods', [reject(401, 60003)], {}, (client) => client.relationships.list()],
    [
      'a code rejected three times',
      [steppingUp, reject(400), reject(400), reject(400)],
      {},
      (client) => client.auth.logout(),
    ],
    [
      'a ticket that expires twice',
      [steppingUp, reject(401), steppingUp, reject(401)],
      {},
      (client) => client.auth.logout(),
    ],
    ['a fatal failure of a step-up', [steppingUp, reject(500)], {}, (client) => client.auth.logout()],
    ['a rejected replay', [steppingUp, verified, reject(403)], {}, (client) => client.auth.logout()],
    [
      'a service that rejects every JWT',
      [steppingUp, verified, reject(401, 60003, { mfa }), verified, reject(401, 60003, { mfa })],
      {},
      (client) => client.auth.logout(),
    ],
    ['a rejected login', [reject(400)], anonymous, (client) => client.auth.login(credentials)],
    [
      'a login to an account scheduled for deletion',
      [reject(400, 20011)],
      {},
      (client) => client.auth.login(credentials),
    ],
    [
      'a rejected second factor of a login',
      [json(200, { user_id: '1', mfa: true, ticket: PLANTED.ticket, totp: true }), ...Array(3).fill(reject(400))],
      {},
      (client) => client.auth.login(credentials),
    ],
    [
      'a rejected password reset',
      [reject(400)],
      {},
      (client) => client.auth.resetPassword({ token: PLANTED.ticket, password: PLANTED.password }),
    ],
    [
      'a rejected passkey',
      [json(200, { ticket: PLANTED.ticket, challenge: '{"challenge":"YQ"}' }), reject(400)],
      { webauthn: { get: async () => CREDENTIAL } },
      (client) => client.auth.loginWithPasskey(),
    ],
    [
      'a rejected registration',
      [reject(400)],
      anonymous,
      (client) => client.auth.register({ username: 'ada', password: PLANTED.password, phone_token: PLANTED.ticket }),
    ],
    [
      'a client.request body with nested secrets',
      [reject(400)],
      {},
      (client) => client.request({ method: 'POST', path: '/x', body: { user: { password: PLANTED.password } } }),
    ],
    [
      'a form with secrets',
      [reject(400)],
      {},
      (client) =>
        client.request({ method: 'POST', path: '/x', body: new URLSearchParams({ password: PLANTED.password }) }),
    ],
    [
      'a suspended token',
      [reject(400)],
      {},
      (client) => client.suspended(PLANTED.ticket).request({ method: 'POST', path: '/x' }),
    ],
  ])('no secret is shown by the error and the logs of %s', async (_, responders, options, call) => {
    const { server, client, lines } = await clientFor(responders, options)
    const error = await reasonOf(call(client))

    expect(error).toSatisfy((value: unknown) => isApiError(value) || isMfaFailedError(value))
    // Only secrets of the last request are known to the client as secrets.
    const { rawHeaders, body } = server.request(-1)
    const sent = `${rawHeaders} ${body}`
    const known: string[] = Object.values(PLANTED).filter((secret) => sent.includes(secret))
    if (sent.includes(SIGNATURE)) known.push(SIGNATURE)
    expect(known.length).toBeGreaterThan(0)
    expectNoSecret(error, known)
    if (isApiError(error)) expectNoSecret(error.body, known)
    expectNoSecret(lines, known)
    if (isMfaRequiredError(error) && error.challenge) expectNoSecret(error, [PLANTED.ticket])
    expect(lines.length).toBeGreaterThan(0)
  })

  it('an error of fetch that quotes its arguments shows no secret', async () => {
    const fetch = (input: unknown) => {
      const request = input as Request
      const headers = Object.fromEntries(request.headers)
      const cause = Object.assign(new Error(`sent ${JSON.stringify(headers)}`), { request, headers })
      return Promise.reject(Object.assign(new Error(`could not send ${PLANTED.token}`, { cause }), { headers }))
    }
    const { client, lines } = await clientFor([], { fetch })
    expectNoSecret(await rejectionOf(client.relationships.list(), isConnectionError), [PLANTED.token])
    expectNoSecret(lines, [PLANTED.token])
  })

  it('an error of a request that is rejected before it is sent shows no secret', async () => {
    const { client } = await clientFor([])
    const short = await rejectionOf(client.auth.login({ login: 'x', password: 'plantd' }), isRequestValidationError)
    expectNoSecret(short, ['plantd'])
    const wrong = { ticket: 5, mfa_type: 'totp', data: { value: PLANTED.code } } as unknown as { ticket: string }
    const call = client.mfa.finish(wrong as Parameters<Client['mfa']['finish']>[0])
    expectNoSecret(await rejectionOf(call, isRequestValidationError))
  })

  it('the value that authorize returns is never shown', async () => {
    const derived = Buffer.from(PLANTED.token).toString('base64')
    const response = json(403, {
      message: `not accepted: Basic ${derived}`,
      errors: { a: { _errors: [{ message: derived }] } },
    })
    const { client, lines } = await clientFor([response], { authorize: () => `Basic ${derived}` })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expectNoSecret(error, [`Basic ${derived}`])
    expectNoSecret(lines, [`Basic ${derived}`])
  })

  it('a ticket that follows a long list of passkeys is never shown', async () => {
    const allowCredentials = Array.from({ length: 50 }, (_, index) => ({ id: `the-id-of-passkey-${index}` }))
    const challenge = JSON.stringify({ challenge: SIGNATURE, allowCredentials })
    const mfa = { methods: [{ type: 'webauthn', challenge }], ticket: PLANTED.ticket }
    const response = json(401, { code: 60003, message: `Verify ${PLANTED.ticket} by ${SIGNATURE}`, mfa })
    const { client, lines } = await clientFor([response], { onMfaRequired: undefined } as object)
    expectNoSecret(await rejectionOf(client.relationships.list(), isMfaRequiredError))
    expectNoSecret(lines)
  })

  it('a secret that is the start of another secret is redacted together with it', async () => {
    const longer = `${PLANTED.token}-and-more`
    for (const [token, password] of [
      [PLANTED.token, longer],
      [longer, PLANTED.token],
    ] as const) {
      const { client } = await clientFor([json(400, { message: `no: ${longer}` })], { token })
      const error = await rejectionOf(client.auth.login({ login: 'x', password }), isApiError)
      expect(error.serviceMessage).toBe('no: [redacted]')
    }
  })
})

describe('inspect() and JSON', () => {
  it('those of the client, its session, its resources and a step-up challenge show no secret', async () => {
    const challenges: MfaChallenge[] = []
    const { client } = await clientFor([steppingUp, verified, json(200, []), steppingUp], {
      onMfaRequired: (challenge) => {
        challenges.push(challenge)
        expectNoSecret(challenge)
        return { type: 'totp', code: PLANTED.code }
      },
    })
    client.session.fingerprint = PLANTED.fingerprint
    await client.relationships.list()

    for (const value of [client, client.session, client.auth, client.mfa, ...challenges]) expectNoSecret(value)
    expectNoSecret(client.as(PLANTED.token))
    expectNoSecret(client.suspended(PLANTED.token))
    expect(challenges).toHaveLength(1)
  })

  it('those of the challenge of an error and of a login show no secret', async () => {
    const pending = json(200, {
      user_id: '1',
      mfa: true,
      ticket: PLANTED.ticket,
      totp: true,
      webauthn: SIGNATURE,
    })
    const { client } = await clientFor([steppingUp, pending], { onMfaRequired: undefined } as object)

    const error = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    expectNoSecret(error)
    expectNoSecret(error.challenge)
    expectNoSecret(await client.auth.login(credentials))
  })

  it('JSON of an error has its name, message and public properties', async () => {
    const { client } = await clientFor([json(404, { code: 10013, message: 'Unknown user' })])
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'NotFoundError',
      message: 'Get Relationships failed with status 404, code 10013: Unknown user',
      status: 404,
      code: 10013,
      serviceMessage: 'Unknown user',
      fieldErrors: [],
      endpoint: 'Get Relationships',
      attempts: 1,
    })
    expect(Object.keys(error)).not.toContain('body')
  })
})
