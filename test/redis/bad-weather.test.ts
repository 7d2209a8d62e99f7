import { createClient } from 'redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis, startRedis } from '../servers/redis-server'
import { createProcess, startService } from './events-set-up'

const KEY = 'rapport:1:events:{test:ada}'
const WAIT = { timeout: 8_000, interval: 10 }

async function setUp() {
  const redisServer = await startRedis()
  const service = await startService()
  const redis = await connectRedis(redisServer)
  return { redisServer, service, redis }
}

test('a foreign entry at the end of the stream does not stop the events after it', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  service.emit(2)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)

  await redis.xAdd(KEY, '*', { foreign: 'entry' })
  service.emit(3)

  await vi.waitFor(() => expect(numbers).toEqual([1, 2, 3, 4, 5]), WAIT)
})

test('a holder that may not write keeps its events, and its `lastError` says why until it may again', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service)
  const holder = hold()
  await client.gateway.connect()

  await redis.configSet('maxmemory', '1')
  service.emit(2)
  await vi.waitFor(() => expect(String(holder.lastError)).toContain(`OOM (${KEY})`), WAIT)
  await redis.configSet('maxmemory', '0')

  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)
  await vi.waitFor(() => expect(holder.lastError).toBeUndefined(), WAIT)
})

test('a user of Redis without permission for the channels is an error of the holder', async () => {
  const { redisServer, service, redis } = await setUp()
  await redis.sendCommand(['ACL', 'SETUSER', 'app', 'on', '>password', '~rapport:*', '+@all', 'resetchannels'])
  const socket = { port: redisServer.port, host: '127.0.0.1' }
  const limited = createClient({ socket, username: 'app', password: 'password' }).on('error', () => {})
  onTestFinished(() => limited.destroy())
  await limited.connect()
  const holder = createProcess(limited, service).hold()

  await vi.waitFor(() => expect(String(holder.lastError)).toMatch(/NOPERM.*&rapport:\*/), WAIT)
})
