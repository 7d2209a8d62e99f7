import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAuthenticator } from '../../mocks/fixtures/authenticator'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })

/** Runs a ceremony that fails. Returns the reason, the message and the name of the browser's error. */
function failureOf(page: Page, options: object = {}, autofill = false): Promise<(string | undefined)[]> {
  return page.evaluate(
    async ({ options, autofill }) => {
      const { isWebAuthnError, webauthn } = window.rapport
      const request = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost', ...options }
      try {
        await webauthn.browserWebAuthn.get(request, { autofill })
        return ['it returned a credential']
      } catch (error) {
        if (!isWebAuthnError(error)) return [String(error)]
        const { cause } = error
        return [error.reason, error.message, cause instanceof Error ? cause.name : undefined]
      }
    },
    { options, autofill },
  )
}

const CANCELLED = 'The WebAuthn ceremony was cancelled, timed out, or found no matching credential.'

describe('a passkey ceremony', () => {
  it('fails as cancelled on a timeout', async () => {
    const page = await harness.open('page')
    const authenticator = await addAuthenticator(page)
    await authenticator.addPasskey({ id: '1' })
    await authenticator.setPresent(false)
    expect(await failureOf(page, { timeout: 200 })).toEqual(['cancelled', CANCELLED, 'NotAllowedError'])
  })

  it('fails as cancelled if no credential matches, which browsers do not distinguish', async () => {
    const page = await harness.open('page')
    const authenticator = await addAuthenticator(page)
    expect(await failureOf(page)).toEqual(['cancelled', CANCELLED, 'NotAllowedError'])
    await authenticator.addPasskey({ id: '1' })
    const another = { allowCredentials: [{ id: 'YW5vdGhlcg', type: 'public-key' }] }
    expect(await failureOf(page, another)).toEqual(['cancelled', CANCELLED, 'NotAllowedError'])
  })

  it('fails as no_credential if the browser returns none', async () => {
    const page = await harness.open('page')
    await page.evaluate(() => {
      navigator.credentials.get = async () => null
    })
    expect((await failureOf(page))[0]).toBe('no_credential')
  })

  it('fails as wrong_domain if the relying party has another domain', async () => {
    const page = await harness.open('page')
    await addAuthenticator(page)
    expect((await failureOf(page, { rpId: 'other.example' }))[0]).toBe('wrong_domain')
  })

  it('fails as wrong_domain on a page with an IP address', async () => {
    const page = await harness.open('page')
    await page.goto(`http://127.0.0.1:${harness.pages.port}/page`)
    const [reason, message] = await failureOf(page, { rpId: '127.0.0.1' })
    expect([reason, message]).toEqual(['wrong_domain', 'WebAuthn does not work on this domain.'])
  })

  it('fails as unsupported in a browser without WebAuthn', async () => {
    const page = await harness.open('page')
    await page.evaluate(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
    const [reason, message] = await failureOf(page)
    expect(reason).toBe('unsupported')
    expect(message).toContain('Pass a `webauthn` adapter')
  })

  it('fails as unsupported if it is an autofill and the browser has none', async () => {
    const page = await harness.open('page')
    await page.evaluate(() => Reflect.deleteProperty(PublicKeyCredential, 'isConditionalMediationAvailable'))
    expect((await failureOf(page, {}, true))[0]).toBe('unsupported')
  })

  it('says what an autofill requires of the page if that fails', async () => {
    const page = await harness.open('page')
    await addAuthenticator(page)
    await page.evaluate(() => document.querySelector('input')?.remove())
    const [reason, message] = await failureOf(page, {}, true)
    expect(reason).toBe('failed')
    expect(message).toContain('`autocomplete` ends in "webauthn"')
  })

  it('fails as failed on an unknown error of the browser', async () => {
    const page = await harness.open('page')
    await page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('the device is broken', 'UnknownError'))
    })
    expect((await failureOf(page)).slice(0, 2)).toEqual(['failed', 'The WebAuthn ceremony failed.'])
  })
})

it('a passkey login whose ceremony fails sends no credential and stays signed out', async () => {
  const { service, server } = await harness.serve({ rpId: 'other.example' })
  const page = await harness.open('page')
  await addAuthenticator(page)
  const result = await page.evaluate(async (baseUrl) => {
    const { Client, isWebAuthnError } = window.rapport
    const client = new Client({ baseUrl })
    const error = await client.auth.loginWithPasskey().then(String, (error: unknown) => error)
    return [isWebAuthnError(error) ? error.reason : String(error), client.session.isAuthenticated]
  }, server.url)
  expect(result).toEqual(['wrong_domain', false])
  expect(service.journal.requests.map(({ endpoint }) => endpoint)).toEqual(['Start Passwordless Login'])
})

it('a failed ceremony cancels a step-up with the error as cause, and the next call prompts again', async () => {
  const { service, server } = await harness.serve()
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
  const page = await harness.open('page')
  const authenticator = await addAuthenticator(page)
  const passkey = await authenticator.addPasskey(ada)
  service.users.addPasskey(ada, { ...passkey, id: 'YW5vdGhlcg' })
  const endSessions = (): Promise<string> =>
    page.evaluate(
      async ({ baseUrl, token }) => {
        const { Client, isMfaCancelledError, isWebAuthnError } = window.rapport
        const client = new Client({ baseUrl, token, onMfaRequired: (challenge) => challenge.webauthn() })
        const call = client.auth.sessions.logout({ session_id_hashes: ['none'] })
        const error = await call.then(
          () => 'done',
          (error: unknown) => error,
        )
        if (!isMfaCancelledError(error)) return String(error)
        return isWebAuthnError(error.cause) ? `${error.name} ${error.cause.reason}` : 'another cause'
      },
      { baseUrl: server.url, token: service.token(ada) },
    )
  expect(await endSessions()).toBe('MfaCancelledError cancelled')
  service.users.addPasskey(ada, passkey)
  expect(await endSessions()).toBe('done')
})
