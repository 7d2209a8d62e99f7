// Signing in with a second factor: a handler that is called again after a wrong code, a challenge that a page keeps,
// an SMS on request, and a backup code.
import assert from 'node:assert/strict'
import { Client, explain, isApiError, type MfaChallenge } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService({ now: '2030-01-01T12:00:00Z' })
const [login, password, phone] = ['ada@example.com', 'correct horse battery', '+15555550123']
const ada = service.users.create({ login, password, phone, username: 'ada', mfa: ['totp', 'sms', 'backup'] })
const connection = { baseUrl: service.baseUrl, fetch: service.fetch }

/** Stands in for the dialog of an app. The user mistypes the first code. */
function typeCode({ attempt, lastError }: MfaChallenge): string {
  console.log(`  attempt ${attempt}: ${lastError ? explain(lastError).message : 'type the code from your app'}`)
  return attempt === 1 ? '000000' : service.users.totp(ada)
}

console.log('With a handler, login is one call:')
const withHandler = new Client({
  ...connection,
  onMfaRequired: (challenge) => ({ type: 'totp', code: typeCode(challenge) }),
})
const completed = await withHandler.auth.login({ login, password })
assert.equal(completed.status, 'complete')
assert(withHandler.session.isAuthenticated)
console.log('  signed in')

console.log('Without a handler, login resolves to a challenge that a page can keep:')
const withoutHandler = new Client(connection)
const result = await withoutHandler.auth.login({ login, password })
assert(result.status === 'mfa')
const { challenge } = result
console.log(`  methods: ${challenge.methods.map(({ type }) => type).join(', ')}`)

const refusal: unknown = await challenge.verify({ type: 'totp', code: '000000' }).catch((error: unknown) => error)
assert(isApiError(refusal))
console.log(`  refused: ${explain(refusal).message}`)
assert.equal(challenge.attempt, 2)
assert.equal(withoutHandler.session.isAuthenticated, false)

const { user_settings } = await challenge.verify({ type: 'totp', code: service.users.totp(ada) })
console.log(`  signed in, theme ${user_settings?.theme}`)
assert(withoutHandler.session.isAuthenticated)

console.log('With SMS, which is sent only on request:')
assert.equal(service.sms.all().length, 0)
await new Client(connection).auth.login(
  { login, password },
  {
    // A handler for this call only. The type of the result is then `LoginCompleted`.
    onMfaRequired: async (challenge) => {
      if (!challenge.allows('sms')) return null
      const sent = await challenge.sendSms()
      console.log(`  sent to ${sent.phone}`)
      return { type: 'sms', code: service.sms.last(phone, 'mfa').code }
    },
  },
)
console.log('  signed in')

console.log('With a backup code, which works once:')
const [backupCode = ''] = service.users.backupCodes(ada)
const before = service.users.backupCodes(ada).length
const { status } = await new Client(connection).auth.login(
  { login, password },
  { onMfaRequired: (challenge) => (challenge.allows('backup') ? { type: 'backup', code: backupCode } : null) },
)
const left = service.users.backupCodes(ada).length
assert.equal(status, 'complete')
assert.equal(left, before - 1)
console.log(`  signed in, ${left} codes left`)
