import { Client } from 'rapport-sdk'
import { type RedisHolder, redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { deferred } from '../deferred'
import { type GatewayHandlers, serveGateway } from '../servers/gateway-server'
import { connectRedis, startRedis } from '../servers/redis-server'
import { upTo } from './events-set-up'

const WINDOW_MS = 5_000
/** The limit counts from just before the frame is sent. */
const SENDING_MS = 250

/** Starts Redis and a gateway, and records who sends Identify, and when: it arrives later, on a busy machine by seconds. */
async function setUp(handlers: GatewayHandlers = {}) {
  const starts: { readonly token: string; readonly at: number }[] = []
  class RecordedSocket extends WebSocket {
    override send(frame: string) {
      const { op, d } = JSON.parse(frame)
      if (op === 2) starts.push({ token: String(d.token), at: performance.now() })
      super.send(frame)
    }
  }
  const server = await serveGateway(handlers)
  const redis = await connectRedis(await startRedis())
  const hold = (token: string, options: { readonly leaseMs?: number } = {}) => {
    const client = new Client({ baseUrl: 'https://service.example', token })
    onTestFinished(() => client.dispose())
    // A Redis that replies late is another subject: the account would wait a second, and others start before it.
    const events = redisEvents(redis, { stream: 'test', account: token, commandTimeout: 60_000, ...options })
    const backoff = { initialDelay: 0, baseDelay: 0, maxDelay: 0 }
    const holder = events.hold(client, { url: server.url, backoff, WebSocket: RecordedSocket })
    onTestFinished(() => holder.close())
    return holder
  }
  /** Ends the term of an account's holder, which starts another one. */
  const loseLease = async (token: string) => {
    const key = `rapport:1:events:{test:${token}}:lease`
    const before = await vi.waitFor(async () => {
      const lease = await redis.get(key)
      expect(lease).not.toBeNull()
      return lease
    })
    await redis.del(key)
    // It notices that when it publishes.
    for (const peer of server.peers.filter(({ isOpen }) => isOpen)) peer.dispatch('TEST', {})
    await vi.waitFor(async () => expect([null, before]).not.toContain(await redis.get(key)))
  }
  return { server, starts, hold, loseLease }
}

test('a process starts at most 16 sessions in 5 s, and accounts whose sessions end at once do not keep others from starting theirs', async () => {
  const counts = new Map<string, number>()
  // No session ends before all accounts wait for their turn, whenever Redis replies to each.
  const waiting = deferred<void>()
  const allTried = deferred<number>()
  const { starts, hold } = await setUp({
    onIdentify: async (peer) => {
      const token = String(Object(peer.frames.at(-1)?.d).token)
      counts.set(token, (counts.get(token) ?? 0) + 1)
      if (counts.size === 40) allTried.resolve(Math.max(...counts.values()))
      await waiting.promise
      if (token.startsWith('bad')) peer.socket.close(4009)
      else peer.ready()
    },
  })
  const bad = upTo(20).map((index) => hold(`bad-${index}`))
  const good = upTo(20).map((index) => hold(`good-${index}`))
  const untilConnecting = (holder: RedisHolder) =>
    new Promise<void>((resolve) => holder.onChange((state) => state === 'connecting' && resolve()))
  await Promise.all([...bad, ...good].map(untilConnecting))
  waiting.resolve()

  expect(await allTried.promise).toBeLessThanOrEqual(2)
  await vi.waitFor(() => expect(good.every(({ state }) => state === 'holding')).toBe(true))

  for (const [index, { at }] of starts.slice(16).entries()) {
    expect(at - (starts[index]?.at ?? 0)).toBeGreaterThanOrEqual(WINDOW_MS)
  }
})

test('an account starts one session in 5 s in the long run, also if its holder loses the lease', async () => {
  const { starts, hold, loseLease } = await setUp({ onResume: (peer) => peer.send({ op: 9, d: false }) })
  hold('token')

  for (const count of upTo(7)) {
    await vi.waitFor(() => expect(starts).toHaveLength(count))
    await loseLease('token')
  }

  const [first, , , , , sixth, seventh] = starts.map(({ at }) => at)
  expect(Number(sixth) - Number(first)).toBeGreaterThanOrEqual(WINDOW_MS - SENDING_MS)
  expect(Number(seventh) - Number(first)).toBeGreaterThanOrEqual(2 * WINDOW_MS - SENDING_MS)
})

test('the `Retry-After` of a refused upgrade is kept, also if the holder loses the lease', async () => {
  const { server, hold, loseLease } = await setUp()
  let refused = 0
  server.rejectStatus = 503
  server.rejectHeaders = {
    get 'Retry-After'() {
      refused += 1
      return '3600'
    },
  }
  // It has no connection, and notices with a renewal that the lease is lost.
  hold('token', { leaseMs: 1_000 })
  await vi.waitFor(() => expect(refused).toBeGreaterThan(0))
  const before = refused

  for (const _ of upTo(3)) await loseLease('token')

  expect(refused).toBe(before)
})
