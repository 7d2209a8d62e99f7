// Registering with an e-mail address: consent by location, a free username, a strong password, field errors, and the
// fingerprint whose ID the new account takes over.
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

// The service issues fingerprints with a call that the API does not show.
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
  assert.fail('5 characters are too short')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  for (const { path, message } of error.issues) console.log(`Nothing was sent: ${path.join('.')}: ${message}`)
}
assert.equal(service.journal.find('Validate Password').length, 0)

const password = 'Correct horse battery 7'
const { valid, password_strength } = await client.auth.validatePassword({ password })
assert(valid)
console.log(`A better password scores ${password_strength} of 4`)

const form = { username, global_name: 'Ada', email: 'first@example.com', password, date_of_birth: '1995-12-10' }
try {
  await client.auth.register(form)
  assert.fail('the e-mail address is taken and consent is missing')
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
console.log(`Registered and signed in; the account has the ID of the fingerprint, ${account?.id}`)
