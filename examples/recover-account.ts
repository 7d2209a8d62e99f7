// Reverting an account that was taken over: someone changed its e-mail address, and the recovery mail has a token.
import assert from 'node:assert/strict'
import { Client, isApiError, isAuthenticationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService({ now: '2030-01-01T12:00:00Z' })
const phone = '+15555550123'
const ada = service.users.create({ login: 'ada@example.com', phone, username: 'ada', password: 'a leaked password' })
const connection = { baseUrl: service.baseUrl, fetch: service.fetch }

const thief = new Client({ ...connection, token: service.token(ada) })
service.users.changeEmail(ada, 'thief@example.com')
console.log(`The account is now ${service.users.get(ada).email}'s`)

// The old address receives a mail whose link contains the revert token.
const mail = service.mail.last('ada@example.com', 'account_recovery')
console.log(`Mail to ${mail.to}: "${mail.text}"`)
const { token } = mail

const snapshot = service.snapshot()
service.clock.advance('2d')
const late: unknown = await new Client(connection).auth
  .revertAccount({ token, password: 'correct horse battery' })
  .catch((error: unknown) => error)
assert(isApiError(late))
console.log(`After two days the token has expired: ${late.fieldErrors[0]?.message ?? late.serviceMessage}`)
service.restore(snapshot)

const client = new Client(connection)
const { email } = await client.auth.revertAccount({ token, password: 'correct horse battery' })
assert.equal(email, 'ada@example.com')
console.log(`Reverted: the account is ${email}'s again`)

// All sessions have ended, including those of the owner: sign in with the new password.
const shutOut: unknown = await thief.relationships.list().catch((error: unknown) => error)
assert(isAuthenticationError(shutOut))
console.log(`The thief is signed out: ${shutOut.name}`)
assert.equal(client.session.isAuthenticated, false)

const result = await client.auth.login({ login: email, password: 'correct horse battery' })
assert.equal(result.status, 'complete')
console.log('The owner has signed in')

// Second factors and the phone number were removed, and the number cannot be used again.
assert.equal(service.users.get(ada).phone, null)
const blocked: unknown = await new Client(connection).auth.registerPhone({ phone }).catch((error: unknown) => error)
assert(isApiError(blocked))
console.log(`The phone number: ${blocked.fieldErrors[0]?.message ?? blocked.serviceMessage}`)
