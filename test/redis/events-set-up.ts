import { Client, type GatewayDispatch } from 'rapport-sdk'
import { createMockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type RedisClient, type RedisEventsOptions, redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, vi } from 'vitest'
import { connectRedis, startRedis } from '../servers/redis-server'

/** Key of the events of {@link createProcess}. */
export const KEY = 'rapport:1:events:{test:ada}'
/** Options of `vi.waitFor`. */
export const WAIT = { interval: 10 }

/** Starts a Redis server and a service. */
export async function setUp(options?: MockServiceOptions) {
  const redisServer = await startRedis()
  const service = await startService(options)
  const redis = await connectRedis(redisServer)
  return { redisServer, service, redis }
}

/** Starts a real server of the mock, whose gateway replays what a client has missed. */
export async function startService(options?: MockServiceOptions) {
  const service = createMockService(options)
  const ada = service.users.create({ login: 'ada@example.test', username: 'ada' })
  const token = service.token(ada)
  const server = await listen(service)
  // Ends its server too.
  onTestFinished(() => service.close())
  let serial = 0
  /** Emits events with consecutive numbers. */
  const emit = (count = 1) => {
    for (let index = 0; index < count; index++) {
      serial += 1
      service.gateway.emit('Relationship Update', { id: '7', nickname: `n${serial}`, type: 1 }, { to: ada })
    }
  }
  return { service, ada, token, server, emit }
}

type Service = Awaited<ReturnType<typeof startService>>

/** Creates the client of a process that reads the account's events, and lets the process compete for the connection. */
export function createProcess(
  redis: RedisClient,
  { server, token }: Pick<Service, 'server' | 'token'>,
  options: Partial<RedisEventsOptions> & { readonly group?: string } = {},
) {
  const { group, ...others } = options
  const events = redisEvents(redis, { stream: 'test', account: 'ada', ...others })
  const client = new Client({ baseUrl: server.url, token, gateway: events.gateway(group ? { group } : {}) })
  onTestFinished(() => client.dispose())
  const numbers: number[] = []
  client.gateway.on('dispatch', ({ type, data }: GatewayDispatch) => {
    if (type === 'relationshipUpdate') numbers.push(Number(String(Object(data).nickname).slice(1)))
  })
  const hold = () => {
    const holder = events.hold(client, { url: server.gatewayUrl, backoff: { initialDelay: 0, baseDelay: 50 } })
    onTestFinished(() => holder.close())
    return holder
  }
  return { events, client, numbers, hold }
}

/** Returns the whole numbers from 1. */
export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Returns the number of the event up to which a group has acknowledged all. */
export async function positionOf(redis: Redis, group: string): Promise<unknown> {
  const stored = String(await redis.hGet(`${KEY}:groups`, group))
  return Number(stored.split(' ')[1])
}

/** Resolves once a loop of `redis`, the only one of its group, waits for an event. */
export async function untilWaiting(redis: Redis, group: string): Promise<void> {
  await vi.waitFor(async () => expect(await redis.exists(`${KEY}:group:${group}`)).toBe(1), WAIT)
  // It has read, and found none: its commands are replied to before these.
  for (const _ of upTo(3)) await redis.ping()
}

type Redis = Awaited<ReturnType<typeof connectRedis>>

const SAVE = `
for _, key in ipairs(KEYS) do
  redis.call('DEL', 'copy:' .. key)
  if redis.call('EXISTS', key) == 1 then redis.call('COPY', key, 'copy:' .. key) end
end`

const LOSE = `
for _, key in ipairs(KEYS) do
  redis.call('DEL', key)
  if redis.call('EXISTS', 'copy:' .. key) == 1 then redis.call('COPY', 'copy:' .. key, key) end
end
redis.call('DEL', KEYS[1] .. ':group:' .. ARGV[1])`

/** What a failover replaces: also who has the lease, which may have changed hands since. */
const REPLICATED = [KEY, `${KEY}:state`, `${KEY}:groups`, `${KEY}:lease`]

/** Copies what Redis has of the account, as a replica that then falls behind. */
export async function saveWrites(redis: Redis, group: string): Promise<void> {
  await redis.sendCommand(['EVAL', SAVE, String(REPLICATED.length), ...REPLICATED, group])
}

/** Has that replica take over: everything written since is lost, and the lease of the group. */
export async function loseWrites(redis: Redis, group: string): Promise<void> {
  await redis.sendCommand(['EVAL', LOSE, String(REPLICATED.length), ...REPLICATED, group])
}
