const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'
const account = { login: 'ada@example.com', password: 'correct horse battery' }

/** Verifies a second factor during sign-in and during a call, in memory and over HTTP. */
module.exports = async function stepUpPart({ sdk, storage, webauthn, mocks }, { url, login, password, code }) {
  const service = mocks.createMockService({ baseUrl })
  const ada = service.users.create({ ...account, mfa: ['totp'] })
  const inMemory = { baseUrl, fetch: service.fetch, tokenStore: storage.memoryTokenStore() }
  await signInAndStepUp(sdk, inMemory, account, () => service.users.totp(ada))
  assert.equal(service.journal.find('Verify MFA').length, 1)
  await signInAndStepUp(sdk, { baseUrl: url }, { login, password }, () => code)
  assert.deepEqual(await webauthn.passkeySupport(), { webauthn: false, platform: false, autofill: false })
}

async function signInAndStepUp(sdk, options, params, code) {
  const prompts = []
  const onMfaRequired = (challenge) => {
    prompts.push(challenge.allows('totp'))
    return { type: 'totp', code: code() }
  }
  const client = new sdk.Client({ ...options, onMfaRequired })
  const result = await client.auth.login(params)
  assert.equal(result.status, 'complete')
  const { user_sessions } = await client.auth.sessions.list()
  await client.auth.sessions.logout({ session_id_hashes: user_sessions.map(({ id_hash }) => id_hash) })
  assert.deepEqual(prompts, [true, true])
  const signedOut = await client.relationships.list().catch((error) => error)
  assert.ok(sdk.isAuthenticationError(signedOut))
  await client.dispose()
}
