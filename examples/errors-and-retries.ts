// How the client handles failures: it waits after a 429, retries a 502, refuses invalid parameters, applies timeouts, aborts,
// and reports a service that cannot be reached. What a user reads comes from `explain`.
import assert from 'node:assert/strict'
import {
  Client,
  explain,
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
client.on('rateLimited', ({ endpoint, waitMs }) => console.log(`  ${endpoint} waits ${waitMs} ms`))
client.on('retry', ({ endpoint, attempt, reason }) => console.log(`  ${endpoint}: attempt ${attempt} got ${reason}`))
const list = 'Get Relationships'

/** Returns the error that a call rejects with. Throws if the call succeeds. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail('the call was expected to fail'),
    (error: unknown) => error,
  )
}

console.log('After a rate limit, the client waits:')
service.faults.on(list, { status: 429, retryAfter: 0.2, times: 1 })
const waited = await client.relationships.list().withResponse()
assert.equal(waited.response.attempts, 2)

console.log('If the wait is longer than the call allows, it rejects:')
service.faults.on(list, { status: 429, retryAfter: 0.4, times: 1 })
const limited = await failure(client.relationships.list({ retry: { maxRateLimitWaitMs: 100 } }))
assert(isRateLimitError(limited))
console.log(`  ${limited.name}: retryAfterMs ${limited.retryAfterMs}; a user reads: ${explain(limited).message}`)

console.log('A GET is retried after a 502, a POST is not:')
service.faults.on(list, { html: true, times: 2 })
assert.equal((await client.relationships.list().withResponse()).response.attempts, 3)
service.faults.on('Send Friend Request', { html: true, times: 1 })
const failed = await failure(client.relationships.sendRequest({ username: 'grace', discriminator: null }))
assert(isServerError(failed))
console.log(`  ${failed.name}: status ${failed.status}`)

console.log('Invalid parameters are not sent, and every problem is listed:')
const params = { username: 'grace', discriminator: null, note: 'x'.repeat(121), nickname: 'G' }
const invalid = await failure(client.relationships.sendRequest(params))
assert(isRequestValidationError(invalid))
for (const { path, message } of invalid.issues) console.log(`  ${path.join('.')}: ${message}`)
console.log('  a form shows:', explain(invalid).fields)

console.log('A timeout limits an attempt, a deadline the whole call:')
service.faults.on(list, { latency: '5s' })
const slow = await failure(client.relationships.list({ timeout: 50, retry: 0 }))
assert(isTimeoutError(slow))
const late = await failure(client.relationships.list({ deadline: 50 }))
assert(isTimeoutError(late))
console.log(`  ${slow.limit} of ${slow.limitMs} ms, ${late.limit} of ${late.limitMs} ms`)

console.log('An abort rejects with the reason of the signal:')
const leaving = new Error('the user left the page')
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
const { title, message, action } = explain(offline)
console.log(`  a user reads: ${title}. ${message} The app offers: ${action}`)
