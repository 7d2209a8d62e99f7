import { Client } from 'rapport-sdk'
import { beforeEach, expect, it, vi } from 'vitest'

const TEMPLATE = '/channels/{channel.id}/messages'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))

it.each([
  ['one path', 75, () => '1'],
  ['60 paths of one template', 120, String],
])(
  '60 calls at once to %s against a token bucket all succeed, with at most %i requests, however late answers come',
  async (_, most, channelOf) => {
    for (let seed = 1; seed <= 25; seed++) {
      const random = seededRandom(seed)
      const pause = () => new Promise((resolve) => setTimeout(resolve, random() < 0.1 ? random() * 600 : random() * 20))
      const take = tokenBucket()
      let requests = 0
      const fetch = async () => {
        await pause()
        requests++
        const waitMs = take()
        await pause()
        if (waitMs === 0) return Response.json([])
        return Response.json({}, { status: 429, headers: { 'retry-after': String(waitMs / 1000) } })
      }
      const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch })
      const calls = Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          client.request({ path: TEMPLATE, pathParams: { 'channel.id': channelOf(index) } }),
        ),
      )
      await Promise.all([calls, vi.runAllTimersAsync()])
      expect(requests).toBeLessThanOrEqual(most)
    }
  },
)

/** Accepts ten requests at first, and one more after each tenth of a second; else returns the time until then. */
function tokenBucket() {
  let tokens = 10
  let at = performance.now()
  return (): number => {
    const now = performance.now()
    tokens = Math.min(10, tokens + (now - at) / 100)
    at = now
    if (tokens < 1) return (1 - tokens) * 100
    tokens--
    return 0
  }
}

/** Returns numbers between 0 and 1, the same for each seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
