import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserWorld } from './harness/browser-world'

declare global {
  interface Window {
    /** What a tab's session has come to, in order. */
    changes: string[]
    /** The tab's client. */
    client: InstanceType<Window['rapport']['Client']>
  }
}

const world = browserWorld()
const login = 'ada@example.com'
const password = 'correct horse battery'

/** Gives a tab a client whose token is in `localStorage`. @returns the token that it finds there. */
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

/** Two tabs of one profile, and a user with a second factor. */
async function twoTabs() {
  const { service, server } = await world.serve()
  const ada = service.users.create({ login, password, username: 'ada', mfa: ['totp'] })
  const profile = await world.profile()
  const [first, second] = [await world.open('page', profile), await world.open('page', profile)]
  await Promise.all([openClient(first, server.url), openClient(second, server.url)])
  const code = () => service.users.totp(ada)
  return { service, code, profile, first, second, url: server.url }
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

/** Everything that a profile keeps for the pages' origin. */
function kept(tab: Page) {
  return tab.evaluate(async () => ({
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }))
}

const nothing = { local: [], session: [], databases: [], caches: [], cookies: '' }

describe('two tabs of a browser', () => {
  it('sign in together: what one does, the other follows', async () => {
    const { code, first, second } = await twoTabs()
    const token = await signIn(first, code())
    await second.waitForFunction(() => window.changes.length === 1)
    expect(await second.evaluate(() => [window.changes, window.client.session.token])).toEqual([['signedIn'], token])
    const sessions = await second.evaluate(async () => (await window.client.auth.sessions.list()).user_sessions.length)
    expect(sessions).toBe(1)
  })

  it('sign out together', async () => {
    const { code, first, second } = await twoTabs()
    await signIn(first, code())
    await second.waitForFunction(() => window.client.session.isAuthenticated)
    await second.evaluate(() => window.client.auth.logout())
    await first.waitForFunction(() => !window.client.session.isAuthenticated)
    expect(await first.evaluate(() => window.changes)).toEqual(['signedIn', 'signedOut'])
    expect(await second.evaluate(() => window.changes)).toEqual(['signedIn', 'signedOut'])
    expect(await kept(first)).toEqual(nothing)
  })

  it('follow each other when the storage is cleared', async () => {
    const { code, first, second } = await twoTabs()
    await signIn(first, code())
    await second.waitForFunction(() => window.client.session.isAuthenticated)
    await first.evaluate(() => localStorage.clear())
    await second.waitForFunction(() => !window.client.session.isAuthenticated)
    expect(await second.evaluate(() => window.changes)).toEqual(['signedIn', 'signedOut'])
  })

  it('have a third find the token when it opens, and another profile none', async () => {
    const { code, profile, first, url } = await twoTabs()
    const token = await signIn(first, code())
    expect(await openClient(await world.open('page', profile), url)).toBe(token)
    expect(await openClient(await world.open('page'), url)).toBeNull()
  })

  it('share the token, and not what the other has verified', async () => {
    const { code, first, second } = await twoTabs()
    await signIn(first, code())
    await second.waitForFunction(() => window.client.session.isAuthenticated)
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

describe('what a browser keeps', () => {
  it('is the token and nothing else: no ticket, no verification, no fingerprint', async () => {
    const { service, code, first } = await twoTabs()
    await first.evaluate((fingerprint) => {
      window.client.session.fingerprint = fingerprint
    }, service.fingerprint())
    const pending = await first.evaluate(
      async ({ login, password }) => (await window.client.auth.login({ login, password })).status,
      { login, password },
    )
    expect(pending).toBe('mfa')
    expect(await kept(first)).toEqual(nothing)

    const token = await signIn(first, code())
    expect(await kept(first)).toEqual({ ...nothing, local: [['rapport.token', token]] })

    const status = await first.evaluate(async (code) => {
      const onMfaRequired = () => ({ type: 'totp', code }) as const
      return (
        await window.client.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired }).withResponse()
      ).response.status
    }, code())
    expect(status).toBe(204)
    expect(service.journal.find('Verify MFA')).toHaveLength(1)
    expect(await kept(first)).toEqual({ ...nothing, local: [['rapport.token', token]] })
  })

  it('is nothing at all by default: a page that is loaded anew is signed out', async () => {
    const { service, server } = await world.serve()
    service.users.create({ login, password, username: 'ada' })
    const page = await world.open('page')
    const token = await page.evaluate(
      async ({ baseUrl, login, password }) => {
        const client = new window.rapport.Client({ baseUrl })
        await client.auth.login({ login, password })
        return client.session.token
      },
      { baseUrl: server.url, login, password },
    )
    expect(token).toEqual(expect.any(String))
    expect(await kept(page)).toEqual(nothing)
  })
})
