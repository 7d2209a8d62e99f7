import { inspect } from 'node:util'
import { Client, type ClientState, inspectClient, isRequestValidationError, type MfaAnswer } from 'rapport-sdk'
import { auth, createClient, relationships } from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { settle, setUpStore } from '../live/set-up'
import { expectNoSecret, PLANTED } from '../security/hostile-values'
import { json, mfaRequired, noResponse, type Responder, serve } from '../servers/http-server'
import { pass, stopClock } from '../stopped-clock'
import { reasonOf } from '../transport/rejection'

const limited = (seconds: number, body: object = {}): Responder => json(429, body, { 'retry-after': String(seconds) })
const idle = { isDisposed: false, session: 'signedIn', gateway: null, live: [], limits: [], calls: [], prompts: [] }

/** Creates a client whose clock is stopped. */
async function setUp(responders: readonly Responder[], options: object = {}) {
  const server = await serve(...responders)
  stopClock()
  const client = new Client({ baseUrl: `${server.url}/`, token: PLANTED.token, ...options })
  onTestFinished(() => client.dispose())
  return { server, client }
}

/** Returns the state of a client, once it is as expected; it contains no planted secret. */
async function stateOf(client: Client, isReached: (state: ClientState) => boolean): Promise<ClientState> {
  await vi.waitFor(() => expect(client.inspect()).toSatisfy(isReached))
  const state = client.inspect()
  expectNoSecret([state, client])
  expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  return state
}

describe('what a client shows of itself', () => {
  test('an idle client shows its origin and creates neither gateway nor live stores', async () => {
    const { server, client } = await setUp([])
    expect(client.inspect()).toEqual({ ...idle, origin: server.url })
    expect(client.inspect()).toEqual({ ...idle, origin: server.url })
    expect(new Client({ baseUrl: server.url }).inspect().session).toBe('signedOut')
  })

  test('a wait for a 429 is a limit with template and remaining time, without the ID of its path', async () => {
    const { client } = await setUp([limited(40), json(204, {})], { logger: { warn() {} } })
    const call = client.relationships.delete('4242')
    const { limits, calls } = await stateOf(client, ({ limits }) => limits.length > 0)
    const [limit] = limits
    expect(limit).toMatchObject({ route: 'DELETE /users/@me/relationships/{user.id}', global: false, waiting: 1 })
    expect(calls).toEqual([
      { callId: expect.any(Number), endpoint: 'Remove Relationship', attempt: 1, ageMs: expect.any(Number) },
    ])
    await pass(10_000)
    const later = client.inspect()
    expect(Number(limit?.remainingMs) - Number(later.limits[0]?.remainingMs)).toBe(10_000)
    expect(Number(later.calls[0]?.ageMs) - Number(calls[0]?.ageMs)).toBe(10_000)
    expect(inspect([later, client])).not.toContain('4242')
    await pass(31_000)
    await call
    expect(client.inspect()).toMatchObject({ limits: [], calls: [] })
  })

  test('a global limit, one of a key of the app and one of a custom path have no route', async () => {
    const everything = await setUp([limited(40, { global: true })])
    const key = await setUp([limited(40)], { rateLimitKey: () => 'a-secret-key' })
    const custom = await setUp([limited(40)])
    void reasonOf(everything.client.relationships.list())
    void reasonOf(key.client.relationships.list())
    void reasonOf(custom.client.request({ path: '/channels/4242' }))
    for (const [{ client }, global] of [
      [everything, true],
      [key, false],
      [custom, false],
    ] as const) {
      const { limits } = await stateOf(client, ({ limits }) => limits.length > 0)
      expect(limits.filter(({ route }) => route === null)).toMatchObject([{ global, route: null }])
      expect(JSON.stringify(limits)).not.toMatch(/4242|a-secret-key/)
    }
  })

  test('a limit of another account is not shown, although the clients share their limits', async () => {
    const { client } = await setUp([limited(40)])
    const grace = client.as(`${PLANTED.token}-of-grace`)
    const call = reasonOf(grace.relationships.list({ retry: 0 }))
    await call
    expect(grace.inspect().limits).toHaveLength(1)
    expect(client.inspect().limits).toEqual([])
  })

  test('an open prompt shows what is asked, and not its ticket, its answer or the verification', async () => {
    const answer = deferred<MfaAnswer>()
    const { client } = await setUp([mfaRequired(PLANTED.ticket), json(200, { token: PLANTED.jwt }), noResponse], {
      onMfaRequired: () => answer.promise,
    })
    void reasonOf(client.relationships.list())
    const { prompts, calls } = await stateOf(client, ({ prompts }) => prompts.length > 0)
    expect(prompts).toMatchObject([
      { reason: 'elevation', endpoint: 'Get Relationships', attempt: 1, state: 'waiting', methods: [{ type: 'totp' }] },
    ])
    expect(calls).toMatchObject([{ endpoint: 'Get Relationships', attempt: 1, ageMs: null }])
    answer.resolve({ type: 'totp', code: PLANTED.code })
    const after = await stateOf(client, ({ calls }) => calls[0]?.attempt === 2)
    expect(after.prompts).toEqual([])
  })

  test('a sign-in shows the call that is in flight, and neither password nor fingerprint', async () => {
    const { client } = await setUp([noResponse], { token: undefined, fingerprint: PLANTED.fingerprint })
    void reasonOf(client.auth.login({ login: 'ada@example.test', password: PLANTED.password }))
    const { session, calls } = await stateOf(client, ({ calls }) => calls[0]?.attempt === 1)
    expect([session, calls.map(({ endpoint }) => endpoint)]).toEqual(['signedOut', ['Login Account']])
    expect(inspect(client)).not.toContain('ada@')
  })

  test('the gateway and a live store show their states, also while the store is stale', async () => {
    stopClock()
    const { service, client } = await setUpStore()
    const store = { name: 'client.relationships.live', status: 'ready', stale: false }
    expect(client.inspect()).toMatchObject({ gateway: 'ready', live: [store] })
    service.gateway.drop()
    await settle()
    expect(client.inspect()).toMatchObject({ gateway: 'reconnecting', live: [{ ...store, stale: true }] })
  })

  test('a disposed client has no call, no prompt and no open store', async () => {
    const { server, client } = await setUp([noResponse])
    const call = reasonOf(client.relationships.list())
    await stateOf(client, ({ calls }) => calls[0]?.attempt === 1)
    client.dispose()
    await call
    expect(client.inspect()).toEqual({ ...idle, origin: server.url, isDisposed: true })
  })

  test('the console and JSON show the same facts', async () => {
    const { client } = await setUp([])
    expect(inspect(client)).toBe(`Client ${inspect(client.inspect())}`)
    expect(JSON.parse(JSON.stringify(client))).toEqual(client.inspect())
  })
})

describe('inspectClient', () => {
  test('a client of createClient shows the same, and its hidden members no secret', async () => {
    const service = createMockService()
    onTestFinished(() => void service.close())
    const { baseUrl, fetch } = service
    const client = createClient({ baseUrl, fetch, token: PLANTED.token }, { auth, relationships })
    expect(inspectClient(client)).toEqual({ ...idle, origin: new URL(baseUrl).origin })
    expectNoSecret([client, inspectClient(client)])
  })

  test('it refuses anything but a client of this package', () => {
    for (const other of [{}, undefined, null, 'client'])
      expect(() => inspectClient(Object(other))).toThrowError(expect.toSatisfy(isRequestValidationError))
  })
})
