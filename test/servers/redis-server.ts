import { createClient } from 'redis'
import { onTestFinished, vi } from 'vitest'
import { RedisServer } from './redis-process'

// Leases and outages take seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Starts a server that ends with the test. */
export async function startRedis({ isPersistent = false } = {}): Promise<RedisServer> {
  const server = await RedisServer.create(isPersistent)
  onTestFinished(() => server.remove())
  await server.start()
  return server
}

/** Connects a client that is closed at the end of the test. It reconnects quickly. */
export async function connectRedis({ port }: RedisServer) {
  const redis = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: 20 } })
  redis.on('error', () => {})
  onTestFinished(() => {
    if (redis.isOpen) redis.destroy()
  })
  await redis.connect()
  return redis
}
