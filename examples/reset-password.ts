// A forgotten password: the reset mail, the one-time login that skips the reset, and a reset that needs a second factor.
// A real app receives the token in the link of the mail.
import assert from 'node:assert/strict'
import { Client, isApiError, PasswordResetMethod } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password: 'what was it again' })
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password: 'forgotten', mfa: ['totp'] })
const connection = { baseUrl: service.baseUrl, fetch: service.fetch }
const password = 'correct horse battery'

console.log(`${grace.username}, without a second factor:`)
const client = new Client(connection)
const { method } = await client.auth.forgotPassword({ login: 'grace@example.com' })
assert.equal(method, PasswordResetMethod.one_time_login)
const mail = service.mail.last('grace@example.com', 'password_reset')
assert(mail.ticket !== undefined)
console.log(`  mail: "${mail.text}"`)

await client.auth.oneTimeLogin({ ticket: mail.ticket })
assert(client.session.isAuthenticated)
console.log('  signed in without a reset')

const again: unknown = await client.auth.oneTimeLogin({ ticket: mail.ticket }).catch((error: unknown) => error)
assert(isApiError(again))
console.log(`  the same ticket again: ${again.fieldErrors[0]?.message ?? again.serviceMessage}`)

const reset = await client.auth.resetPassword({ token: mail.token, password, source: '/reset' })
assert.equal(reset.status, 'complete')
assert.equal((await new Client(connection).auth.login({ login: 'grace@example.com', password })).status, 'complete')
console.log('  reset the password and signed in with the new one')

console.log(`${ada.username}, with a second factor:`)
const other = new Client(connection)
assert.equal((await other.auth.forgotPassword({ login: 'ada@example.com' })).method, PasswordResetMethod.password_reset)
const { token, ticket } = service.mail.last('ada@example.com', 'password_reset')
assert.equal(ticket, undefined)
console.log('  the mail has no one-time login')

const done = await other.auth.resetPassword(
  { token, password },
  {
    onMfaRequired: ({ reason }) => {
      console.log(`  second factor for: ${reason}`)
      return { type: 'totp', code: service.users.totp(ada) }
    },
  },
)
assert.equal(done.user_id, ada.id)
assert(other.session.isAuthenticated)
console.log('  reset the password and signed in')

console.log('For an unknown address, the response reveals nothing:')
const nobody = await other.auth.forgotPassword({ login: 'nobody@example.com' })
assert.equal(nobody.method, PasswordResetMethod.one_time_login)
assert.throws(() => service.mail.last('nobody@example.com'))
console.log('  the response of an account without a second factor, and no mail')
