import type { RedisConnection } from 'rapport-sdk/redis'
import { createClient } from 'redis'
import { onTestFinished, vi } from 'vitest'
import { RedisServer } from './redis-process'

/** Raises the time limits of the tests of a file: leases and outages take seconds, and more on a busy machine. */
export function allowSeconds(): void {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
}

/** Starts a server that ends with the test. */
export async function startRedis({ isPersistent = false } = {}): Promise<RedisServer> {
  const server = await RedisServer.create(isPersistent ? 'always' : 'never')
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

/** Wraps a client whose commands can be cut off from Redis, although it receives notifications. */
export function cuttable(redis: RedisConnection) {
  let isCut = false
  const listeners: (() => void)[] = []
  const connection: RedisConnection = {
    isOpen: true,
    get isReady() {
      return !isCut && redis.isReady
    },
    sendCommand: (args, options) => redis.sendCommand(args, options),
    duplicate: () => redis.duplicate(),
    on(event, listener) {
      if (event === 'ready') listeners.push(listener)
      return redis.on(event, listener)
    },
  }
  const cut = () => {
    isCut = true
  }
  const restore = () => {
    isCut = false
    for (const listener of listeners) listener()
  }
  return { connection, cut, restore }
}
