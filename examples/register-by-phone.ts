// Registering with a phone number: the SMS code, the token that proves the number, and the account.
import assert from 'node:assert/strict'
import { Client, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
const phone = '+15555550142'

try {
  await client.auth.registerPhone({ phone: '0155 5550142' })
  assert.fail('the number is not in E.164 format')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  console.log(`Nothing was sent: ${error.issues.map(({ message }) => message).join()}`)
}

await client.auth.registerPhone({ phone })
const sms = service.sms.last(phone, 'phone_verification')
console.log(`An SMS was sent to ${sms.to}`)

// The API document does not show the call that verifies the code. Send your service's call with `client.request`; the mock has
// `users.phoneToken` instead.
const phone_token = service.users.phoneToken(phone, sms.code)
console.log('The code is correct: the number is verified')

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
console.log('Signed out, and signed in again with the phone number')
