import type { Page } from 'playwright-core'
import { describe, expect, it, test } from 'vitest'
import { addAuthenticator } from '../../mocks/fixtures/authenticator'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

declare global {
  interface Window {
    /** Kinds of the started ceremonies, in order. */
    ceremonies: string[]
    /** Records the outcome of a ceremony. */
    watch(name: string, ceremony: PromiseLike<unknown>): void
    /** Recorded outcomes, in order. */
    ended: string[]
    /** Runs before the browser shows a dialog. */
    beforeDialog?(): Promise<void>
    /** Aborts a ceremony. */
    control: AbortController
  }
}

const harness = browserHarness()

/** Opens a page that records the started ceremonies and their outcomes. */
async function openWatchedPage(): Promise<Page> {
  const profile = await harness.profile()
  await profile.addInitScript(() => {
    window.ceremonies = []
    window.ended = []
    window.control = new AbortController()
    window.watch = (name, ceremony) => {
      const end = (how: string) => window.ended.push(`${name}: ${how}`)
      ceremony.then(
        () => end('done'),
        (error) => end(error.reason === undefined ? String(error) : `${error.reason}: ${error.message}`),
      )
    }
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = async (options) => {
      const isDialog = options?.mediation !== 'conditional'
      window.ceremonies.push(isDialog ? 'dialog' : 'autofill')
      if (isDialog) await window.beforeDialog?.()
      return get(options)
    }
  })
  return harness.open('page', profile)
}

/** Creates a user with a passkey, on a page whose authenticator does not respond until `setPresent(true)`. */
async function startWithAbsentUser() {
  const { service, server } = await harness.serve()
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
  const page = await openWatchedPage()
  const authenticator = await addAuthenticator(page)
  service.users.addPasskey(ada, await authenticator.addPasskey(ada))
  await authenticator.setPresent(false)
  const started = (count: number) => waitOn(page, (count) => window.ceremonies.length === count, count)
  const ended = async (count: number) => {
    await waitOn(page, (count) => window.ended.length === count, count)
    return page.evaluate(() => window.ended)
  }
  const offerAutofill = async () => {
    await page.evaluate((baseUrl) => {
      const client = new window.rapport.Client({ baseUrl })
      window.watch('autofill', client.auth.loginWithPasskey({ autofill: true, signal: window.control.signal }))
    }, server.url)
    await started(1)
  }
  /** The user comes for the dialog, not earlier: the authenticator would also respond to an autofill that it has not received yet. */
  const comeForDialog = () => page.exposeFunction('beforeDialog', () => authenticator.setPresent(true))
  return { service, ada, page, authenticator, url: server.url, started, ended, offerAutofill, comeForDialog }
}

const REPLACED = 'cancelled: Another WebAuthn ceremony on this page replaced this one.'

describe('a pending autofill', () => {
  it('it is ended by the dialog of a passkey login', async () => {
    const { service, page, url, ended, offerAutofill, comeForDialog } = await startWithAbsentUser()
    await offerAutofill()
    await comeForDialog()
    await page.evaluate((baseUrl) => {
      window.watch('dialog', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey())
    }, url)
    expect(await ended(2)).toEqual([`autofill: ${REPLACED}`, 'dialog: done'])
    expect(await page.evaluate(() => window.ceremonies)).toEqual(['autofill', 'dialog'])
    expect(service.journal.find('Finish Passwordless Login').map(({ status }) => status)).toEqual([200])
  })

  it('it is ended by the dialog of a step-up, also of another client', async () => {
    const { service, ada, page, url, ended, offerAutofill, comeForDialog } = await startWithAbsentUser()
    await offerAutofill()
    await comeForDialog()
    await page.evaluate(
      ({ baseUrl, token }) => {
        const client = new window.rapport.Client({ baseUrl, token, onMfaRequired: (challenge) => challenge.webauthn() })
        window.watch('step-up', client.auth.sessions.logout({ session_id_hashes: ['none'] }))
      },
      { baseUrl: url, token: service.token(ada) },
    )
    expect(await ended(2)).toEqual([`autofill: ${REPLACED}`, 'step-up: done'])
  })

  it('signs in when the user picks a passkey', async () => {
    const { service, page, url, ended, authenticator } = await startWithAbsentUser()
    await authenticator.setPresent(true)
    await page.evaluate((baseUrl) => {
      window.watch('autofill', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey({ autofill: true }))
    }, url)
    expect(await ended(1)).toEqual(['autofill: done'])
    expect(service.journal.find('Finish Passwordless Login').map(({ status }) => status)).toEqual([200])
  })

  it('it is replaced by a newer one', async () => {
    const { page, url, started, ended, offerAutofill } = await startWithAbsentUser()
    await offerAutofill()
    await page.evaluate((baseUrl) => {
      window.watch('newer', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey({ autofill: true }))
    }, url)
    await started(2)
    expect(await ended(1)).toEqual([`autofill: ${REPLACED}`])
  })

  it('it is ended by an abort, and the browser can start the next ceremony', async () => {
    const { page, ended, offerAutofill } = await startWithAbsentUser()
    await offerAutofill()
    await page.evaluate(() => window.control.abort(new Error('the form was closed')))
    expect(await ended(1)).toEqual(['autofill: Error: the form was closed'])
    expect(await page.evaluate(isBrowserFree)).toBe(true)
  })

  // The availability of autofill is checked before the ceremony, and again directly before it starts.
  it.each([1, 2])('it is ended by an abort during availability check %d', async (check) => {
    const { page, ended } = await startWithAbsentUser()
    await page.evaluate((check) => {
      const { browserWebAuthn } = window.rapport.webauthn
      const isAvailable = PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential)
      let times = 0
      PublicKeyCredential.isConditionalMediationAvailable = () => {
        times += 1
        if (times === check) window.control.abort(new Error('too late'))
        return isAvailable()
      }
      const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' }
      window.watch('autofill', browserWebAuthn.get(options, { autofill: true, signal: window.control.signal }))
    }, check)
    expect(await ended(1)).toEqual(['autofill: Error: too late'])
    expect(await page.evaluate(isBrowserFree)).toBe(true)
  })

  it.each([1, 2])('does not end a dialog that starts during its availability check %d', async (check) => {
    const { page, authenticator, ended } = await startWithAbsentUser()
    await authenticator.setPresent(true)
    await page.evaluate((check) => {
      const { browserWebAuthn } = window.rapport.webauthn
      const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' }
      const isAvailable = PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential)
      let times = 0
      PublicKeyCredential.isConditionalMediationAvailable = async () => {
        times += 1
        if (times === check) window.watch('dialog', browserWebAuthn.get(options, {}))
        return isAvailable()
      }
      window.watch('autofill', browserWebAuthn.get(options, { autofill: true }))
    }, check)
    expect(await ended(2)).toContain('dialog: done')
  })
})

/** Whether no ceremony is pending. While one is pending, the browser rejects another one. */
async function isBrowserFree(): Promise<boolean> {
  const publicKey = { challenge: new Uint8Array(32), rpId: 'localhost', timeout: 100 }
  const error: unknown = await navigator.credentials.get({ publicKey }).catch((reason: unknown) => reason)
  return !(error instanceof DOMException && error.name === 'OperationError')
}

test('an open dialog is not ended by an autofill, which is rejected', async () => {
  const { page, url, started, ended } = await startWithAbsentUser()
  await page.evaluate((baseUrl) => {
    const client = new window.rapport.Client({ baseUrl })
    window.watch('dialog', client.auth.loginWithPasskey({ signal: window.control.signal }))
  }, url)
  await started(1)
  await page.evaluate((baseUrl) => {
    window.watch('autofill', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey({ autofill: true }))
  }, url)
  expect((await ended(1))[0]).toContain('autofill: cancelled: Autofill is not available while')
  await page.evaluate(() => window.control.abort(new Error('closed')))
  expect((await ended(2))[1]).toBe('dialog: Error: closed')
})

test('the dialog of another client replaces an open dialog', async () => {
  const { page, url, started, ended } = await startWithAbsentUser()
  await page.evaluate((baseUrl) => {
    window.watch('first', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey())
  }, url)
  await started(1)
  await page.evaluate((baseUrl) => {
    const client = new window.rapport.Client({ baseUrl })
    window.watch('second', client.auth.loginWithPasskey({ signal: window.control.signal }))
  }, url)
  expect(await ended(1)).toEqual([`first: ${REPLACED}`])
  await page.evaluate(() => window.control.abort(new Error('closed')))
  expect((await ended(2))[1]).toBe('second: Error: closed')
  expect(await page.evaluate(isBrowserFree)).toBe(true)
})
