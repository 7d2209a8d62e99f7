// Registering with an e-mail address: what the location requires, a username that is free, a password that is good enough,
// and the fingerprint that the new account shares its ID with.
import assert from 'node:assert/strict'
import { Client, isApiError, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService({
  policy: {
    locationMetadata: () => ({
      country_code: 'DE',
      consent_required: true,
      promotional_email_opt_in: { required: true, pre_checked: false },
    }),
  },
})
service.users.create({ login: 'first@example.com', username: 'ada' })

// Fingerprints come from the service, by a call that the interface does not show.
const fingerprint = service.fingerprint()
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, fingerprint })

const location = await client.auth.getLocationMetadata()
console.log(`Registering from ${location.country_code}; consent required: ${location.consent_required}`)

const { taken } = await client.auth.checkUsername({ username: 'ada' })
assert.equal(taken, true)
const { username } = await client.auth.suggestUsername({ global_name: 'Ada' })
assert.deepEqual(await client.auth.checkUsername({ username }), { taken: false })
console.log(`The username "ada" is taken, "${username}" is free`)

try {
  await client.auth.validatePassword({ password: 'short' })
  assert.fail('5 characters are too few')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  for (const { path, message } of error.issues) console.log(`Nothing was sent: ${path.join('.')}: ${message}`)
}
service.journal.expect('Validate Password').notToHaveBeenCalled()

const password = 'Correct horse battery 7'
const { valid, password_strength } = await client.auth.validatePassword({ password })
assert(valid)
console.log(`A better password scores ${password_strength} of 4`)

const form = { username, global_name: 'Ada', email: 'first@example.com', password, date_of_birth: '1995-12-10' }
try {
  await client.auth.register(form)
  assert.fail('the e-mail address belongs to someone and consent is missing')
} catch (error) {
  if (!isApiError(error)) throw error
  console.log(`${error.serviceMessage}:`)
  for (const { path, message } of error.fieldErrors) console.log(`  ${path.join('.')}: ${message}`)
  assert.equal(error.fieldErrors.length, 3)
}

await client.auth.register({
  ...form,
  email: 'ada@example.com',
  ...(location.consent_required && { consent: true }),
  ...(location.promotional_email_opt_in.required && { promotional_email_opt_in: false }),
})
assert(client.session.isAuthenticated)
assert.equal(client.session.fingerprint, null)
const account = service.users.find('ada@example.com')
assert.equal(account?.id, fingerprint.split('.')[0])
console.log(`Registered and signed in; the account's ID is ${account?.id}, as the fingerprint's`)
