import { expect } from 'vitest'
import type { Scriptable } from './engine'
import { type EngineHarness, login, password } from './harness'

/** Creates a client in a document that keeps its token in `localStorage`, and records session changes and warnings. */
export function openClient(document: Scriptable, baseUrl: string): Promise<void> {
  return document.evaluate(async (baseUrl) => {
    const { Client, storage } = window.rapport
    window.changes = []
    window.client = new Client({ baseUrl, tokenStore: storage.webStorageTokenStore(() => localStorage) })
    window.client.session.onChange(({ type }) => window.changes.push(type))
    window.client.on('warning', ({ code }) => window.changes.push(code))
    await window.client.ready
  }, baseUrl)
}

/** Signs in with a password and a code. Returns the status. */
export function signIn(document: Scriptable, code: string): Promise<string> {
  return document.evaluate(
    async ({ login, password, code }) => {
      const options = { onMfaRequired: () => ({ type: 'totp', code }) as const }
      return (await window.client.auth.login({ login, password }, options)).status
    },
    { login, password, code },
  )
}

const changes = (document: Scriptable) => document.evaluate(() => window.changes)

/** Session, storage and gateway. */
export function sessionSuite(harness: EngineHarness): void {
  const { proves, serve, openPage } = harness

  proves('ES modules of a Vite build', 'a page loads the ES modules of a Vite build', async () => {
    const { tab } = await openPage()
    await tab.waitFor(() => window.rapport !== undefined)
    const scripts = await tab.evaluate(() => {
      const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
      return {
        types: [...document.scripts].map(({ type }) => type),
        names: names.filter((name) => name.endsWith('.js')),
      }
    })
    expect(scripts.types).toEqual(['module'])
    // The page, and chunks that it shares with other pages.
    expect(scripts.names.length).toBeGreaterThan(1)
  })

  proves(
    'sign-in and step-up, service on another origin (CORS)',
    'a page signs in and passes a step-up at a service on another origin',
    async () => {
      const { service, settings } = await serve()
      const { pages, tab } = await openPage()
      expect(new URL(settings.baseUrl).origin).not.toBe(pages.origin)
      await openClient(tab, settings.baseUrl)
      expect(await signIn(tab, settings.code)).toBe('complete')
      const status = await tab.evaluate(async (code) => {
        const onMfaRequired = () => ({ type: 'totp', code }) as const
        const call = window.client.auth.sessions.logout({ session_id_hashes: ['none'] }, { onMfaRequired })
        return (await call.withResponse()).response.status
      }, settings.code)
      expect(status).toBe(204)
      expect(service.journal.find('Logout Auth Sessions').map(({ status }) => status)).toEqual([401, 204])
    },
  )

  proves(
    'sign-in and step-up, mock in the page',
    'a page signs in, passes a step-up and receives events of a mock in its memory',
    async () => {
      const { tab } = await openPage('msw-worker')
      const result = await tab.evaluate(
        async ({ login, password }) => {
          const service = window.mock.createMockService({ baseUrl: 'https://service.example/api' })
          const ada = service.users.create({ login, password, username: 'ada', mfa: ['totp'] })
          const client = new window.rapport.Client({
            baseUrl: service.baseUrl,
            fetch: service.fetch,
            gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
            onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
          })
          await client.auth.login({ login, password })
          await client.auth.sessions.logout({ session_id_hashes: ['none'] })
          await client.gateway.connect()
          const arrives = client.gateway.waitFor('relationshipAdd')
          const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
          service.relationships.request(grace, ada)
          const { id } = await arrives
          client.dispose()
          return id === grace.id && localStorage.length === 0
        },
        { login, password },
      )
      expect(result).toBe(true)
    },
  )

  proves(
    ['gateway: a lost connection is resumed', 'live stores'],
    'a page resumes a lost connection, and its live store has the event that it missed',
    async () => {
      const { service, ada, grace, settings } = await serve()
      const { tab } = await openPage()
      await tab.evaluate(
        async ({ baseUrl, url, token }) => {
          window.client = new window.rapport.Client({ baseUrl, token, gateway: { url } })
          window.states = []
          await window.client.gateway.connect()
          window.live = window.client.relationships.live()
          await window.live.ready
          window.client.gateway.on('stateChange', ({ state }) => window.states.push(state))
        },
        { baseUrl: settings.baseUrl, url: settings.gatewayUrl, token: service.token(ada) },
      )
      service.gateway.drop()
      service.relationships.befriend(ada, grace)
      await tab.waitFor((id) => window.live.get(id)?.type === 1 && !window.live.stale, grace.id)
      await tab.waitFor(() => window.client.gateway.state === 'ready')
      const states = await tab.evaluate(() => window.states)
      expect(states.slice(-2)).toEqual(['resuming', 'ready'])
      expect(states).not.toContain('identifying')
      expect(service.journal.find('Get Relationships')).toHaveLength(1)
    },
  )

  proves('two tabs', 'a sign-in and a sign-out in one tab reach the other tab', async () => {
    const { ada, settings } = await serve()
    const { pages, tab: first } = await openPage()
    const second = await harness.engine.open(`${pages.origin}/page`)
    for (const tab of [first, second]) await openClient(tab, settings.baseUrl)
    await signIn(first, settings.code)
    await second.waitFor(() => window.client.session.isAuthenticated)
    expect(await second.evaluate(() => window.client.session.user)).toEqual({ id: ada.id })
    await second.evaluate(() => window.client.auth.logout())
    await first.waitFor(() => !window.client.session.isAuthenticated)
    expect(await changes(first)).toEqual(['loaded', 'signedIn', 'signedOut'])
    expect(await changes(second)).toEqual(['loaded', 'signedIn', 'signedOut'])
  })

  proves(
    'back/forward cache',
    'a page that returns from the back/forward cache is signed out if another page signed out meanwhile',
    async () => {
      const { service, settings } = await serve()
      const { pages, tab } = await openPage()
      await openClient(tab, settings.baseUrl)
      await signIn(tab, settings.code)
      await tab.evaluate(() => {
        window.addEventListener('pageshow', ({ persisted }) =>
          window.changes.push(persisted ? 'restored' : 'loaded again'),
        )
      })

      await tab.goto(`${pages.origin}/page?next`)
      await openClient(tab, settings.baseUrl)
      expect(await tab.evaluate(() => window.client.session.status)).toBe('signedIn')
      await tab.evaluate(() => window.client.auth.logout())
      await tab.back()
      // The page is the same one: its client remembers its sign-in.
      await tab.waitFor(() => location.search === '' && window.client.session.status === 'signedOut')
      expect((await changes(tab)).toSorted()).toEqual(['loaded', 'restored', 'signedIn', 'signedOut'])
      expect(service.journal.find('Logout')).toHaveLength(1)
    },
  )

  proves(
    'back/forward cache',
    'a page with an open gateway connection is signed out too when Back shows it again',
    async () => {
      const { service, ada, settings } = await serve()
      const { pages, tab } = await openPage()
      await openClient(tab, settings.baseUrl)
      await tab.evaluate(
        async ({ baseUrl, url, token }) => {
          const tokenStore = window.rapport.storage.webStorageTokenStore(() => localStorage)
          window.client = new window.rapport.Client({ baseUrl, tokenStore, gateway: { url } })
          await window.client.session.setToken(token)
          await window.client.gateway.connect()
        },
        { baseUrl: settings.baseUrl, url: settings.gatewayUrl, token: service.token(ada) },
      )
      await tab.goto(`${pages.origin}/page?next`)
      await openClient(tab, settings.baseUrl)
      await tab.evaluate(() => window.client.auth.logout())
      await tab.back()
      await tab.waitFor(() => location.search === '' && window.rapport !== undefined)
      // Restored with its client, or loaded again without one: an open connection keeps the page out of some caches.
      await tab.waitFor(() => window.client === undefined || window.client.gateway.state === 'closed')
      const token = await tab.evaluate(() => window.client?.session.token ?? localStorage.getItem('rapport.token'))
      expect(token).toBe(null)
    },
  )

  proves('full storage', 'a login succeeds with a warning if the storage is full', async () => {
    const { settings } = await serve()
    const { tab } = await openPage()
    await openClient(tab, settings.baseUrl)
    await tab.evaluate(() => {
      for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (let index = 0; ; index++) localStorage.setItem(`${size} ${index}`, 'x'.repeat(size))
        } catch {}
      }
    })
    expect(await signIn(tab, settings.code)).toBe('complete')
    expect(await changes(tab)).toEqual(['loaded', 'signedIn', 'storage_full'])
    expect(await tab.evaluate(async () => (await window.client.auth.sessions.list()).user_sessions.length)).toBe(1)
    expect(await tab.evaluate(() => localStorage.getItem('rapport.token'))).toBeNull()
    await tab.evaluate(() => localStorage.clear())
  })
}
