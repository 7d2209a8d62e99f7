// Passkeys: signing in without a password, the same device as a second factor, and a user who closes the dialog.
// Browsers need no adapter. On other platforms, pass your own; here the mock stands in for the device.
import assert from 'node:assert/strict'
import { Client, isWebAuthnError, type WebAuthnAdapter, WebAuthnError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const [login, password] = ['ada@example.com', 'correct horse battery']
const ada = service.users.create({ login, password, username: 'ada', mfa: ['webauthn'] })

let dialogCloses = false
const webauthn: WebAuthnAdapter = {
  async get(options, { autofill = false }) {
    console.log(`  the device is asked for a passkey of ${options.rpId}${autofill ? ', with autofill' : ''}`)
    if (dialogCloses) throw new WebAuthnError('cancelled', 'The user closed the dialog.')
    return service.users.passkey(ada, options)
  },
}
const connection = { baseUrl: service.baseUrl, fetch: service.fetch, webauthn }

console.log('Signing in with only a passkey:')
const client = new Client(connection)
const completed = await client.auth.loginWithPasskey({ autofill: true })
assert.equal(completed.user_id, ada.id)
assert(client.session.isAuthenticated)
console.log(`  signed in as ${service.users.get(completed.user_id).username}`)

const before = await client.auth.sessions.list()

console.log('As a second factor after the password:')
const second = await new Client(connection).auth.login(
  { login, password },
  { onMfaRequired: (challenge) => (challenge.allows('webauthn') ? challenge.webauthn() : null) },
)
assert.equal(second.status, 'complete')
console.log('  signed in')

console.log('As step-up before a sensitive call:')
const { user_sessions } = await client.auth.sessions.list()
const added = user_sessions.filter((session) =>
  before.user_sessions.every(({ id_hash }) => id_hash !== session.id_hash),
)
await client.auth.sessions.logout(
  { session_id_hashes: added.map(({ id_hash }) => id_hash) },
  { onMfaRequired: (challenge) => challenge.webauthn() },
)
assert.equal((await client.auth.sessions.list()).user_sessions.length, 1)
console.log(`  ended ${added.length} other session`)

console.log('Step by step, if you show the passkey prompt yourself:')
const stepwise = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
const { ticket, challenge } = await stepwise.auth.startPasswordlessLogin()
const credential = JSON.stringify(service.users.passkey(ada, challenge))
await stepwise.auth.finishPasswordlessLogin({ ticket, credential })
assert(stepwise.session.isAuthenticated)
console.log('  signed in')

console.log('When the user closes the dialog:')
dialogCloses = true
const visitor = new Client(connection)
try {
  await visitor.auth.loginWithPasskey()
  assert.fail('the passkey prompt was cancelled')
} catch (error) {
  if (!isWebAuthnError(error)) throw error
  assert.equal(error.reason, 'cancelled')
  console.log(`  ${error.name} (${error.reason}): offer the password instead`)
}
assert.equal(visitor.session.isAuthenticated, false)
