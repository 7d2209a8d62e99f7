import { Client, type RateLimitStore } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { deferred } from '../deferred'
import { reasonOf } from './rejection'

/** A client that sends one request of a key at a time, and the times for which other processes limit its next keys. */
function setUp(msUntilReset: () => number | Promise<number>) {
  const rateLimits: RateLimitStore = { block: () => {}, follow: () => ({ msUntilReset, close: () => {} }) }
  const fetch = async () => Response.json([])
  return new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, rateLimits, maxConcurrency: 1 })
}

test('a call that has waited for a limit of another process has one place, not two', async () => {
  const waits = [20, 20, 20]
  const client = setUp(() => waits.pop() ?? 0)

  expect(await client.relationships.list()).toEqual([])
  expect(await client.relationships.list()).toEqual([])
})

test('a call that is aborted while it asks for limits of other processes gives its place back', async () => {
  const asked = deferred<void>()
  const never = new Promise<number>(() => {})
  let isFirst = true
  const client = setUp(() => {
    const wasFirst = isFirst
    isFirst = false
    asked.resolve()
    return wasFirst ? never : 0
  })
  const control = new AbortController()
  const aborted = reasonOf(client.relationships.list({ signal: control.signal }))
  await asked.promise
  control.abort('enough')

  expect(await aborted).toBe('enough')
  expect(await client.relationships.list()).toEqual([])
})
