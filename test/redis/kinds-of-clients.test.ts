import { Client, isRateLimitError } from 'rapport-sdk'
import { type RedisClient, redisEvents, redisRateLimits, redisTokenStore } from 'rapport-sdk/redis'
import { createClient, createClientPool } from 'redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectCluster, connectRedis, connectSentinel, startCluster, startSentinel } from '../servers/redis-server'
import { rejectionOf } from '../transport/rejection'
import { createProcess, startService, upTo, WAIT } from './events-set-up'

/** Creates a client that follows the token and the limits of an account. */
function createFollower(redis: RedisClient, respond: () => Response) {
  const client = new Client({
    baseUrl: 'https://service.example',
    tokenStore: redisTokenStore(redis, 'ada'),
    rateLimits: redisRateLimits(redis, 'service'),
    retry: 0,
    fetch: async () => respond(),
  })
  onTestFinished(() => client.dispose())
  return client
}

const tooMany = () => Response.json({}, { status: 429, headers: { 'retry-after': '3600' } })

/** Expects that the token of an account and a limit reach another process. */
async function expectSharing(one: RedisClient, two: RedisClient): Promise<void> {
  const [first, second] = [createFollower(one, tooMany), createFollower(two, () => Response.json([]))]
  await Promise.all([first.ready, second.ready])
  await first.session.setToken('shared')
  await vi.waitFor(() => expect(second.session.token).toBe('shared'), WAIT)
  await rejectionOf(first.relationships.list(), isRateLimitError)
  await vi.waitFor(() => expect(second.relationships.list()).rejects.toSatisfy(isRateLimitError), WAIT)
}

test('tokens, limits and events work with a client of createSentinel, and continue without loss after a failover', async () => {
  const { primary, replica, sentinel } = await startSentinel()
  const [one, two] = [await connectSentinel(sentinel), await connectSentinel(sentinel)]
  await expectSharing(one, two)
  const service = await startService()
  const holding = createProcess(one, service, { leaseMs: 2_000 })
  const reading = createProcess(two, service, { leaseMs: 2_000 })
  const working = createProcess(two, service, { leaseMs: 2_000, group: 'mailer' })
  holding.hold()
  const all = [holding, reading, working]
  await Promise.all(all.map(({ client }) => client.gateway.connect()))
  service.emit(5)
  for (const { numbers } of all) await vi.waitFor(() => expect(numbers).toEqual(upTo(5)), WAIT)

  // Replication is asynchronous: what a failover may lose is not the subject here.
  const direct = await connectRedis(primary)
  expect(await direct.sendCommand(['WAIT', '1', '0'])).toBe(1)
  await primary.kill()
  service.emit(5)
  await vi.waitFor(() => expect(one.getMasterNode()?.port).toBe(replica.port), WAIT)
  service.emit(5)

  for (const { numbers } of all) await vi.waitFor(() => expect([...new Set(numbers)]).toEqual(upTo(15)), WAIT)
  await redisTokenStore(one, 'ada').set({ token: 'after' })
  await vi.waitFor(async () => expect(await redisTokenStore(two, 'ada').get()).toEqual({ token: 'after' }), WAIT)
})

test('tokens, limits and events of many accounts work with a client of createCluster', async () => {
  const servers = await startCluster()
  const [one, two] = [await connectCluster(servers), await connectCluster(servers)]
  await expectSharing(one, two)
  const service = await startService()
  const accounts = upTo(6).map(String)
  const processes = accounts.flatMap((account) => {
    const holding = createProcess(one, service, { account })
    holding.hold()
    return [
      holding,
      createProcess(two, service, { account }),
      createProcess(two, service, { account, group: 'mailer' }),
    ]
  })
  await Promise.all(processes.map(({ client }) => client.gateway.connect()))
  service.emit(5)
  for (const { numbers } of processes) await vi.waitFor(() => expect(numbers).toEqual(upTo(5)), WAIT)
})

/** What `ioredis` has, which the package `redis` has not: `status`, and commands as objects. */
const ioredis = { status: 'ready', sendCommand: () => {}, duplicate: () => {}, on: () => {}, call: () => {} }

test.each([
  ['of ioredis', () => ioredis],
  ['that is a pool', () => createClientPool()],
  ['of version 4, which cannot be destroyed', () => Object.defineProperty(createClient(), 'v4', { get: () => ({}) })],
  ['that is missing', () => undefined],
])('a client %s is refused at construction, with an error that names the package redis', (_, create) => {
  // A user without types.
  const redis = create() as never
  const names = 'a client of `createClient`, `createSentinel` or `createCluster` of the package `redis`'
  expect(() => redisTokenStore(redis, 'ada')).toThrow(names)
  expect(() => redisRateLimits(redis, 'service')).toThrow(names)
  expect(() => redisEvents(redis, { stream: 'test', account: 'ada' })).toThrow(names)
})
