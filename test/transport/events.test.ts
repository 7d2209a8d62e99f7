import { Client, type ClientEvents } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, test, vi } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'

const EVENT_NAMES = [
  'request',
  'response',
  'requestFailed',
  'retry',
  'rateLimited',
  'callEnd',
  'mfaRequired',
  'elevated',
  'unauthorized',
  'responseMismatch',
] as const satisfies (keyof ClientEvents)[]

const SECRETS = ['planted-token', 'planted-ticket', 'planted-jwt', 'planted-code', 'planted-challenge', 'planted-value']

describe('client events', () => {
  it('report the steps of a call in order and without secrets', async () => {
    const methods = [{ type: 'webauthn', challenge: 'planted-challenge' }, { type: 'totp' }]
    const server = await serve(
      json(503, { message: 'planted-value' }),
      json(429, { retry_after: 0.01 }),
      mfaRequired('planted-ticket', methods),
      json(200, { token: 'planted-jwt' }),
      json(200, [{ id: 'planted-value' }]),
      json(401, {}),
    )
    const client = new Client({
      baseUrl: server.url,
      token: 'planted-token',
      onMfaRequired: () => ({ type: 'totp', code: 'planted-code' }),
    })
    const events: [string, unknown][] = []
    for (const kind of EVENT_NAMES) client.on(kind, (event) => events.push([kind, event]))

    await client.relationships.list()
    await client.relationships.list().catch(() => {})

    expect(events.map(([kind]) => kind)).toEqual([
      ...['request', 'response', 'retry', 'request', 'response', 'rateLimited', 'request', 'response', 'mfaRequired'],
      ...['request', 'response', 'elevated', 'callEnd', 'request', 'response', 'responseMismatch', 'callEnd'],
      ...['request', 'response', 'unauthorized', 'callEnd'],
    ])
    expect(events.find(([kind]) => kind === 'mfaRequired')?.[1]).toEqual({
      callId: expect.any(Number),
      endpoint: 'Get Relationships',
      method: 'GET',
      path: '/users/@me/relationships',
      attempt: 3,
      methods: [{ type: 'webauthn' }, { type: 'totp' }],
    })
    expect(events.find(([kind]) => kind === 'response')?.[1]).toMatchObject({
      status: 503,
      durationMs: expect.any(Number),
    })
    for (const secret of SECRETS) expect(JSON.stringify(events)).not.toContain(secret)
  })

  it('have the path template of a login that requires a second factor', async () => {
    const server = await serve(json(200, { user_id: '1', mfa: true, ticket: 'planted-ticket', totp: true }))
    const client = new Client({ baseUrl: `${server.url}/api` })
    const required = vi.fn()
    client.on('mfaRequired', required)

    await client.auth.login({ login: 'ada@example.test', password: 'correct horse' })

    expect(required.mock.calls).toEqual([
      [
        {
          ...{ callId: expect.any(Number), endpoint: 'Login Account', method: 'POST', path: '/auth/login', attempt: 1 },
          methods: [{ type: 'totp' }],
        },
      ],
    ])
  })

  it('carry path templates and not the values in them', async () => {
    const server = await serve(json(200, {}))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const requests = vi.fn()
    client.on('request', requests)
    await client.identities.getProfile('1', '2', 'planted-value')
    expect(JSON.stringify(requests.mock.calls)).not.toContain('planted-value')
    expect(requests.mock.calls[0]?.[0].path).toContain('{external_user_id}')
  })

  it('a listener that throws affects neither the call nor other listeners, and its error is logged', async () => {
    const server = await serve(json(200, []))
    const error = vi.fn()
    const client = new Client({ baseUrl: server.url, token: 'ada', logger: { error } })
    const thrown = new Error('the listener failed')
    const other = vi.fn()
    client.on('request', () => {
      throw thrown
    })
    client.on('request', other)

    expect(await client.relationships.list()).toEqual([])
    expect(other).toHaveBeenCalledTimes(1)
    expect(error.mock.calls[0]).toContain(thrown)
  })

  it('the error of a listener becomes an uncaught exception without a logger for errors', async () => {
    const server = await serve(json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', logger: { warn: () => {} } })
    const thrown = new Error('the listener failed')
    client.on('request', () => {
      throw thrown
    })
    const uncaught: unknown[] = []
    const queue = globalThis.queueMicrotask
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) =>
      queue(() => {
        try {
          task()
        } catch (error) {
          uncaught.push(error)
        }
      }),
    )
    expect(await client.relationships.list()).toEqual([])
    vi.restoreAllMocks()
    expect(uncaught).toEqual([thrown])
  })

  it('a logger that throws fails no call', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const fail = () => {
      throw new Error('the disk is full')
    }
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      logger: { debug: fail, info: fail, warn: fail, error: fail },
      onMfaRequired: () => ({ type: 'totp', code: '123456' }),
    })
    client.on('request', fail)

    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('on() returns an unsubscribe function', async () => {
    const server = await serve(json(200, []), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const removed = vi.fn()
    const kept = vi.fn()
    const unsubscribe = client.on('request', removed)
    client.on('request', kept)

    await client.relationships.list()
    unsubscribe()
    await client.relationships.list()

    expect(removed).toHaveBeenCalledTimes(1)
    expect(kept).toHaveBeenCalledTimes(2)
  })

  it('a logger that rejects fails no call', async () => {
    const service = createMockService()
    const logger = { debug: () => Promise.reject(new Error('log down')) }
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, logger })
    await expect(client.auth.getLocationMetadata()).resolves.toMatchObject({ country_code: 'US' })
  })
})

it('a listener that rejects is logged like one that throws', async () => {
  const service = createMockService()
  const errors: unknown[] = []
  const logger = { error: (_: string, details: unknown) => errors.push(details) }
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, logger })
  const [early, late, changed] = [new Error('at once'), new Error('later'), new Error('on change')]
  client.on('request', () => {
    throw early
  })
  client.on('request', async () => {
    throw late
  })
  client.session.onChange(async () => {
    throw changed
  })
  await client.auth.getLocationMetadata()
  await client.session.setToken('a token')
  await new Promise((resolve) => setImmediate(resolve))
  expect(errors).toEqual([early, late, changed])
})

it('mfa.finish() emits elevated with its own call', async () => {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', password: 'correct horse', mfa: ['totp'] })
  const fetch: typeof service.fetch = async (input, init) => {
    const response = await service.fetch(input, init)
    if (response.status === 401) ticket = (await response.clone().json()).mfa?.ticket
    return response
  }
  let ticket = ''
  const client = new Client({ baseUrl: service.baseUrl, fetch, token: service.token(ada) })
  const [elevated, requests]: [ClientEvents['elevated'][], ClientEvents['request'][]] = [[], []]
  client.on('elevated', (event) => elevated.push(event))
  client.on('request', (event) => requests.push(event))
  await client.auth.sessions.logout({ session_id_hashes: ['h'] }).catch(() => {})
  await client.mfa.finish({ ticket, mfa_type: 'totp', data: service.users.totp(ada) })
  await client.auth.sessions.logout({ session_id_hashes: ['h'] })
  expect(elevated.map(({ endpoint }) => endpoint)).toEqual(['Verify MFA'])
  expect(elevated).toEqual([requests[1]])
})

test('the logger receives warnings under the name of their event, and the errors of listeners', async () => {
  const logger = { warn: vi.fn(), error: vi.fn() }
  const server = await serve(json(503, {}), json(200, [{ id: 5 }]))
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 1, logger })
  client.on('request', () => {
    throw new Error('mine')
  })
  await client.relationships.list()
  expect(logger.warn.mock.calls.map(([message]) => message)).toEqual([
    expect.stringMatching(/^rapport: responseMismatch callId=\d+ endpoint="Get Relationships" .* attempt=2$/),
  ])
  expect(logger.warn.mock.calls[0]?.[1]).toMatchObject({ endpoint: 'Get Relationships', attempt: 2 })
  expect(logger.error.mock.calls).toEqual([
    ['rapport: a listener threw', new Error('mine')],
    ['rapport: a listener threw', new Error('mine')],
  ])
})
