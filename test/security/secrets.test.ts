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
import { CREDENTIAL, echoing, expectNoSecret, PLANTED, SIGNATURE } from './planted-secrets'

const methods = [{ type: 'totp' }, { type: 'webauthn', challenge: JSON.stringify({ challenge: SIGNATURE }) }]
const mfa = { ticket: PLANTED.ticket, methods }
const asks = mfaRequired(PLANTED.ticket, methods)
const issues = json(200, { token: PLANTED.jwt })
const refuses = (status: number, code = 0, further = {}): Responder => {
  const { body } = echoing(status, code, further)
  return json(status, body)
}
const credentials = { login: 'ada@example.test', password: PLANTED.password }

async function clientFor(answers: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...answers)
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

describe('no error, cause or log line shows a secret', () => {
  it.each<[string, Responder[], Partial<ClientOptions>, (client: Client) => Promise<unknown>]>([
    ['a refusal with the token', [refuses(403)], {}, (client) => client.relationships.list()],
    ['a failure of the service', [refuses(500)], {}, (client) => client.relationships.list()],
    ['a rate limit', [refuses(429)], {}, (client) => client.relationships.list()],
    [
      'a 60003 without a handler',
      [refuses(401, 60003, { mfa })],
      { onMfaRequired: undefined } as object,
      (client) => client.relationships.list(),
    ],
    ['a 60003 that names nothing', [refuses(401, 60003)], {}, (client) => client.relationships.list()],
    ['a code refused thrice', [asks, refuses(400), refuses(400), refuses(400)], {}, (client) => client.auth.logout()],
    ['a ticket expired twice', [asks, refuses(401), asks, refuses(401)], {}, (client) => client.auth.logout()],
    ['a fatal refusal', [asks, refuses(500)], {}, (client) => client.auth.logout()],
    ['a refusal of the elevated replay', [asks, issues, refuses(403)], {}, (client) => client.auth.logout()],
    [
      'a service that is never satisfied',
      [asks, issues, refuses(401, 60003, { mfa }), issues, refuses(401, 60003, { mfa })],
      {},
      (client) => client.auth.logout(),
    ],
    ['a refused login', [refuses(400)], anonymous, (client) => client.auth.login(credentials)],
    ['a login that is scheduled for deletion', [refuses(400, 20011)], {}, (client) => client.auth.login(credentials)],
    [
      'a refused second factor of a login',
      [json(200, { user_id: '1', mfa: true, ticket: PLANTED.ticket, totp: true }), ...Array(3).fill(refuses(400))],
      {},
      (client) => client.auth.login(credentials),
    ],
    [
      'a refused reset',
      [refuses(400)],
      {},
      (client) => client.auth.resetPassword({ token: PLANTED.ticket, password: PLANTED.password }),
    ],
    [
      'a refused passkey',
      [json(200, { ticket: PLANTED.ticket, challenge: '{"challenge":"YQ"}' }), refuses(400)],
      { webauthn: { get: async () => CREDENTIAL } },
      (client) => client.auth.loginWithPasskey(),
    ],
    [
      'a registration',
      [refuses(400)],
      anonymous,
      (client) => client.auth.register({ username: 'ada', password: PLANTED.password, phone_token: PLANTED.ticket }),
    ],
    [
      'a custom body with nested secrets',
      [refuses(400)],
      {},
      (client) => client.request({ method: 'POST', path: '/x', body: { user: { password: PLANTED.password } } }),
    ],
    [
      'a form with secrets',
      [refuses(400)],
      {},
      (client) =>
        client.request({ method: 'POST', path: '/x', body: new URLSearchParams({ password: PLANTED.password }) }),
    ],
    [
      'a suspended token',
      [refuses(400)],
      {},
      (client) => client.suspended(PLANTED.ticket).request({ method: 'POST', path: '/x' }),
    ],
  ])('no secret is shown by: %s', async (_, answers, options, call) => {
    const { server, client, lines } = await clientFor(answers, options)
    const error = await reasonOf(call(client))

    expect(error).toSatisfy((value: unknown) => isApiError(value) || isMfaFailedError(value))
    // What the last request carried or its answer asked for; of what was never there an echo cannot be known.
    const { rawHeaders, body } = server.request(-1)
    const carried = `${rawHeaders} ${body}`
    const due: string[] = Object.values(PLANTED).filter((secret) => carried.includes(secret))
    if (carried.includes(SIGNATURE)) due.push(SIGNATURE)
    expect(due.length).toBeGreaterThan(0)
    expectNoSecret(error, due)
    if (isApiError(error)) expectNoSecret(error.body, due)
    expectNoSecret(lines, due)
    if (isMfaRequiredError(error) && error.challenge) expectNoSecret(error, [PLANTED.ticket])
    expect(lines.length).toBeGreaterThan(0)
  })

  it('a fetch that throws its own arguments shows no secret', async () => {
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

  it('a request that is rejected before it is sent shows no secret', async () => {
    const { client } = await clientFor([])
    const short = await rejectionOf(client.auth.login({ login: 'x', password: 'plantd' }), isRequestValidationError)
    expectNoSecret(short, ['plantd'])
    const wrong = { ticket: 5, mfa_type: 'totp', data: { value: PLANTED.code } } as unknown as { ticket: string }
    const call = client.mfa.finish(wrong as Parameters<Client['mfa']['finish']>[0])
    expectNoSecret(await rejectionOf(call, isRequestValidationError))
  })

  it('the value that authorize returns is never shown', async () => {
    const derived = Buffer.from(PLANTED.token).toString('base64')
    const answer = json(403, {
      message: `not accepted: Basic ${derived}`,
      errors: { a: { _errors: [{ message: derived }] } },
    })
    const { client, lines } = await clientFor([answer], { authorize: () => `Basic ${derived}` })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expectNoSecret(error, [`Basic ${derived}`])
    expectNoSecret(lines, [`Basic ${derived}`])
  })

  it('a ticket that follows a long list of passkeys is never shown', async () => {
    const allowCredentials = Array.from({ length: 50 }, (_, index) => ({ id: `the-id-of-passkey-${index}` }))
    const challenge = JSON.stringify({ challenge: SIGNATURE, allowCredentials })
    const mfa = { methods: [{ type: 'webauthn', challenge }], ticket: PLANTED.ticket }
    const answer = json(401, { code: 60003, message: `Verify ${PLANTED.ticket} by ${SIGNATURE}`, mfa })
    const { client, lines } = await clientFor([answer], { onMfaRequired: undefined } as object)
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

describe('inspecting objects shows no secret', () => {
  it('inspect() and JSON of the client, its session, its resources and a step-up challenge show no secret', async () => {
    const challenges: MfaChallenge[] = []
    const { client } = await clientFor([asks, issues, json(200, []), asks], {
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

  it('inspect() and JSON of the challenge of an error and of a login show no secret', async () => {
    const pending = json(200, {
      user_id: '1',
      mfa: true,
      ticket: PLANTED.ticket,
      totp: true,
      webauthn: SIGNATURE,
    })
    const { client } = await clientFor([asks, pending], { onMfaRequired: undefined } as object)

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
    })
    expect(Object.keys(error)).not.toContain('body')
  })
})
