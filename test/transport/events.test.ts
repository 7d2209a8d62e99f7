import { Client, type ClientEvents, isRequestValidationError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'

const KINDS = [
  'request',
  'response',
  'retry',
  'rateLimited',
  'mfaRequired',
  'elevated',
  'unauthorized',
  'responseMismatch',
] as const satisfies (keyof ClientEvents)[]

const SECRETS = ['planted-token', 'planted-ticket', 'planted-jwt', 'planted-code', 'planted-challenge', 'planted-value']

describe('the events of a client', () => {
  it.each(['requests', 'Retry', 'toString', '', undefined, 5])('on() rejects the unknown event name %j', (name) => {
    const client = new Client({ baseUrl: 'https://service.example' })
    const call = () => client.on(name as 'retry', () => {})
    expect(call).toThrow(expect.toSatisfy(isRequestValidationError))
    expect(call).toThrow(`unknown; known here: ${KINDS.join(', ')}`)
  })

  it('events report what a call goes through, in order and without secrets', async () => {
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
    const told: [string, unknown][] = []
    for (const kind of KINDS) client.on(kind, (event) => told.push([kind, event]))

    await client.relationships.list()
    await client.relationships.list().catch(() => {})

    expect(told.map(([kind]) => kind)).toEqual([
      ...['request', 'response', 'retry', 'request', 'response', 'rateLimited', 'request', 'response', 'mfaRequired'],
      ...['request', 'response', 'elevated', 'request', 'response', 'responseMismatch'],
      ...['request', 'response', 'unauthorized'],
    ])
    expect(told.find(([kind]) => kind === 'mfaRequired')?.[1]).toEqual({
      endpoint: 'Get Relationships',
      method: 'GET',
      path: '/users/@me/relationships',
      attempt: 3,
      methods: [{ type: 'webauthn' }, { type: 'totp' }],
    })
    expect(told.find(([kind]) => kind === 'response')?.[1]).toMatchObject({
      status: 503,
      durationMs: expect.any(Number),
    })
    for (const secret of SECRETS) expect(JSON.stringify(told)).not.toContain(secret)
  })

  it('the event of a login that requires a second factor has its path template', async () => {
    const server = await serve(json(200, { user_id: '1', mfa: true, ticket: 'planted-ticket', totp: true }))
    const client = new Client({ baseUrl: `${server.url}/api` })
    const required = vi.fn()
    client.on('mfaRequired', required)

    await client.auth.login({ login: 'ada@example.test', password: 'correct horse' })

    expect(required.mock.calls).toEqual([
      [{ endpoint: 'Login Account', method: 'POST', path: '/auth/login', attempt: 1, methods: [{ type: 'totp' }] }],
    ])
  })

  it('events carry path templates and not the values in them', async () => {
    const server = await serve(json(200, {}))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const requests = vi.fn()
    client.on('request', requests)
    await client.identities.getProfile('1', '2', 'planted-value')
    expect(JSON.stringify(requests.mock.calls)).not.toContain('planted-value')
    expect(requests.mock.calls[0]?.[0].path).toContain('{external_user_id}')
  })

  it('a listener that throws stops neither the call nor other listeners, and its error is logged', async () => {
    const server = await serve(json(200, []))
    const error = vi.fn()
    const client = new Client({ baseUrl: server.url, token: 'ada', logger: { error } })
    const mistake = new Error('mistake')
    const other = vi.fn()
    client.on('request', () => {
      throw mistake
    })
    client.on('request', other)

    expect(await client.relationships.list()).toEqual([])
    expect(other).toHaveBeenCalledTimes(1)
    expect(error.mock.calls[0]).toContain(mistake)
  })

  it('a logger that throws stops no call', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const broken = () => {
      throw new Error('the disk is full')
    }
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      logger: { debug: broken, info: broken, warn: broken, error: broken },
      onMfaRequired: () => ({ type: 'totp', code: '123456' }),
    })
    client.on('request', broken)

    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('the function that on() returns unsubscribes, and so does dispose()', async () => {
    const server = await serve(json(200, []), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const ended = vi.fn()
    const kept = vi.fn()
    const end = client.on('request', ended)
    client.on('request', kept)

    await client.relationships.list()
    end()
    await client.relationships.list()

    expect(ended).toHaveBeenCalledTimes(1)
    expect(kept).toHaveBeenCalledTimes(2)
  })
})
