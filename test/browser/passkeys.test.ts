import type { Page } from 'playwright-core'
import { describe, expect, it, test } from 'vitest'
import { addAuthenticator } from '../../mocks/fixtures/authenticator'
import { browserHarness } from './harness/browser-harness'

const { open, serve } = browserHarness({ shared: {} })
const login = 'ada@example.com'
const password = 'correct horse battery'

/** Creates a user and a page whose authenticator has a passkey of the user. */
async function startWithPasskey() {
  const { service, server } = await serve()
  const ada = service.users.create({ login, password, username: 'ada' })
  const page = await open('page')
  const authenticator = await addAuthenticator(page)
  const passkey = await authenticator.addPasskey(ada)
  return { service, server, ada, page, authenticator, passkey, url: server.url }
}

/** Signs in with a passkey on the page. */
function loginWithPasskey(page: Page, baseUrl: string) {
  return page.evaluate(async (baseUrl) => {
    const { Client, isRapportError } = window.rapport
    const client = new Client({ baseUrl })
    try {
      const { user_id } = await client.auth.loginWithPasskey()
      return { user_id, isAuthenticated: client.session.isAuthenticated }
    } catch (error) {
      return { error: isRapportError(error) ? error.toJSON() : String(error), token: client.session.token }
    }
  }, baseUrl)
}

describe('a passkey', () => {
  it('signs in, and the service verifies its signature', async () => {
    const { service, ada, page, passkey, url } = await startWithPasskey()
    service.users.addPasskey(ada, passkey)
    expect(await loginWithPasskey(page, url)).toEqual({ user_id: ada.id, isAuthenticated: true })
    expect(await loginWithPasskey(page, url)).toEqual({ user_id: ada.id, isAuthenticated: true })
    expect(service.journal.find('Finish Passwordless Login').map(({ status }) => status)).toEqual([200, 200])
  })

  it('it is rejected if the service has another public key', async () => {
    const { service, ada, page, authenticator, passkey, url } = await startWithPasskey()
    const { publicKey } = await authenticator.addPasskey({ id: 'somebody else' })
    service.users.addPasskey(ada, { ...passkey, publicKey })
    const result = await loginWithPasskey(page, url)
    expect(result).toMatchObject({ error: { name: 'ApiError', status: 400, code: 60008 }, token: null })
  })

  it('passes a step-up if it was registered on the page', async () => {
    const { service, ada, page, url } = await startWithPasskey()
    const registered = await page.evaluate(async (name) => {
      const credential = await navigator.credentials.create({
        publicKey: {
          challenge: new Uint8Array(32),
          rp: { id: 'localhost', name: 'The service' },
          user: { id: new TextEncoder().encode(name), name, displayName: name },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          authenticatorSelection: { residentKey: 'required' },
        },
      })
      if (!(credential instanceof PublicKeyCredential)) throw new Error('there is no credential')
      return JSON.stringify(credential.toJSON())
    }, ada.id)
    const { id, response } = JSON.parse(registered)
    service.users.addPasskey(ada, { id, publicKey: response.publicKey })
    // The authenticator now has two passkeys; the service requests the one that it knows.
    const stepUp = await page.evaluate(stepUpWithPasskey, { baseUrl: url, token: service.token(ada) })
    expect(stepUp).toEqual({ prompts: ['elevation webauthn'] })
  })

  it('passes a step-up for a sensitive call', async () => {
    const { service, ada, page, passkey, url } = await startWithPasskey()
    service.users.addPasskey(ada, passkey)
    const result = await page.evaluate(stepUpWithPasskey, { baseUrl: url, token: service.token(ada) })
    expect(result).toEqual({ prompts: ['elevation webauthn'] })
    expect(service.journal.find('Logout Auth Sessions').map(({ status }) => status)).toEqual([401, 204, 204])
    expect(service.journal.find('Verify MFA').map(({ status }) => status)).toEqual([200])
  })

  it('it is the second factor of a login and of a password reset', async () => {
    const { service, ada, page, passkey, url } = await startWithPasskey()
    service.users.addPasskey(ada, passkey)
    await fetch(`${url}/auth/forgot`, { method: 'POST', body: JSON.stringify({ login }) })
    const token = service.mail.last(login)?.token ?? ''
    const results = await page.evaluate(
      async ({ baseUrl, login, password, token }) => {
        const { Client } = window.rapport
        const reasons: string[] = []
        const client = new Client({
          baseUrl,
          onMfaRequired(challenge) {
            reasons.push(challenge.reason)
            return challenge.webauthn()
          },
        })
        const first = await client.auth.login({ login, password })
        const second = await client.auth.resetPassword({ token, password })
        return [reasons, first.status, second.status]
      },
      { baseUrl: url, login, password, token },
    )
    expect(results).toEqual([['login', 'password_reset'], 'complete', 'complete'])
  })
})

/** Makes two sensitive calls on the page with a passkey as second factor. Returns the prompts. */
async function stepUpWithPasskey({ baseUrl, token }: { baseUrl: string; token: string }) {
  const prompts: string[] = []
  const client = new window.rapport.Client({
    baseUrl,
    token,
    onMfaRequired(challenge) {
      prompts.push(`${challenge.reason} ${challenge.methods.map(({ type }) => type).join()}`)
      return challenge.webauthn()
    },
  })
  await client.auth.sessions.logout({ session_id_hashes: ['none'] })
  // The verification is valid for five minutes, so this call does not prompt.
  await client.auth.sessions.logout({ session_id_hashes: ['none'] })
  return { prompts }
}

test('passkeySupport reports a device with an authenticator', async () => {
  const page = await open('page')
  await addAuthenticator(page)
  expect(await page.evaluate(() => window.rapport.webauthn.passkeySupport())).toEqual({
    webauthn: true,
    platform: true,
    autofill: true,
  })
})

test('passkeySupport reports no support in a browser without WebAuthn', async () => {
  const page = await open('page')
  const support = await page.evaluate(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
    return window.rapport.webauthn.passkeySupport()
  })
  expect(support).toEqual({ webauthn: false, platform: false, autofill: false })
})
