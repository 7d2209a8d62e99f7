// Registering with a phone number: the code that is sent, the token that proves the number, and the account.
import assert from 'node:assert/strict'
import { Client, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
const phone = '+15555550142'

try {
  await client.auth.registerPhone({ phone: '0155 5550142' })
  assert.fail('that is no number in E.164 form')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  console.log(`Nothing was sent: ${error.issues.map(({ message }) => message).join()}`)
}

await client.auth.registerPhone({ phone })
const sms = service.sms.last(phone, 'phone_verification')
console.log(`An SMS went to ${sms.to}`)

// The interface does not show the call that verifies the code. Send your service's with `client.request`; the mock has
// `users.phoneToken` in its place.
const phone_token = service.users.phoneToken(phone, sms.code)
console.log('The code was right: the number is proved')

const { token } = await client.auth.register({ global_name: 'Grace', phone_token, password: 'correct horse battery' })
assert.equal(client.session.token, token)
const account = service.users.find(phone)
assert(account !== undefined)
assert.equal(account.email, null)
console.log(`Registered and signed in as ${account.username}; no e-mail address needed`)

await client.auth.logout()
assert.equal(client.session.isAuthenticated, false)
const result = await client.auth.login({ login: phone, password: 'correct horse battery' })
assert.equal(result.status, 'complete')
console.log('Signed out, and in again with the phone number')
