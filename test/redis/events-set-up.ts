import { Client, type GatewayDispatch } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type RedisConnection, type RedisEventsOptions, redisEvents } from 'rapport-sdk/redis'
import { onTestFinished } from 'vitest'
import { connectRedis, startRedis } from '../servers/redis-server'

/** Key of the events of {@link createProcess}. */
export const KEY = 'rapport:1:events:{test:ada}'
/** Options of `vi.waitFor`, on a busy machine. */
export const WAIT = { timeout: 25_000, interval: 10 }

/** Starts a Redis server and a service. */
export async function setUp() {
  const redisServer = await startRedis()
  const service = await startService()
  const redis = await connectRedis(redisServer)
  return { redisServer, service, redis }
}

/** Starts a real server of the mock, whose gateway replays what a client has missed. */
export async function startService() {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.test', username: 'ada' })
  const token = service.token(ada)
  const server = await listen(service)
  onTestFinished(() => server.close())
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
  redis: RedisConnection,
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
