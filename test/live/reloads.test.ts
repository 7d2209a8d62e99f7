import { isApiError, isAuthenticationError, isGatewayError, isMfaRequiredError } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { json } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'
import { relationship, setUpOnWire, until } from './set-up'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  vi.restoreAllMocks()
})

const unavailable = json(503, { message: 'later', code: 0 })

describe('a flood of frames that a store cannot use', () => {
  const floods: [string, (setup: Awaited<ReturnType<typeof setUpOnWire>>, count: number) => Promise<unknown>][] = [
    ['malformed frames', async (setup) => setup.peer.raw('{"op":0,"t":"RELATIONSHIP_ADD"')],
    ['binary frames', async (setup) => setup.peer.raw(Buffer.from([1, 2, 3]))],
    ['invalid payloads', (setup) => setup.dispatch('RELATIONSHIP_ADD', { id: 7 })],
    ['updates of unknown users', (setup, count) => setup.dispatch('RELATIONSHIP_UPDATE', { id: `1${count}`, type: 1 })],
    ['sequence gaps', (setup) => setup.dispatch('RELATIONSHIP_REMOVE', { id: 'nobody' }, 1)],
    [
      'malformed frames with a sequence gap each',
      (setup) => {
        setup.peer.raw('{"op":0,')
        return setup.dispatch('RELATIONSHIP_REMOVE', { id: 'nobody' }, 1)
      },
    ],
  ]

  test.each(floods)(
    'reloads the store at most once in ten seconds: %s',
    async (_, send) => {
      const setup = await setUpOnWire()
      for (let count = 0; count < 38; count++) {
        await send(setup, count)
        await setup.arrived()
        await setup.advance(250)
      }
      expect(setup.loads()).toBe(1)
      expect(setup.store.stale).toBe(true)
      // 9.5 seconds have passed.
      await setup.advance(1_000)
      expect(setup.loads()).toBe(2)
      await until(() => !setup.store.stale)
      await setup.advance(30_000, 1_000)
      expect(setup.loads()).toBe(2)
    },
    20_000,
  )

  test('does not delay refresh() or the load of a new session', async () => {
    const setup = await setUpOnWire()
    setup.peer.raw('{')
    await setup.arrived()
    await setup.advance(250)
    await until(() => setup.loads() === 1 && !setup.store.stale)
    await setup.store.refresh()
    expect(setup.loads()).toBe(2)
    setup.peer.send({ op: 9, d: false })
    await until(() => setup.client.gateway.state === 'reconnecting')
    await setup.advance(5_000, 1_000)
    await until(() => setup.client.gateway.state === 'ready' && !setup.store.stale)
    expect(setup.loads()).toBe(3)
  })
})

test.each<[string, (setup: Awaited<ReturnType<typeof setUpOnWire>>) => Promise<unknown>]>([
  ['a new relationship', (setup) => setup.dispatch('RELATIONSHIP_ADD', relationship('9'))],
  ['an update of a known relationship', (setup) => setup.dispatch('RELATIONSHIP_UPDATE', { id: '7', nickname: 'S' })],
  ['the removal of a relationship', (setup) => setup.dispatch('RELATIONSHIP_REMOVE', { id: '7' })],
  ['an invalid event of another store', (setup) => setup.dispatch('GAME_RELATIONSHIP_ADD', { id: 7 })],
  [
    'an event that a listener of the app fails to process',
    async (setup) => {
      setup.client.gateway.on('relationshipRemove', () => {
        throw new Error('the app')
      })
      await setup.dispatch('RELATIONSHIP_REMOVE', { id: '7' })
    },
  ],
])('%s reloads nothing, and the store is not stale', async (_, send) => {
  const setup = await setUpOnWire()
  await send(setup)
  expect(setup.store.stale).toBe(false)
  await setup.advance(12_000, 1_000)
  expect(setup.loads()).toBe(0)
})

describe('a load that fails', () => {
  test('it is retried after growing waits until it succeeds', async () => {
    const setup = await setUpOnWire()
    setup.respondWith(unavailable)
    // The shortest waits are half of the limits, which are 1, 2, 4, … 60 seconds.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    let failures = 0
    const failed = new Set<unknown>()
    setup.store.subscribe(() => failed.add(setup.store.lastError))
    await setup.dispatch('RELATIONSHIP_ADD', { id: 7 })
    failed.clear()
    await setup.advance(250)
    await until(() => failed.size === 1)
    expect(setup.store.stale).toBe(true)
    for (const limit of [1, 2, 4, 8, 16, 32, 60, 60]) {
      failures++
      await setup.advance(limit * 500 - 1, limit * 500)
      expect(setup.loads()).toBe(failures)
      await setup.advance(1)
      await until(() => failed.size === failures + 1)
    }
    expect(setup.store.lastError).toSatisfy(isApiError)
    setup.respondWith(json(200, [relationship('9')]))
    await setup.advance(60_000, 60_000)
    await until(() => setup.store.lastError === undefined)
    expect(setup.store.stale).toBe(false)
    expect(setup.store.all()).toEqual([relationship('9')])
    const loads = setup.loads()
    await setup.advance(120_000, 60_000)
    expect(setup.loads()).toBe(loads)
  })

  test('it is retried after refresh() has rejected', async () => {
    const setup = await setUpOnWire()
    setup.respondWith(unavailable)
    const error = await rejectionOf(setup.store.refresh(), isApiError)
    expect(setup.store.lastError).toBe(error)
    setup.respondWith(json(200, []))
    await setup.advance(1_000, 1_000)
    await until(() => setup.store.lastError === undefined)
    expect(setup.store.all()).toEqual([])
  })

  test('it is not retried sooner because of malformed frames', async () => {
    const setup = await setUpOnWire()
    setup.respondWith(unavailable)
    await rejectionOf(setup.store.refresh(), isApiError)
    for (let count = 0; count < 4; count++) {
      setup.peer.raw('{')
      await setup.arrived()
      await setup.advance(100)
    }
    expect(setup.loads()).toBe(1)
  })

  test('it is retried after a short wait again after a success', async () => {
    const setup = await setUpOnWire()
    for (let round = 0; round < 3; round++) {
      setup.respondWith(unavailable)
      await rejectionOf(setup.store.refresh(), isApiError)
      setup.respondWith(json(200, []))
      await setup.advance(1_000, 1_000)
      await until(() => setup.store.lastError === undefined)
    }
    expect(setup.loads()).toBe(6)
  })

  test.each([
    ['the store is closed', ({ store }: Awaited<ReturnType<typeof setUpOnWire>>) => store.close()],
    ['the client is disposed', ({ client }: Awaited<ReturnType<typeof setUpOnWire>>) => client.dispose()],
    ['the user signs out', ({ client }: Awaited<ReturnType<typeof setUpOnWire>>) => client.session.setToken(null)],
  ])('it is not retried once %s', async (_, end) => {
    const setup = await setUpOnWire()
    setup.respondWith(unavailable)
    await rejectionOf(setup.store.refresh(), isApiError)
    await end(setup)
    await setup.advance(120_000, 30_000)
    expect(setup.loads()).toBe(1)
  })

  test('rejects `ready` if it is the first, and a new `ready` resolves once a retry succeeds', async () => {
    const setup = await setUpOnWire()
    setup.store.close()
    await Promise.resolve()
    setup.respondWith(unavailable)
    const store = setup.client.relationships.live()
    const first = store.ready
    const error = await rejectionOf(first, isApiError)
    expect([store.lastError, store.stale]).toEqual([error, true])
    setup.respondWith(json(200, [relationship('7')]))
    await setup.advance(1_000, 1_000)
    await until(() => store.lastError === undefined)
    expect(store.ready).not.toBe(first)
    await store.ready
    expect(store.stale).toBe(false)
  })

  test('it is not retried before another token, a new session or refresh() if the token was refused', async () => {
    const setup = await setUpOnWire()
    const { client, store } = setup
    const isRefused = () => isAuthenticationError(store.lastError)
    const refused = json(401, { message: '401: Unauthorized' })
    setup.respondWith(refused)
    await rejectionOf(store.refresh(), isAuthenticationError)
    await setup.advance(600_000, 60_000)
    expect([setup.loads(), store.status, isRefused()]).toEqual([1, 'ready', true])
    for (let time = 0; time < 3; time += 1) {
      await setup.dispatch('RELATIONSHIP_ADD', { id: 7 }) // invalid: otherwise the list is loaded again
      await setup.advance(12_000, 12_000)
    }
    expect(setup.loads()).toBe(1)

    await rejectionOf(store.refresh(), isAuthenticationError)
    expect(setup.loads()).toBe(2)
    const newSession = client.gateway.waitFor('ready')
    await client.session.setToken('another token')
    await newSession
    await setup.advance(1_000)
    expect([store.status, isRefused()]).toEqual(['failed', true])
    const loads = setup.loads()
    await setup.advance(600_000, 60_000)
    expect(setup.loads()).toBe(loads)

    setup.respondWith(json(200, [relationship('7')]))
    await client.session.setToken('a valid token')
    await store.ready
    expect([store.status, store.all().length]).toEqual(['ready', 1])
  })

  test('opens one prompt if it requires a second factor, and none in a retry', async () => {
    const prompt = vi.fn(async () => null)
    const setup = await setUpOnWire({ onMfaRequired: prompt })
    const challenge = { ticket: 'a-ticket', methods: [{ type: 'totp', backup_codes_allowed: false }] }
    setup.respondWith(json(401, { message: 'two factor is required', code: 60003, mfa: challenge }))
    await setup.store.refresh().catch(() => {})
    expect(prompt).toHaveBeenCalledTimes(1)
    await setup.advance(10_000, 1_000)
    await until(() => setup.loads() > 2)
    expect(prompt).toHaveBeenCalledTimes(1)
    expect(setup.store.lastError).toSatisfy(isMfaRequiredError)
    setup.respondWith(json(200, []))
    await setup.advance(60_000, 30_000)
    await until(() => setup.store.lastError === undefined)
  })
})

test('closing a store rejects only the calls that wait for it', async () => {
  const setup = await setUpOnWire()
  const other = setup.client.relationships.live()
  setup.respondWith(() => {})
  const [refreshed, others] = [setup.store.refresh(), other.refresh()]
  setup.store.close()
  expect(await rejectionOf(refreshed, isGatewayError)).toMatchObject({
    reason: 'disconnected',
    message: 'gateway: client.relationships.live: the store was closed: `close` was called.',
  })
  const settled = vi.fn()
  void others.then(settled, settled)
  await setup.arrived()
  expect(settled).not.toHaveBeenCalled()
  other.close()
  await rejectionOf(others, isGatewayError)
})
