// A sensitive call that the service refuses with 60003: with a handler, step-up is invisible to the call sites, even for
// concurrent calls. Without a handler, the error has the challenge.
import assert from 'node:assert/strict'
import { Client, isMfaRequiredError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

// The service decides which calls are sensitive. Here, these two are.
const sensitive = ['Logout Auth Sessions', 'Create Handoff Token']
const service = createMockService({ policy: { requireMfa: (endpoint) => sensitive.includes(endpoint) } })
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', mfa: ['totp'] })
const connection = { baseUrl: service.baseUrl, fetch: service.fetch }

let prompts = 0
const client = new Client({
  ...connection,
  token: service.token(ada),
  onMfaRequired: ({ reason, methods }) => {
    prompts += 1
    console.log(`  prompt ${prompts} (${reason}): ${methods.map(({ type }) => type).join(', ')}`)
    return { type: 'totp', code: service.users.totp(ada) }
  },
})

console.log('Three concurrent sensitive calls:')
const keys = ['tv', 'car', 'console']
const responses = await Promise.all(keys.map((key) => client.auth.createHandoffToken({ key }).withResponse()))
for (const { response } of responses) {
  assert(response.elevated)
  assert.equal(response.attempts, 2)
}
assert.equal(prompts, 1)
console.log(`  all ${responses.length} succeeded with ${prompts} prompt, each was sent twice`)

console.log('One more, while the verification is valid:')
const { response } = await client.auth.createHandoffToken({ key: 'tablet' }).withResponse()
assert.equal(response.attempts, 1)
assert.equal(prompts, 1)
console.log('  succeeded at once')

console.log('After five minutes, the service requires a second factor again:')
service.clock.advance('5m')
await client.auth.createHandoffToken({ key: 'watch' })
assert.equal(prompts, 2)

console.log('A call with `onMfaRequired: false` never prompts:')
service.clock.advance('5m')
const background: unknown = await client.auth
  .createHandoffToken({ key: 'sync' }, { onMfaRequired: false })
  .catch((error: unknown) => error)
assert(isMfaRequiredError(background))
assert.equal(prompts, 2)
console.log(`  ${background.name}, without a prompt`)

console.log('Without a handler, the error has the challenge:')
const quiet = new Client({ ...connection, token: service.token(ada) })
const { user_sessions } = await quiet.auth.sessions.list()
// The mock lists the session of the request first; elsewhere, compare with `gateway.sessionHash`.
const session_id_hashes = user_sessions.slice(1).map(({ id_hash }) => id_hash)
try {
  await quiet.auth.sessions.logout({ session_id_hashes })
  assert.fail('the call was expected to need a second factor')
} catch (error) {
  if (!isMfaRequiredError(error) || error.challenge === undefined) throw error
  console.log(`  ${error.name}: ${error.serviceMessage}`)
  await error.challenge.verify({ type: 'totp', code: service.users.totp(ada) })
}
await quiet.auth.sessions.logout({ session_id_hashes })
assert.equal((await quiet.auth.sessions.list()).user_sessions.length, 1)
console.log(`  verified and retried: ${session_id_hashes.length} other session ended`)
