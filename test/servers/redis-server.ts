import type { RedisClient } from 'rapport-sdk/redis'
import { createCluster, createSentinel } from 'redis'
import { expect, onTestFinished, vi } from 'vitest'
import { connectionTo, FailoverSet, RedisServer } from './redis-process'

/** A client of `createClient`. */
export interface RedisConnection extends RedisClient {
  sendCommand(args: readonly string[], options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

/** Same, for tests with waits of the SDK that take seconds themselves. */
export function allowMinutes(): void {
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
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
  const redis = connectionTo(port, 20)
  redis.on('error', () => {})
  onTestFinished(() => {
    if (redis.isOpen) redis.destroy()
  })
  await redis.connect()
  return redis
}

/** Connects as a user who has these permissions besides that for the keys of the package. */
export async function connectLimited(server: RedisServer, ...permissions: string[]) {
  const redis = await connectRedis(server)
  await redis.sendCommand(['ACL', 'SETUSER', 'app', 'on', '>password', '~rapport:*', '+@all', ...permissions])
  const limited = redis.duplicate({ username: 'app', password: 'password' }).on('error', () => {})
  onTestFinished(() => limited.destroy())
  await limited.connect()
  return limited
}

async function startWith(...settings: string[]): Promise<RedisServer> {
  const server = await RedisServer.create('never', settings)
  onTestFinished(() => server.remove())
  await server.start()
  return server
}

/** Starts a primary, a replica and a Sentinel that end with the test. */
export async function startSentinel(): Promise<FailoverSet> {
  const servers = await FailoverSet.create('never')
  onTestFinished(() => servers.remove())
  await servers.start()
  return servers
}

/** Connects a client of `createSentinel` that is closed at the end of the test. */
export async function connectSentinel({ port }: RedisServer) {
  const redis = createSentinel({ name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port }] })
  redis.on('error', () => {})
  onTestFinished(() => (redis.isOpen ? redis.destroy() : undefined))
  return redis.connect()
}

/** Starts a cluster of three primaries. */
export async function startCluster(): Promise<RedisServer[]> {
  const servers = await Promise.all([0, 1, 2].map(() => startWith('cluster-enabled yes')))
  const nodes = await Promise.all(servers.map((server) => connectRedis(server)))
  const [first] = servers
  for (const [index, node] of nodes.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((16_384 * part) / 3))
    await node.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(from), String(Number(to) - 1)])
    if (index > 0) await node.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(first?.port)])
  }
  for (const node of nodes) {
    await vi.waitFor(async () => expect(String(await node.sendCommand(['CLUSTER', 'INFO']))).toContain('state:ok'))
    node.destroy()
  }
  return servers
}

/** Connects a client of `createCluster` that is closed at the end of the test. */
export async function connectCluster(servers: readonly RedisServer[]) {
  const rootNodes = servers.map(({ port }) => ({ socket: { host: '127.0.0.1', port } }))
  const redis = createCluster({ rootNodes, defaults: { socket: { reconnectStrategy: 20 } } })
  redis.on('error', () => {})
  onTestFinished(() => {
    if (redis.isOpen) redis.destroy()
  })
  return redis.connect()
}

/** Wraps a client whose commands can be cut off from Redis, although it receives notifications. */
export function cuttable(redis: RedisConnection) {
  let isCut = false
  const listeners = new Set<() => void>()
  const connection: RedisConnection = {
    isOpen: true,
    get isReady() {
      return !isCut && redis.isReady
    },
    sendCommand: (args, options) => redis.sendCommand(args, options),
    duplicate: () => redis.duplicate(),
    on(event, listener) {
      if (event === 'ready') listeners.add(listener)
      return redis.on(event, listener)
    },
    off(event, listener) {
      if (event === 'ready') listeners.delete(listener)
      return redis.off?.(event, listener)
    },
  }
  const cut = () => {
    isCut = true
  }
  const restore = () => {
    isCut = false
    for (const listener of [...listeners]) listener()
  }
  return { connection, cut, restore }
}
