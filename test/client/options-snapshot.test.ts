import { Client, type ClientOptions, type GatewayOptions, type RequestOptions } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { NO_WAIT, serveGateway } from '../servers/gateway-server'
import { json, mfaRequired, noContent, serve } from '../servers/http-server'
import { tokenOnly } from '../session-stores'

/** Returns a value for every option of a client. */
function allOptions(baseUrl: string | URL): Required<ClientOptions> {
  return {
    baseUrl,
    allowInsecureHttp: true,
    session: 'token',
    token: 'ada',
    tokenStore: tokenOnly({ get: () => 'stored', set: () => {} }),
    fingerprint: 'a-fingerprint',
    authorize: (token) => `Bearer ${token}`,
    headers: { 'X-App': 'kept' },
    fetch: globalThis.fetch,
    credentials: 'omit',
    timeout: 10_000,
    deadline: 20_000,
    retry: { limit: 1, methods: ['DELETE'], maxRateLimitWaitMs: 5 },
    rateLimits: { block: () => {}, follow: () => ({ msUntilReset: () => 0, close: () => {} }) },
    rateLimitKey: () => 'address',
    maxConcurrency: 5,
    readRateLimit: () => ({}),
    readError: ({ body }) => Object(body),
    isStepUp: ({ status }) => status === 401,
    maxResponseBytes: 1_000,
    onMfaRequired: () => ({ type: 'totp', code: '123456' }),
    mfaTimeout: 10_000,
    mfaHeader: 'X-Mfa',
    verifications: { get: () => null, set: () => {}, delete: () => {} },
    classifyMfaFailure: () => 'fatal',
    onResponseMismatch: 'throw',
    userSchema: z.looseObject({ id: z.string() }),
    webauthn: { get: async () => ({}) },
    requestIdHeaders: ['x-request-id'],
    gateway: { url: 'ws://127.0.0.1:9', backoff: { initialDelay: 1 } },
    logger: {},
  }
}

/** Returns the options as accessors of a prototype, as instances of a class have them. */
function withGetters<T extends object>(options: T): T {
  const prototype = {}
  for (const [name, value] of Object.entries(options)) Object.defineProperty(prototype, name, { get: () => value })
  return Object.create(prototype)
}

describe.each<[string, <T extends object>(options: T) => T]>([
  ['getters of a class', withGetters],
  ['inherited properties', (options) => Object.create(options)],
  ['own properties', (options) => options],
])('options that are %s', (_, convert) => {
  test('they are used by a client and the clients of as()', async () => {
    const steppingUp = mfaRequired('ticket-one', [{ type: 'totp' }])
    const server = await serve(steppingUp, json(200, { token: 'jwt' }), json(503, {}), noContent)
    server.respondWith(steppingUp, json(200, { token: 'jwt' }), json(503, {}), noContent)
    const options = convert({ ...allOptions(server.url), retry: convert({ limit: 1, methods: ['DELETE'] as const }) })
    const client = new Client(options)
    for (const each of [client, client.as('grace')]) await each.relationships.delete('42')

    const sent = server.requests.map(({ url, headers }) => [url, headers.authorization, headers['x-app']])
    const requestsOf = (authorization: string) => [
      ['/users/@me/relationships/42', authorization, 'kept'],
      ['/mfa/finish', authorization, 'kept'],
      ['/users/@me/relationships/42', authorization, 'kept'],
      ['/users/@me/relationships/42', authorization, 'kept'],
    ]
    expect(sent).toEqual([...requestsOf('Bearer ada'), ...requestsOf('Bearer grace')])
    expect(server.requests.filter(({ headers }) => headers['x-mfa'] === 'jwt')).toHaveLength(4)
  })

  test('they are used by the gateway', async () => {
    const gateway = await serveGateway()
    const options: GatewayOptions = { url: gateway.url, backoff: convert(NO_WAIT) }
    const client = new Client(convert({ baseUrl: 'https://service.example', token: 'ada', gateway: convert(options) }))
    const sibling = client.as('grace')
    for (const each of [client, sibling]) await each.gateway.connect()
    expect(gateway.peers.map(({ frames }) => Object(frames[0]?.d).token)).toEqual(['ada', 'grace'])
    client.dispose()
    sibling.dispose()
  })

  test('they are used by a login', async () => {
    const pending = { user_id: '1', mfa: true, ticket: 'ticket-one', totp: true }
    const server = await serve(json(200, pending), json(200, { token: 'signed-in', user_id: '1' }))
    const client = new Client({ baseUrl: server.url })
    const options: RequestOptions = {
      headers: { 'X-Call': 'kept' },
      onMfaRequired: () => ({ type: 'totp', code: '123456' }),
    }
    const result = await client.auth.login({ login: 'ada@example.test', password: 'correct horse' }, convert(options))
    expect(result).toMatchObject({ status: 'complete', token: 'signed-in' })
    expect(server.requests.map(({ headers }) => headers['x-call'])).toEqual(['kept', 'kept'])
  })
})

describe('reading options', () => {
  /** Counts how often each option is read. */
  function countReads<T extends object>(options: T): { options: T; reads: Record<string, number> } {
    const reads: Record<string, number> = {}
    const get = (target: T, name: string | symbol) => {
      reads[String(name)] = (reads[String(name)] ?? 0) + 1
      return Reflect.get(target, name)
    }
    return { options: new Proxy(options, { get }), reads }
  }
  const once = (options: object) => Object.fromEntries(Object.keys(options).map((name) => [name, 1]))

  test('each option of a client and its gateway is read once, by the constructor', async () => {
    const [retry, backoff] = [countReads({ limit: 1 }), countReads({ initialDelay: 1 })]
    const gateway = countReads({ url: 'ws://127.0.0.1:9', backoff: backoff.options })
    const server = await serve(json(200, []), json(200, []))
    const plain = allOptions(server.url)
    const client = countReads({ ...plain, retry: retry.options, gateway: gateway.options })
    const created = new Client(client.options)
    await created.relationships.list()
    await created.as('grace').relationships.list()
    expect(client.reads).toEqual(once(plain))
    expect(retry.reads).toMatchObject({ limit: 1 })
    expect(gateway.reads).toMatchObject({ url: 1, backoff: 1 })
    expect(backoff.reads).toMatchObject({ initialDelay: 1 })
    expect([retry, gateway, backoff].flatMap(({ reads }) => Object.values(reads))).not.toContain(2)
  })

  test('each option of a call is read once', async () => {
    const server = await serve(json(200, []), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const plain = { token: 'grace', timeout: 1_000, deadline: 1_000, retry: 0, headers: {}, signal: undefined }
    const { options, reads } = countReads(plain)
    await client.relationships.list(options)
    expect(reads).toMatchObject(once(plain))
    expect(Object.values(reads)).not.toContain(2)
  })

  test('a change of the options of a call after it was made has no effect', async () => {
    const server = await serve(json(200, []))
    const client = new Client({ baseUrl: server.url, tokenStore: tokenOnly({ get: async () => 'ada', set: () => {} }) })
    const options: { token: string } = { token: 'grace' }
    const call = client.relationships.list(options)
    options.token = 'mallory'
    await call
    expect(server.request().headers.authorization).toBe('grace')
  })
})

describe('options that change after construction', () => {
  test('a change of the baseUrl object does not affect a client or the clients of as()', async () => {
    const server = await serve(json(200, []), json(200, []))
    const baseUrl = new URL('/api', server.url)
    const client = new Client({ baseUrl, token: 'ada' })
    baseUrl.host = 'elsewhere.example'
    baseUrl.pathname = '/other'
    await client.relationships.list()
    await client.as('grace').relationships.list()
    expect(server.requests.map(({ url }) => url)).toEqual(Array(2).fill('/api/users/@me/relationships'))
  })

  test('a change of the URL object of the gateway does not affect it', async () => {
    const gateway = await serveGateway()
    const url = new URL(gateway.url)
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', gateway: { url, backoff: NO_WAIT } })
    url.port = '9'
    const sibling = client.as('grace')
    for (const each of [client, sibling]) await each.gateway.connect()
    expect(gateway.peers).toHaveLength(2)
    client.dispose()
    sibling.dispose()
  })

  test('a change of headers, retry or another option does not affect later requests', async () => {
    const server = await serve(json(503, {}), json(200, []), json(503, {}), json(200, []))
    const headers = new Headers({ 'X-App': 'first' })
    const methods: ('GET' | 'DELETE')[] = ['GET']
    const retry = { limit: 1, methods }
    const options = { baseUrl: server.url, token: 'ada', headers, retry, authorize: (token: string) => token }
    const client = new Client(options)
    headers.set('X-App', 'second')
    methods[0] = 'DELETE'
    retry.limit = 0
    Object.assign(options, { authorize: () => 'nobody', baseUrl: 'https://elsewhere.example', timeout: 1 })
    await client.relationships.list()
    await client.as('grace').relationships.list()
    expect(server.requests.map((request) => request.headers['x-app'])).toEqual(Array(4).fill('first'))
    expect(server.request(-1).headers.authorization).toBe('grace')
  })
})

test('a client of as() has its own token and neither the token store nor the fingerprint of the other', async () => {
  const set = vi.fn()
  const server = await serve(json(200, []))
  const client = new Client({ ...allOptions(server.url), tokenStore: tokenOnly({ get: () => 'stored', set }) })
  const sibling = client.as('grace')
  await sibling.session.setToken('hopper')
  expect(set).not.toHaveBeenCalled()
  expect([client.session.token, sibling.session.token, sibling.session.fingerprint]).toEqual(['ada', 'hopper', null])
  await sibling.relationships.list()
  expect(server.request().headers).not.toHaveProperty('x-fingerprint')
})
