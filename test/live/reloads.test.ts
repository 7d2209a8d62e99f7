import { isApiError, isGatewayError, isMfaRequiredError } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { json } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'
import { relationship } from './live-world'
import { passOnWire, until, wireWorld } from './wire-world'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const unavailable = json(503, { message: 'later', code: 0 })

describe('a flood of what a store cannot use', () => {
  const floods: [string, (world: Awaited<ReturnType<typeof wireWorld>>, count: number) => Promise<unknown>][] = [
    ['malformed frames', async (world) => world.peer.raw('{"op":0,"t":"RELATIONSHIP_ADD"')],
    ['binary frames', async (world) => world.peer.raw(Buffer.from([1, 2, 3]))],
    ['invalid payloads', (world) => world.dispatch('RELATIONSHIP_ADD', { id: 7 })],
    ['updates of unknown users', (world, count) => world.dispatch('RELATIONSHIP_UPDATE', { id: `1${count}`, type: 1 })],
    ['gaps', (world) => world.dispatch('RELATIONSHIP_REMOVE', { id: 'nobody' }, 1)],
    [
      'malformed frames, each of which leaves a gap',
      (world) => {
        world.peer.raw('{"op":0,')
        return world.dispatch('RELATIONSHIP_REMOVE', { id: 'nobody' }, 1)
      },
    ],
  ]

  test.each(floods)(
    'a flood of %s reloads the store once in ten seconds',
    async (_, send) => {
      const world = await wireWorld()
      for (let count = 0; count < 38; count++) {
        await send(world, count)
        await world.arrived()
        await passOnWire(250)
      }
      expect(world.loads()).toBe(1)
      expect(world.store.stale).toBe(true)
      // 9.5 seconds are over.
      await passOnWire(1_000)
      expect(world.loads()).toBe(2)
      await until(() => !world.store.stale)
      await passOnWire(30_000, 1_000)
      expect(world.loads()).toBe(2)
    },
    20_000,
  )

  test('a flood does not delay refresh() or the load of a new session', async () => {
    const world = await wireWorld()
    world.peer.raw('{')
    await world.arrived()
    await passOnWire(250)
    await until(() => world.loads() === 1 && !world.store.stale)
    await world.store.refresh()
    expect(world.loads()).toBe(2)
    world.peer.send({ op: 9, d: false })
    await until(() => world.client.gateway.state === 'reconnecting')
    await passOnWire(5_000, 1_000)
    await until(() => world.client.gateway.state === 'ready' && !world.store.stale)
    expect(world.loads()).toBe(3)
  })

  test('a flood does not delay the reload after a gap', async () => {
    const world = await wireWorld()
    await world.dispatch('RELATIONSHIP_ADD', { id: 7 })
    await passOnWire(250)
    await until(() => world.loads() === 1 && !world.store.stale)
    await world.dispatch('RELATIONSHIP_REMOVE', { id: 'nobody' }, 1)
    expect(world.store.stale).toBe(true)
    await passOnWire(250)
    await until(() => world.loads() === 2 && !world.store.stale)
  })
})

describe('a load that fails', () => {
  test('a load that fails is retried after growing waits until it succeeds', async () => {
    const world = await wireWorld()
    world.answer(unavailable)
    // The shortest waits: half of their limits, which are 1, 2, 4, … 60 seconds.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    let failures = 0
    const failed = new Set<unknown>()
    world.store.subscribe(() => failed.add(world.store.lastError))
    await world.dispatch('RELATIONSHIP_ADD', { id: 7 })
    failed.clear()
    await passOnWire(250)
    await until(() => failed.size === 1)
    expect(world.store.stale).toBe(true)
    for (const limit of [1, 2, 4, 8, 16, 32, 60, 60]) {
      failures++
      await passOnWire(limit * 500 - 1, limit * 500)
      expect(world.loads()).toBe(failures)
      await passOnWire(1)
      await until(() => failed.size === failures + 1)
    }
    expect(world.store.lastError).toSatisfy(isApiError)
    world.answer(json(200, [relationship('9')]))
    await passOnWire(60_000, 60_000)
    await until(() => world.store.lastError === undefined)
    expect(world.store.stale).toBe(false)
    expect(world.store.all()).toEqual([relationship('9')])
    const loads = world.loads()
    await passOnWire(120_000, 60_000)
    expect(world.loads()).toBe(loads)
  }, 20_000)

  test('a load of a rejected refresh() is retried', async () => {
    const world = await wireWorld()
    world.answer(unavailable)
    const error = await rejectionOf(world.store.refresh(), isApiError)
    expect(world.store.lastError).toBe(error)
    world.answer(json(200, []))
    await passOnWire(1_000, 1_000)
    await until(() => world.store.lastError === undefined)
    expect(world.store.all()).toEqual([])
  })

  test('malformed frames do not speed up the retry of a load', async () => {
    const world = await wireWorld()
    world.answer(unavailable)
    await rejectionOf(world.store.refresh(), isApiError)
    for (let count = 0; count < 4; count++) {
      world.peer.raw('{')
      await world.arrived()
      await passOnWire(100)
    }
    expect(world.loads()).toBe(1)
  })

  test('the waits between loads start over after a success', async () => {
    const world = await wireWorld()
    for (let round = 0; round < 3; round++) {
      world.answer(unavailable)
      await rejectionOf(world.store.refresh(), isApiError)
      world.answer(json(200, []))
      await passOnWire(1_000, 1_000)
      await until(() => world.store.lastError === undefined)
    }
    expect(world.loads()).toBe(6)
  })

  test.each([
    ['the store is closed', ({ store }: Awaited<ReturnType<typeof wireWorld>>) => store.close()],
    ['the client is disposed', ({ client }: Awaited<ReturnType<typeof wireWorld>>) => client.dispose()],
    ['the user signs out', ({ client }: Awaited<ReturnType<typeof wireWorld>>) => client.session.setToken(null)],
  ])('a load that fails is not retried once %s', async (_, end) => {
    const world = await wireWorld()
    world.answer(unavailable)
    await rejectionOf(world.store.refresh(), isApiError)
    await end(world)
    await passOnWire(120_000, 30_000)
    expect(world.loads()).toBe(1)
  })

  test('a first load that fails rejects `ready`, and a new `ready` resolves once a retry succeeds', async () => {
    const world = await wireWorld()
    world.store.close()
    world.answer(unavailable)
    const store = world.client.relationships.live()
    const first = store.ready
    const error = await rejectionOf(first, isApiError)
    expect([store.lastError, store.stale]).toEqual([error, true])
    world.answer(json(200, [relationship('7')]))
    await passOnWire(1_000, 1_000)
    await until(() => store.lastError === undefined)
    expect(store.ready).not.toBe(first)
    await store.ready
    expect(store.stale).toBe(false)
  })

  test('a load that requires a second factor opens one prompt, and none in a retry', async () => {
    const prompt = vi.fn(async () => null)
    const world = await wireWorld({ onMfaRequired: prompt })
    const challenge = { ticket: 'a-ticket', methods: [{ type: 'totp', backup_codes_allowed: false }] }
    world.answer(json(401, { message: 'two factor is required', code: 60003, mfa: challenge }))
    await world.store.refresh().catch(() => {})
    expect(prompt).toHaveBeenCalledTimes(1)
    await passOnWire(10_000, 1_000)
    await until(() => world.loads() > 2)
    expect(prompt).toHaveBeenCalledTimes(1)
    expect(world.store.lastError).toSatisfy(isMfaRequiredError)
    world.answer(json(200, []))
    await passOnWire(60_000, 30_000)
    await until(() => world.store.lastError === undefined)
  })
})

test('closing a store rejects what waits for it, and nothing else', async () => {
  const world = await wireWorld()
  const other = world.client.relationships.live()
  world.answer(() => {})
  const [refreshed, others] = [world.store.refresh(), other.refresh()]
  world.store.close()
  expect((await rejectionOf(refreshed, isGatewayError)).reason).toBe('disconnected')
  const settled = vi.fn()
  void others.then(settled, settled)
  await passOnWire(250)
  expect(settled).not.toHaveBeenCalled()
  other.close()
  await rejectionOf(others, isGatewayError)
})
