import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAuthenticator } from './harness/authenticator'
import { browserWorld } from './harness/browser-world'

declare global {
  interface Window {
    /** How each ceremony was asked for that the page has come to, in order. */
    ceremonies: string[]
    /** Adds the ceremony's end to what has ended, in order. */
    watch(name: string, ceremony: PromiseLike<unknown>): void
    /** How ceremonies have ended. */
    ended: string[]
    /** Ends a ceremony. */
    control: AbortController
  }
}

const world = browserWorld()

/** A page that tells which ceremonies the browser was asked for, and how they ended. */
async function watchedPage(): Promise<Page> {
  const profile = await world.profile()
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
    navigator.credentials.get = (options) => {
      window.ceremonies.push(options?.mediation === 'conditional' ? 'autofill' : 'dialog')
      return get(options)
    }
  })
  return world.open('page', profile)
}

/** A user who signs in on a watched page, where nobody touches the authenticator until told to. */
async function absentUser() {
  const { service, server } = await world.serve()
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
  const page = await watchedPage()
  const authenticator = await addAuthenticator(page)
  service.users.addPasskey(ada, await authenticator.addPasskey(ada))
  await authenticator.setPresent(false)
  const asked = (count: number) => page.waitForFunction((count) => window.ceremonies.length === count, count)
  const ended = async (count: number) => {
    await page.waitForFunction((count) => window.ended.length === count, count)
    return page.evaluate(() => window.ended)
  }
  const offerAutofill = async () => {
    await page.evaluate((baseUrl) => {
      const client = new window.rapport.Client({ baseUrl })
      window.watch('autofill', client.auth.loginWithPasskey({ autofill: true, signal: window.control.signal }))
    }, server.url)
    await asked(1)
  }
  return { service, ada, page, authenticator, url: server.url, asked, ended, offerAutofill }
}

const REPLACED = 'cancelled: Another WebAuthn ceremony on this page replaced this one.'

describe('a pending autofill', () => {
  it('the dialog of a passkey login ends a pending autofill', async () => {
    const { service, page, authenticator, url, ended, offerAutofill } = await absentUser()
    await offerAutofill()
    await authenticator.setPresent(true)
    await page.evaluate((baseUrl) => {
      window.watch('dialog', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey())
    }, url)
    expect(await ended(2)).toEqual([`autofill: ${REPLACED}`, 'dialog: done'])
    expect(await page.evaluate(() => window.ceremonies)).toEqual(['autofill', 'dialog'])
    expect(service.journal.find('Finish Passwordless Login').map(({ status }) => status)).toEqual([200])
  })

  it('the dialog of a step-up, also of another client, ends a pending autofill', async () => {
    const { service, ada, page, authenticator, url, ended, offerAutofill } = await absentUser()
    await offerAutofill()
    await authenticator.setPresent(true)
    await page.evaluate(
      ({ baseUrl, token }) => {
        const client = new window.rapport.Client({ baseUrl, token, onMfaRequired: (challenge) => challenge.webauthn() })
        window.watch('step-up', client.auth.sessions.logout({ session_id_hashes: ['none'] }))
      },
      { baseUrl: url, token: service.token(ada) },
    )
    expect(await ended(2)).toEqual([`autofill: ${REPLACED}`, 'step-up: done'])
  })

  it('signs in when the person picks a passkey after all', async () => {
    const { service, page, url, ended, authenticator } = await absentUser()
    await authenticator.setPresent(true)
    await page.evaluate((baseUrl) => {
      window.watch('autofill', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey({ autofill: true }))
    }, url)
    expect(await ended(1)).toEqual(['autofill: done'])
    expect(service.journal.find('Finish Passwordless Login').map(({ status }) => status)).toEqual([200])
  })

  it('gives way to a newer one, as when a page shows its form anew', async () => {
    const { page, url, asked, ended, offerAutofill } = await absentUser()
    await offerAutofill()
    await page.evaluate((baseUrl) => {
      window.watch('newer', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey({ autofill: true }))
    }, url)
    await asked(2)
    expect(await ended(1)).toEqual([`autofill: ${REPLACED}`])
  })

  it('ends with its signal, and the browser is free for the next ceremony', async () => {
    const { page, ended, offerAutofill } = await absentUser()
    await offerAutofill()
    await page.evaluate(() => window.control.abort(new Error('the form was closed')))
    expect(await ended(1)).toEqual(['autofill: Error: the form was closed'])
    expect(await page.evaluate(isBrowserFree)).toBe(true)
  })

  // The browser is asked whether there is autofill before the ceremony, and once more right before.
  it.each([1, 2])('ends with its signal when that comes while the browser is being asked, %d', async (question) => {
    const { page, ended } = await absentUser()
    await page.evaluate((question) => {
      const { browserWebAuthn } = window.rapport.webauthn
      const ask = PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential)
      let times = 0
      PublicKeyCredential.isConditionalMediationAvailable = () => {
        times += 1
        if (times === question) window.control.abort(new Error('too late'))
        return ask()
      }
      const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' }
      window.watch('autofill', browserWebAuthn.get(options, { autofill: true, signal: window.control.signal }))
    }, question)
    expect(await ended(1)).toEqual(['autofill: Error: too late'])
    expect(await page.evaluate(isBrowserFree)).toBe(true)
  })

  it.each([1, 2])('does not end a dialog that is asked for at that moment, %d', async (question) => {
    const { page, authenticator, ended } = await absentUser()
    await authenticator.setPresent(true)
    await page.evaluate((question) => {
      const { browserWebAuthn } = window.rapport.webauthn
      const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' }
      const ask = PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential)
      let times = 0
      PublicKeyCredential.isConditionalMediationAvailable = async () => {
        times += 1
        if (times === question) window.watch('dialog', browserWebAuthn.get(options, {}))
        return ask()
      }
      window.watch('autofill', browserWebAuthn.get(options, { autofill: true }))
    }, question)
    expect(await ended(2)).toContain('dialog: done')
  })
})

/** Whether no ceremony is pending: else the browser refuses another one that does not know of it. */
async function isBrowserFree(): Promise<boolean> {
  const publicKey = { challenge: new Uint8Array(32), rpId: 'localhost', timeout: 100 }
  const error: unknown = await navigator.credentials.get({ publicKey }).catch((reason: unknown) => reason)
  return !(error instanceof DOMException && error.name === 'OperationError')
}

describe('an open dialog', () => {
  it('is not ended by an autofill, which is refused meanwhile', async () => {
    const { page, url, asked, ended } = await absentUser()
    await page.evaluate((baseUrl) => {
      const client = new window.rapport.Client({ baseUrl })
      window.watch('dialog', client.auth.loginWithPasskey({ signal: window.control.signal }))
    }, url)
    await asked(1)
    await page.evaluate((baseUrl) => {
      window.watch('autofill', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey({ autofill: true }))
    }, url)
    expect((await ended(1))[0]).toContain('autofill: cancelled: Autofill is not available while')
    await page.evaluate(() => window.control.abort(new Error('closed')))
    expect((await ended(2))[1]).toBe('dialog: Error: closed')
  })

  it('gives way to the dialog of another client', async () => {
    const { page, url, asked, ended } = await absentUser()
    await page.evaluate((baseUrl) => {
      window.watch('first', new window.rapport.Client({ baseUrl }).auth.loginWithPasskey())
    }, url)
    await asked(1)
    await page.evaluate((baseUrl) => {
      const client = new window.rapport.Client({ baseUrl })
      window.watch('second', client.auth.loginWithPasskey({ signal: window.control.signal }))
    }, url)
    expect(await ended(1)).toEqual([`first: ${REPLACED}`])
    await page.evaluate(() => window.control.abort(new Error('closed')))
    expect((await ended(2))[1]).toBe('second: Error: closed')
    expect(await page.evaluate(isBrowserFree)).toBe(true)
  })
})
