// Taking an account back from someone who has moved it to another e-mail address, with the token of the recovery mail.
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

// The old address gets a mail whose link carries the revert token.
const mail = service.mail.last('ada@example.com', 'account_recovery')
console.log(`Mail to ${mail.to}: "${mail.text}"`)
const { token } = mail

const moment = service.snapshot()
service.clock.advance('2d')
const late: unknown = await new Client(connection).auth
  .revertAccount({ token, password: 'correct horse battery' })
  .catch((error: unknown) => error)
assert(isApiError(late))
console.log(`After two days it would be too late: ${late.fieldErrors[0]?.message ?? late.serviceMessage}`)
service.restore(moment)

const client = new Client(connection)
const { email } = await client.auth.revertAccount({ token, password: 'correct horse battery' })
assert.equal(email, 'ada@example.com')
console.log(`Taken back: the account is ${email}'s again`)

// Every session has ended, those of the owner included: sign in with the new password.
const shutOut: unknown = await thief.relationships.list().catch((error: unknown) => error)
assert(isAuthenticationError(shutOut))
console.log(`The thief is signed out: ${shutOut.name}`)
assert.equal(client.session.isAuthenticated, false)

const result = await client.auth.login({ login: email, password: 'correct horse battery' })
assert.equal(result.status, 'complete')
console.log('The owner has signed in')

// Second factors and phone number are gone, and the number cannot be used again.
assert.equal(service.users.get(ada).phone, null)
const blocked: unknown = await new Client(connection).auth.registerPhone({ phone }).catch((error: unknown) => error)
assert(isApiError(blocked))
console.log(`The phone number: ${blocked.fieldErrors[0]?.message ?? blocked.serviceMessage}`)
