const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'
const account = { login: 'ada@example.com', password: 'correct horse battery' }

/** In memory and over HTTP: a second factor when signing in, and one in the middle of a call. */
module.exports = async function stepUp({ sdk, storage, webauthn, mocks }, { url, login, password, code }) {
  const service = mocks.createMockService({ baseUrl })
  const ada = service.users.create({ ...account, mfa: ['totp'] })
  const inMemory = { baseUrl, fetch: service.fetch, tokenStore: storage.memoryTokenStore() }
  await twoFactors(sdk, inMemory, account, () => service.users.totp(ada))
  assert.equal(service.journal.find('Verify MFA').length, 1)
  await twoFactors(sdk, { baseUrl: url }, { login, password }, () => code)
  assert.deepEqual(await webauthn.passkeySupport(), { webauthn: false, platform: false, autofill: false })
}

async function twoFactors(sdk, options, params, code) {
  const asked = []
  const onMfaRequired = (challenge) => {
    asked.push(challenge.allows('totp'))
    return { type: 'totp', code: code() }
  }
  const client = new sdk.Client({ ...options, onMfaRequired })
  const result = await client.auth.login(params)
  assert.equal(result.status, 'complete')
  const { user_sessions } = await client.auth.sessions.list()
  await client.auth.sessions.logout({ session_id_hashes: user_sessions.map(({ id_hash }) => id_hash) })
  assert.deepEqual(asked, [true, true])
  const signedOut = await client.relationships.list().catch((error) => error)
  assert.ok(sdk.isAuthenticationError(signedOut))
  await client.dispose()
}
