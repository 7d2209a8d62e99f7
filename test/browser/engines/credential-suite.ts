import type { Client } from 'rapport-sdk'
import { requestListener } from 'rapport-sdk/node'
import { attachGateway, createSessionHandler } from 'rapport-sdk/server'
import { expect } from 'vitest'
import { createCertificate } from '../../../mocks/cli/certificate'
import { poll, type Tab } from './engine'
import { type EngineHarness, login, password } from './harness'

declare global {
  interface Window {
    /** The client of a page whose token is in a cookie. */
    page: Client<'cookie'>
    /** Everything that scripts of the page have received. */
    answers: string[]
    friends: ReturnType<Client['relationships']['live']>
  }
}

/** Creates a client in a tab, and records what it receives. Returns the status of its session. */
function openClient(tab: Tab): Promise<string> {
  return tab.evaluate(async () => {
    const { fetch } = window
    window.answers = []
    window.fetch = async (...request) => {
      const answer = await fetch(...request)
      window.answers.push(await answer.clone().text(), JSON.stringify([...answer.headers]))
      return answer
    }
    const gateway = { url: `wss://${location.host}/rapport/gateway` }
    window.page = new window.rapport.Client({ baseUrl: '/rapport', session: 'cookie', gateway })
    await window.page.ready
    return window.page.session.status
  })
}

/** Returns everything that a script of the page can read. */
function readableData(tab: Tab): Promise<string> {
  return tab.evaluate(async () => {
    const stored = [...Object.entries(localStorage), ...Object.entries(sessionStorage), await indexedDB.databases()]
    return JSON.stringify([stored, await caches.keys(), document.cookie, document.documentElement.outerHTML])
  })
}

/** Makes a sensitive call, and answers the dialog that it opens. */
async function stepUpByDialog(tab: Tab, code: string): Promise<void> {
  await tab.evaluate(() => {
    window.outcomes = []
    const onMfaRequired = window.rapport.dialog.mfaDialog()
    window.page.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired }).then(
      () => window.outcomes.push('done'),
      (error: Error) => window.outcomes.push(error.name),
    )
  })
  await tab.waitFor(() => document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('[part=input]'))
  await tab.evaluate((code) => {
    const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
    const input = root?.querySelector('[part=input]')
    const submit = root?.querySelector('[part~=submit]')
    if (input instanceof HTMLInputElement) input.value = code
    if (submit instanceof HTMLElement) submit.click()
  }, code)
  await tab.waitFor(() => window.outcomes.length > 0)
  expect(await tab.evaluate(() => window.outcomes)).toEqual(['done'])
}

/** Sends what a page of another origin can send: a form, two fetches, an image and a WebSocket. Returns what it learns. */
function attack(tab: Tab, origin: string): Promise<readonly string[]> {
  return tab.evaluate(async (origin) => {
    const mount = `${origin}/rapport`
    const frame = Object.assign(document.createElement('iframe'), { name: 'target' })
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: `${mount}/auth/logout`, target: 'target' })
    document.body.append(frame, form)
    form.submit()
    const settle = (sent: Promise<Response>) =>
      sent.then(
        ({ type }) => type,
        () => 'failed',
      )
    const image = new Image()
    const shown = new Promise<string>((resolve) => {
      image.onload = () => resolve('shown')
      image.onerror = () => resolve('failed')
    })
    image.src = `${mount}/users/@me/relationships`
    const socket = new WebSocket(`${mount.replace('https', 'wss')}/gateway`)
    const opened = new Promise<string>((resolve) => {
      socket.onopen = () => resolve('opened')
      socket.onclose = () => resolve('failed')
    })
    const init = { method: 'POST', credentials: 'include', body: '{}' } as const
    return Promise.all([
      settle(fetch(`${mount}/auth/logout`, { ...init, mode: 'no-cors' })),
      settle(fetch(`${mount}/auth/logout`, init)),
      shown,
      opened,
    ])
  }, origin)
}

/** Pages whose token is in a cookie, over HTTPS with a self-signed certificate. */
export function cookieSuite(harness: EngineHarness): void {
  const { proves, serve, servePages } = harness
  const tls = createCertificate(['localhost', '127.0.0.1'])

  /** Serves a page with cookie sessions, in front of a service. */
  async function start() {
    const { service, ada, grace, settings } = await serve()
    const pages = await servePages({ tls })
    const secrets = new Set<string>()
    const requests: string[] = []
    const handler = createSessionHandler({
      baseUrl: settings.baseUrl,
      keys: [{ id: 'k1', key: crypto.getRandomValues(new Uint8Array(32)) }],
      origin: pages.origin,
      fetch(url, init) {
        const headers = new Headers(init.headers)
        for (const name of ['authorization', 'x-service-mfa-authorization']) secrets.add(headers.get(name) ?? '')
        return fetch(url, init)
      },
    })
    const recorded = async (request: Request) => {
      const answer = await handler(request)
      const { pathname } = new URL(request.url)
      // Tabs ask for it at any time.
      if (pathname !== '/rapport/session') requests.push(`${pathname} ${answer.status}`)
      return answer
    }
    pages.mount('/rapport/', requestListener(recorded, pages.origin))
    attachGateway(pages.server, handler, { url: settings.gatewayUrl })
    const openTab = async () => {
      const tab = await harness.engine.open(`${pages.origin}/page`)
      return { tab, status: await openClient(tab) }
    }
    const secretsOf = () => [...secrets].filter((secret) => secret !== '')
    return { service, ada, grace, code: settings.code, pages, requests, openTab, secretsOf }
  }

  const signIn = (tab: Tab, code: string) =>
    tab.evaluate(
      ({ login, password, code }) =>
        window.page.auth.login({ login, password }, { onMfaRequired: () => ({ type: 'totp', code }) }),
      { login, password, code },
    )

  proves(
    'cookie session over HTTPS',
    'a page signs in with a second factor, goes on live in two tabs, steps up and signs out without ever having a token',
    async () => {
      const { service, ada, grace, code, openTab, secretsOf } = await start()
      const { tab: first, status } = await openTab()
      expect(status).toBe('signedOut')
      const { tab: second } = await openTab()

      expect(await signIn(first, code)).not.toHaveProperty('token')
      await second.waitFor((id) => window.page.session.user?.id === id, ada.id)
      await second.evaluate(async () => {
        await window.page.gateway.connect()
        window.friends = window.page.relationships.live()
        await window.friends.ready
      })
      service.relationships.befriend(ada, grace)
      await second.waitFor((id) => window.friends.get(id)?.type === 1, grace.id)
      await stepUpByDialog(first, code)

      expect(await first.evaluate(() => document.cookie)).toBe('')
      const cookie = { httpOnly: true, secure: true, sameSite: 'Lax' }
      const cookies = await harness.engine.cookies(first)
      expect(cookies.toSorted((a, b) => a.name.length - b.name.length)).toMatchObject([
        { ...cookie, name: '__Host-rapport' },
        { ...cookie, name: '__Host-rapport-state' },
      ])
      await first.reload()
      expect(await openClient(first)).toBe('signedIn')
      await second.evaluate(() => window.page.auth.logout())
      await first.waitFor(() => window.page.session.status === 'signedOut')
      expect(await harness.engine.cookies(first)).toEqual([])

      // The token, and the verification of the step-up.
      expect(secretsOf()).toHaveLength(2)
      for (const tab of [first, second]) {
        const seen = (await readableData(tab)) + (await tab.evaluate(() => window.answers.join()))
        expect(secretsOf().filter((secret) => seen.includes(secret))).toEqual([])
      }
    },
  )

  proves(
    'requests of other sites are refused',
    'a form, a fetch, an image and a WebSocket of another site, and of another origin of the same site, are refused',
    async () => {
      const { service, code, pages, requests, openTab } = await start()
      const { tab } = await openTab()
      await signIn(tab, code)
      const other = await servePages({ tls })

      for (const origin of [other.origin, other.origin.replace('localhost', '127.0.0.1')]) {
        requests.length = 0
        const attacker = await harness.engine.open(`${origin}/page`)
        expect(await attack(attacker, pages.origin)).toEqual(['opaque', 'failed', 'failed', 'failed'])
        await poll(async () => requests.length >= 4, 'the form, the fetches and the image arrive')
        expect(requests.filter((request) => !request.endsWith(' 403'))).toEqual([])
      }

      expect(service.journal.find('Logout')).toEqual([])
      expect(service.journal.find('Get Relationships')).toEqual([])
      await tab.reload()
      expect(await openClient(tab)).toBe('signedIn')
    },
  )
}

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
