import { Client, isRateLimitError } from 'rapport-sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { outcomeOf } from './answers'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A client that waits as long as it is told, and is told to wait. */
function patientClient(retryAfter: string): { client: Client; requests: () => number } {
  const fetch = vi.fn(async () => Response.json({}, { status: 429, headers: { 'retry-after': retryAfter } }))
  const client = new Client({ baseUrl: 'https://service.example', fetch, retry: { maxRateLimitWaitMs: Infinity } })
  return { client, requests: () => fetch.mock.calls.length }
}

test('a wait that is longer than timers reach is waited, not spun through', async () => {
  const { client, requests } = patientClient('9000000')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const call = outcomeOf(client.relationships.list())
  await vi.advanceTimersByTimeAsync(10_000)

  expect(requests()).toBe(1)
  expect(timers.mock.calls.length).toBeLessThan(10)
  client.dispose()
  expect(await call).toMatchObject({ error: { name: 'RapportError' } })
  expect(vi.getTimerCount()).toBe(0)
})

test('a wait of any number of digits is a number, and the call does not wait for it', async () => {
  const headers = { 'retry-after': '9'.repeat(400) }
  const fetch = async () => Response.json({ retry_after: 1e308 }, { status: 429, headers })
  const client = new Client({ baseUrl: 'https://service.example', fetch })
  const { retryAfterMs } = await rejectionOf(client.relationships.list(), isRateLimitError)
  expect(retryAfterMs).toBe(Number.MAX_SAFE_INTEGER)
})
