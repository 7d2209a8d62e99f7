// What goes wrong, and what the client does about it: a 429 waited out, a 502 repeated, invalid parameters that are never
// sent, time limits, an abort, and a service that cannot be reached.
import assert from 'node:assert/strict'
import {
  Client,
  isConnectionError,
  isRateLimitError,
  isRequestValidationError,
  isServerError,
  isTimeoutError,
} from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) })
client.on('rateLimited', ({ endpoint, retryAfterMs }) => console.log(`  ${endpoint} waits ${retryAfterMs} ms`))
client.on('retry', ({ endpoint, attempt, status }) => console.log(`  ${endpoint}: attempt ${attempt} got ${status}`))
const list = 'Get Relationships'

/** What a call rejects with; that it does not is the failure here. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail('the call was expected to fail'),
    (error: unknown) => error,
  )
}

console.log('A rate limit is waited out:')
service.faults.on(list, { status: 429, retryAfter: 0.2, times: 1 })
const waited = await client.relationships.list().withResponse()
assert.equal(waited.response.attempts, 2)

console.log('A longer one than the call allows is an error that tells how long:')
service.faults.on(list, { status: 429, retryAfter: 0.4, times: 1 })
const limited = await failure(client.relationships.list({ retry: { maxRateLimitWaitMs: 100 } }))
assert(isRateLimitError(limited))
console.log(`  ${limited.name}: retryAfterMs ${limited.retryAfterMs}`)

console.log('A bad gateway is repeated for a GET, and not for a POST:')
service.faults.on(list, { html: true, times: 2 })
assert.equal((await client.relationships.list().withResponse()).response.attempts, 3)
service.faults.on('Send Friend Request', { html: true, times: 1 })
const failed = await failure(client.relationships.sendRequest({ username: 'grace', discriminator: null }))
assert(isServerError(failed))
console.log(`  ${failed.name}: status ${failed.status}`)

console.log('What breaks the interface is not sent, and every problem is listed:')
const params = { username: 'grace', discriminator: null, note: 'x'.repeat(121), nickname: 'G' }
const invalid = await failure(client.relationships.sendRequest(params))
assert(isRequestValidationError(invalid))
for (const { path, message } of invalid.issues) console.log(`  ${path.join('.')}: ${message}`)

console.log('An attempt has a timeout, a call a deadline:')
service.faults.on(list, { latency: '5s' })
const slow = await failure(client.relationships.list({ timeout: 50, retry: 0 }))
assert(isTimeoutError(slow))
const late = await failure(client.relationships.list({ deadline: 50 }))
assert(isTimeoutError(late))
console.log(`  ${slow.limit} of ${slow.limitMs} ms, ${late.limit} of ${late.limitMs} ms`)

console.log('An abort rejects with its own reason:')
const leaving = new Error('the user has left the page')
const control = new AbortController()
const open = failure(client.relationships.list({ signal: control.signal }))
control.abort(leaving)
assert.equal(await open, leaving)
console.log(`  ${leaving.message}`)
service.faults.clear()

console.log('A service that cannot be reached:')
service.faults.on(list, { network: true })
const offline = await failure(client.relationships.list({ retry: 0 }))
assert(isConnectionError(offline))
console.log(`  ${offline.message}`)
