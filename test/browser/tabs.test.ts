import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

declare global {
  interface Window {
    /** Session changes of the tab, in order. */
    changes: string[]
    /** The client of the tab. */
    client: InstanceType<Window['rapport']['Client']>
  }
}

const harness = browserHarness()
const login = 'ada@example.com'
const password = 'correct horse battery'

/** Creates a client in a tab that keeps its token in `localStorage`. Returns the token that it finds there. */
function openClient(tab: Page, baseUrl: string): Promise<string | null> {
  return tab.evaluate(async (baseUrl) => {
    const { Client, storage } = window.rapport
    window.changes = []
    window.client = new Client({ baseUrl, tokenStore: storage.webStorageTokenStore(localStorage) })
    window.client.session.onChange(({ type }) => window.changes.push(type))
    await window.client.ready
    return window.client.session.token
  }, baseUrl)
}

/** Opens two tabs of one profile and creates a user with a second factor. */
async function openTwoTabs() {
  const { service, server } = await harness.serve()
  const ada = service.users.create({ login, password, username: 'ada', mfa: ['totp'] })
  const profile = await harness.profile()
  const [first, second] = [await harness.open('page', profile), await harness.open('page', profile)]
  await Promise.all([openClient(first, server.url), openClient(second, server.url)])
  const code = () => service.users.totp(ada)
  return { service, ada, code, profile, first, second, url: server.url }
}

function signIn(tab: Page, code: string): Promise<string | null> {
  return tab.evaluate(
    async ({ login, password, code }) => {
      await window.client.auth.login({ login, password }, { onMfaRequired: () => ({ type: 'totp', code }) })
      return window.client.session.token
    },
    { login, password, code },
  )
}

/** Returns everything that is stored for the origin of the pages. */
function storedData(tab: Page) {
  return tab.evaluate(async () => ({
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }))
}

const NOTHING = { local: [], session: [], databases: [], caches: [], cookies: '' }

describe('two tabs of a browser', () => {
  it('share a sign-in, with the ID of the user', async () => {
    const { ada, code, first, second } = await openTwoTabs()
    const token = await signIn(first, code())
    await waitOn(second, () => window.client.session.isAuthenticated)
    expect(await second.evaluate(() => [window.changes, window.client.session.token])).toEqual([
      ['loaded', 'signedIn'],
      token,
    ])
    expect(await second.evaluate(() => window.client.session.user)).toEqual({ id: ada.id })
    const sessions = await second.evaluate(async () => (await window.client.auth.sessions.list()).user_sessions.length)
    expect(sessions).toBe(1)
  })

  it('share a logout', async () => {
    const { code, first, second } = await openTwoTabs()
    await signIn(first, code())
    await waitOn(second, () => window.client.session.isAuthenticated)
    await second.evaluate(() => window.client.auth.logout())
    await waitOn(first, () => !window.client.session.isAuthenticated)
    expect(await first.evaluate(() => window.changes)).toEqual(['loaded', 'signedIn', 'signedOut'])
    expect(await second.evaluate(() => window.changes)).toEqual(['loaded', 'signedIn', 'signedOut'])
    expect(await storedData(first)).toEqual(NOTHING)
  })

  it('sign out when the other one clears the storage', async () => {
    const { code, first, second } = await openTwoTabs()
    await signIn(first, code())
    await waitOn(second, () => window.client.session.isAuthenticated)
    await first.evaluate(() => localStorage.clear())
    await waitOn(second, () => !window.client.session.isAuthenticated)
    expect(await second.evaluate(() => window.changes)).toEqual(['loaded', 'signedIn', 'signedOut'])
  })

  it('share the token with a new one, but not with another profile', async () => {
    const { code, profile, first, url } = await openTwoTabs()
    const token = await signIn(first, code())
    expect(await openClient(await harness.open('page', profile), url)).toBe(token)
    expect(await openClient(await harness.open('page'), url)).toBeNull()
  })

  it('share the token but not the verification', async () => {
    const { code, first, second } = await openTwoTabs()
    await signIn(first, code())
    await waitOn(second, () => window.client.session.isAuthenticated)
    const endSessions = (tab: Page, code: string) =>
      tab.evaluate(async (code) => {
        let prompts = 0
        const onMfaRequired = () => {
          prompts += 1
          return { type: 'totp', code } as const
        }
        await window.client.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired })
        return prompts
      }, code)
    expect(await endSessions(first, code())).toBe(1)
    expect(await endSessions(first, code())).toBe(0)
    expect(await endSessions(second, code())).toBe(1)
  })
})

describe('browser storage', () => {
  it('the client stores the token and the ID of its user, and no ticket, verification JWT or fingerprint', async () => {
    const { service, ada, code, first } = await openTwoTabs()
    await first.evaluate((fingerprint) => {
      window.client.session.fingerprint = fingerprint
    }, service.fingerprint())
    const pending = await first.evaluate(
      async ({ login, password }) => (await window.client.auth.login({ login, password })).status,
      { login, password },
    )
    expect(pending).toBe('mfa')
    expect(await storedData(first)).toEqual(NOTHING)

    const token = await signIn(first, code())
    const stored = { ...NOTHING, local: [['rapport.token', JSON.stringify({ token, userId: ada.id })]] }
    expect(await storedData(first)).toEqual(stored)

    const status = await first.evaluate(async (code) => {
      const onMfaRequired = () => ({ type: 'totp', code }) as const
      return (
        await window.client.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired }).withResponse()
      ).response.status
    }, code())
    expect(status).toBe(204)
    expect(service.journal.find('Verify MFA')).toHaveLength(1)
    expect(await storedData(first)).toEqual(stored)
  })

  it('the client stores nothing by default, so a reloaded page is signed out', async () => {
    const { service, server } = await harness.serve()
    service.users.create({ login, password, username: 'ada' })
    const page = await harness.open('page')
    const token = await page.evaluate(
      async ({ baseUrl, login, password }) => {
        const client = new window.rapport.Client({ baseUrl })
        await client.auth.login({ login, password })
        return client.session.token
      },
      { baseUrl: server.url, login, password },
    )
    expect(token).toEqual(expect.any(String))
    expect(await storedData(page)).toEqual(NOTHING)
  })
})
