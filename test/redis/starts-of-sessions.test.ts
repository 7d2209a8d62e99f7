import { Client } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type GatewayHandlers, type Peer, serveGateway } from '../servers/gateway-server'
import { connectRedis, startRedis } from '../servers/redis-server'
import { upTo } from './events-set-up'

const WINDOW_MS = 5_000
/** The gateway records when a frame arrives, not when it was sent: on a busy machine the first of two may be delayed more. */
const DELIVERY_MS = 250

/** Starts Redis and a gateway, which records who sends Identify, and when. */
async function setUp(handlers: GatewayHandlers = {}) {
  const starts: { readonly token: string; readonly at: number }[] = []
  const { onIdentify = (peer: Peer) => peer.ready() } = handlers
  const server = await serveGateway({
    ...handlers,
    onIdentify: (peer) => {
      const token = String(Object(peer.frames.findLast(({ op }) => op === 2)?.d).token)
      starts.push({ token, at: performance.now() })
      onIdentify(peer)
    },
  })
  const redis = await connectRedis(await startRedis())
  const hold = (token: string, options: { readonly leaseMs?: number } = {}) => {
    const client = new Client({ baseUrl: 'https://service.example', token })
    onTestFinished(() => client.dispose())
    const backoff = { initialDelay: 0, baseDelay: 0, maxDelay: 0 }
    const holder = redisEvents(redis, { stream: 'test', account: token, ...options }).hold(client, {
      url: server.url,
      backoff,
    })
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
  const { starts, hold } = await setUp({
    onIdentify: (peer) => {
      const token = String(Object(peer.frames.at(-1)?.d).token)
      counts.set(token, (counts.get(token) ?? 0) + 1)
      if (token.startsWith('bad')) peer.socket.close(4009)
      else peer.ready()
    },
  })
  for (const index of upTo(20)) hold(`bad-${index}`)
  const good = upTo(20).map((index) => hold(`good-${index}`))

  await vi.waitFor(() => expect(good.every(({ state }) => state === 'holding')).toBe(true))

  expect(counts.size).toBe(40)
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(2)
  for (const [index, { at }] of starts.slice(16).entries()) {
    expect(at - (starts[index]?.at ?? 0)).toBeGreaterThanOrEqual(WINDOW_MS - DELIVERY_MS)
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
  expect(Number(sixth) - Number(first)).toBeGreaterThanOrEqual(WINDOW_MS - DELIVERY_MS)
  expect(Number(seventh) - Number(first)).toBeGreaterThanOrEqual(2 * WINDOW_MS - DELIVERY_MS)
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
