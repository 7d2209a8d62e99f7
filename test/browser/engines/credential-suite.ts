import { expect } from 'vitest'
import { createCertificate } from '../../../mocks/cli/certificate'
import type { Tab } from './engine'
import { type EngineHarness, password } from './harness'

/** Passkeys, and the cookie of a verification. */
export function credentialSuite(harness: EngineHarness): void {
  const { proves, lacks, serve, openPage } = harness

  if (harness.name === 'WebKitGTK') {
    lacks('passkeys, signatures verified', 'no WebAuthn', 'passkeys are reported as unsupported', async () => {
      const { settings } = await serve()
      const { tab } = await openPage()
      expect(await tab.evaluate(() => window.isSecureContext)).toBe(true)
      expect(await tab.evaluate(() => typeof PublicKeyCredential)).toBe('undefined')
      const support = await tab.evaluate(() => window.rapport.webauthn.passkeySupport())
      expect(support).toEqual({ webauthn: false, platform: false, autofill: false })
      const outcome = await loginWithPasskey(tab, settings.baseUrl)
      expect(outcome).toMatchObject({ error: { name: 'WebAuthnError', reason: 'unsupported' } })
    })
  } else {
    proves(
      'passkeys, signatures verified',
      'a passkey signs in and passes a step-up, and one with another public key is rejected',
      async () => {
        const { service, settings } = await serve()
        const { tab } = await openPage()
        const user = service.users.create({ login: 'joan@example.com', password, username: 'joan' })
        const authenticator = await harness.engine.addAuthenticator?.(tab)
        if (authenticator === undefined) throw new Error('There is no authenticator.')
        const passkey = await authenticator.addPasskey(user)
        service.users.addPasskey(user, passkey)
        expect(await loginWithPasskey(tab, settings.baseUrl)).toEqual({ user_id: user.id })
        expect(await stepUp(tab, { baseUrl: settings.baseUrl, token: service.token(user) })).toBe(1)
        expect(service.journal.find('Verify MFA').map(({ status }) => status)).toEqual([200])

        const other = service.users.create({ login: 'mary@example.com', username: 'mary' })
        const { id } = await authenticator.addPasskey(other)
        const { publicKey } = await authenticator.addPasskey({ id: 'nobody' })
        service.users.addPasskey(other, { id, publicKey })
        // The client prompts again, and the handler gives up.
        const rejected = await stepUp(tab, { baseUrl: settings.baseUrl, token: service.token(other) })
        expect(rejected).toMatch('MfaCancelledError')
        expect(service.journal.find('Verify MFA').map(({ status }) => status)).toEqual([200, 400])
      },
    )
  }

  // WebDriver cannot delete cookies of other sites. With a seed of its own, no service accepts those of an earlier test.
  let seed = 0

  /** Opens a page and a service over HTTPS with a self-signed certificate. */
  const startTls = async (host: 'localhost' | '127.0.0.1', verificationCookie?: string) => {
    const tls = createCertificate(['localhost', '127.0.0.1'])
    const policy = verificationCookie === undefined ? {} : { verificationCookie }
    const { service, ada, settings } = await serve({ policy, seed: ++seed }, { tls, host, cors: ['*'] })
    const { tab } = await openPage('page', { tls })
    const options = { baseUrl: settings.baseUrl, token: service.token(ada), code: settings.code }
    return { service, tab, stepUp: () => stepUp(tab, { ...options, credentials: 'include' }) }
  }

  proves(
    'verification cookie over HTTPS, same site',
    'the verification cookie of a service on the same site saves the next client the prompt',
    async () => {
      const { tab, stepUp } = await startTls('localhost')
      expect(await stepUp()).toBe(1)
      expect(await stepUp()).toBe(0)
      await tab.reload()
      expect(await stepUp()).toBe(0)
      expect(await tab.evaluate(() => document.cookie)).toBe('')
      const cookie = { name: '__Secure-recent_mfa', httpOnly: true, secure: true, sameSite: 'Lax' }
      expect(await harness.engine.cookies(tab)).toMatchObject([cookie])
    },
  )

  const otherSite = 'verification cookie over HTTPS, other site'
  if (harness.name === 'WebKitGTK') {
    lacks(otherSite, 'no cookies of other sites', 'even a partitioned cookie of another site is refused', async () => {
      const { stepUp } = await startTls('127.0.0.1', 'SameSite=None; Partitioned')
      expect(await stepUp()).toBe(1)
      expect(await stepUp()).toBe(1)
    })
  } else {
    const title =
      'a verification cookie with SameSite=None and Partitioned saves the next client the prompt on another site'
    proves(otherSite, title, async () => {
      const { tab, stepUp } = await startTls('127.0.0.1', 'SameSite=None; Partitioned')
      expect(await stepUp()).toBe(1)
      expect(await stepUp()).toBe(0)
      await tab.reload()
      expect(await stepUp()).toBe(0)
    })
  }

  proves(
    otherSite,
    'a verification cookie with SameSite=Lax is not sent to another site, so each client prompts',
    async () => {
      const { stepUp } = await startTls('127.0.0.1')
      expect(await stepUp()).toBe(1)
      expect(await stepUp()).toBe(1)
    },
  )
}

interface StepUpSettings {
  readonly baseUrl: string
  readonly token: string
  /** Code of the authenticator app; without it, the passkey is used. */
  readonly code?: string
  readonly credentials?: 'include'
}

/** Makes a sensitive call with a new client. Returns the number of prompts, or the error. */
function stepUp(tab: Tab, settings: StepUpSettings): Promise<number | string> {
  return tab.evaluate(async ({ code, ...options }) => {
    let prompts = 0
    const client = new window.rapport.Client({
      ...options,
      onMfaRequired(challenge) {
        prompts += 1
        if (prompts > 1) return null
        return code === undefined ? challenge.webauthn() : { type: 'totp', code }
      },
    })
    const call = client.auth.sessions.logout({ session_id_hashes: ['none'] })
    return call.then(
      () => prompts,
      (error) => JSON.stringify(error),
    )
  }, settings)
}

/** Signs in with a passkey. Returns the user or the error. */
function loginWithPasskey(tab: Tab, baseUrl: string): Promise<unknown> {
  return tab.evaluate(async (baseUrl) => {
    const { Client, isRapportError } = window.rapport
    const client = new Client({ baseUrl })
    try {
      const { user_id } = await client.auth.loginWithPasskey()
      return { user_id }
    } catch (error) {
      return { error: isRapportError(error) ? error.toJSON() : String(error) }
    }
  }, baseUrl)
}
