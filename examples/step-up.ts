// A sensitive call that the service answers with 60003: a handler passes the step-up without the call site knowing, however
// many calls meet it at once; without a handler the error carries the challenge.
import assert from 'node:assert/strict'
import { Client, isMfaRequiredError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

// Which calls are sensitive is for the service to decide; this one says the two calls below.
const sensitive = ['Logout Auth Sessions', 'Create Handoff Token']
const service = createMockService({ requireMfa: (endpoint) => sensitive.includes(endpoint) })
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

console.log('Three sensitive calls at once:')
const keys = ['tv', 'car', 'console']
const answers = await Promise.all(keys.map((key) => client.auth.createHandoffToken({ key }).withResponse()))
for (const { response } of answers) {
  assert(response.elevated)
  assert.equal(response.attempts, 2)
}
assert.equal(prompts, 1)
console.log(`  all ${answers.length} passed with ${prompts} prompt, each sent twice`)

console.log('One more, while the verification is good:')
const { response } = await client.auth.createHandoffToken({ key: 'tablet' }).withResponse()
assert.equal(response.attempts, 1)
assert.equal(prompts, 1)
console.log('  passed at once')

console.log('After five minutes the service asks again:')
service.clock.advance('5m')
await client.auth.createHandoffToken({ key: 'watch' })
assert.equal(prompts, 2)

console.log('A background call never prompts, handler or not:')
service.clock.advance('5m')
const background: unknown = await client.auth
  .createHandoffToken({ key: 'sync' }, { onMfaRequired: false })
  .catch((error: unknown) => error)
assert(isMfaRequiredError(background))
assert.equal(prompts, 2)
console.log(`  ${background.name}, and nobody was asked`)

console.log('Without a handler the error has the challenge:')
const quiet = new Client({ ...connection, token: service.token(ada) })
const { user_sessions } = await quiet.auth.sessions.list()
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
console.log(`  verified, repeated: ${session_id_hashes.length} other session ended`)
