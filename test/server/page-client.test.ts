import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import {
  Client,
  type ClientOptions,
  isApiError,
  isAuthenticationError,
  isRapportError,
  isRateLimitError,
  isRequestValidationError,
  isServerError,
} from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { createSessionHandler } from 'rapport-sdk/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bundledScript } from '../temporary-files'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { keys, ORIGIN, Page } from './page'

const exitingProcess = bundledScript('test/exiting-process.ts')

const login = { login: 'ada@example.com', password: 'correct horse' }

/** A service, a browser, and a function that opens a tab of it. */
function setUp(mfa: readonly string[] = []) {
  const service = createMockService()
  const user = service.users.create({ ...login, mfa: Object(mfa) })
  let isDown = false
  let lose: (() => Response | Promise<Response>) | undefined
  const handler = createSessionHandler({
    ...{ baseUrl: service.baseUrl, keys, origin: ORIGIN },
    fetch: (url, init) => (isDown ? Promise.reject(new TypeError('down')) : service.fetch(url, init)),
  })
  const page = new Page(handler)
  const sent: Headers[] = []
  const openTab = (options: Partial<ClientOptions> = {}) => {
    const client = new Client({
      baseUrl: `${ORIGIN}/rapport`,
      session: 'cookie',
      retry: 0,
      fetch: async (url, init) => {
        const headers = new Headers(init.headers)
        sent.push(new Headers(headers))
        headers.set('sec-fetch-site', 'same-origin')
        if (page.cookie !== undefined) headers.set('cookie', page.cookie)
        const answer = await handler(new Request(url, { ...init, headers }))
        page.receive(answer)
        const loseThis = lose
        lose = undefined
        return loseThis ? loseThis() : answer
      },
      ...options,
    })
    onTestFinished(() => client.dispose())
    return client
  }
  const setDown = (value: boolean) => {
    isDown = value
  }
  /** Changes what a script receives of the next answer, whose cookies the browser has. */
  const loseNext = (how: typeof lose) => {
    lose = how
  }
  return { service, user, page, sent, openTab, setDown, loseNext }
}

test('a page signs in, calls, reloads and signs out without a token', async () => {
  const { user, page, sent, openTab } = setUp()
  const client = openTab()
  await client.ready
  expect([client.session.status, client.session.user]).toEqual(['signedOut', null])

  const result = await client.auth.login(login)
  expect(result).toMatchObject({ status: 'complete', user_id: user.id })
  expect(result).not.toHaveProperty('token')
  expect(client.session.user).toMatchObject({ id: user.id })
  expect(await client.relationships.list()).toEqual([])

  const reloaded = openTab()
  await reloaded.ready
  expect([reloaded.session.status, reloaded.session.user]).toEqual(['signedIn', { id: user.id }])
  expect(await reloaded.relationships.list()).toEqual([])
  await reloaded.auth.logout()
  expect([reloaded.session.status, page.jar.size]).toEqual(['signedOut', 0])
  expect(sent.some((headers) => headers.has('authorization'))).toBe(false)
})

test('a sign-in with a second factor and a step-up work, and no request has a token or a verification', async () => {
  const { service, user, sent, openTab } = setUp(['totp'])
  const handler = vi.fn(() => ({ type: 'totp' as const, code: service.users.totp(user) }))
  const client = openTab({ onMfaRequired: handler })

  expect(await client.auth.login(login)).not.toHaveProperty('token')
  expect(client.session.user).toMatchObject({ id: user.id })
  await client.auth.sessions.logout({ session_id_hashes: ['other'] })
  await client.auth.sessions.logout({ session_id_hashes: ['other'] })

  expect(handler).toHaveBeenCalledTimes(2)
  const names = sent.flatMap((headers) => [...headers.keys()])
  expect(names).not.toContain('authorization')
  expect(names).not.toContain('x-service-mfa-authorization')
})

test('several tabs follow each other', async () => {
  const { user, openTab } = setUp()
  const [one, two] = [openTab(), openTab()]
  await Promise.all([one.ready, two.ready])

  await one.auth.login(login)
  await vi.waitFor(() => expect(two.session.user).toMatchObject({ id: user.id }))
  await two.auth.logout()

  await vi.waitFor(() => expect(one.session.status).toBe('signedOut'))
})

test('a page that is signed in sends no fingerprint, and none after its sign-in', async () => {
  const { openTab, sent } = setUp()
  const client = openTab({ fingerprint: 'a-fingerprint' })
  await client.auth.login(login)
  expect(sent.some((headers) => headers.get('x-fingerprint') === 'a-fingerprint')).toBe(true)
  sent.length = 0
  await client.relationships.list()
  const reloaded = openTab({ fingerprint: 'a-fingerprint' })
  await reloaded.ready

  await reloaded.relationships.list()

  expect(reloaded.session.fingerprint).toBeNull()
  expect(sent.some((headers) => headers.has('x-fingerprint'))).toBe(false)
})

test('limits of a page are kept by its user: those of one do not delay the next one', async () => {
  const { service, openTab } = setUp()
  service.users.create({ ...login, login: 'grace@example.com' })
  const client = openTab({ retry: { maxRateLimitWaitMs: 0 } })
  await client.auth.login(login)
  service.faults.on('Get Relationships', { status: 429, headers: { 'retry-after': '600' }, times: 1 })
  await rejectionOf(client.relationships.list(), isRateLimitError)
  await rejectionOf(client.relationships.list(), isRateLimitError)
  expect(service.journal.find('Get Relationships')).toHaveLength(1)

  await client.auth.login({ ...login, login: 'grace@example.com' })

  expect(await client.relationships.list()).toEqual([])
})

test('a session that has ended signs the page out with the next call', async () => {
  const { page, sent, openTab } = setUp()
  const client = openTab()
  await client.auth.login(login)
  // It asks for the session once more, because it has heard of its own sign-in.
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  page.jar.clear()

  await rejectionOf(client.relationships.list(), isAuthenticationError)

  await vi.waitFor(() => expect(client.session.status).toBe('signedOut'))
})

test('while the service is down, a call says so and the page stays signed in', async () => {
  const { openTab, setDown } = setUp()
  const client = openTab()
  await client.auth.login(login)
  setDown(true)

  await rejectionOf(client.relationships.list(), isServerError)

  expect(client.session.status).toBe('signedIn')
  const reloaded = openTab()
  await reloaded.ready
  expect(reloaded.session.status).toBe('signedIn')
})

test('a path as `baseUrl` is that of the page, and is refused elsewhere', async () => {
  expect(() => new Client({ baseUrl: '/rapport', session: 'cookie' })).toThrow(/baseUrl: expected the absolute URL/)
  vi.stubGlobal('location', { origin: ORIGIN })
  onTestFinished(() => void vi.unstubAllGlobals())
  const urls: string[] = []
  const fetch = async (url: string) => {
    urls.push(url)
    return Response.json({ status: 'signedOut', user: null })
  }
  const client = new Client({ baseUrl: '/rapport', session: 'cookie', fetch })
  onTestFinished(() => client.dispose())
  await client.ready

  expect(urls).toEqual([`${ORIGIN}/rapport/session`])
  for (const baseUrl of ['//evil.example', 'rapport'])
    expect(() => new Client({ baseUrl, session: 'cookie' })).toThrow(/baseUrl/)
  expect(() => new Client({ baseUrl: '/rapport' })).toThrow(/baseUrl/)
})

test('`token`, `tokenStore`, `authorize` and `as` are refused', async () => {
  const create = () =>
    new Client({
      ...{ baseUrl: `${ORIGIN}/rapport`, session: 'cookie', token: 'a', authorize: (token) => token },
      tokenStore: { get: () => null, set: () => {} },
    })
  expect(create).toThrow(expect.toSatisfy(isRequestValidationError))
  expect(create).toThrow(/token: the token is in a cookie.*tokenStore: .*authorize: /s)
  const { openTab } = setUp()
  const client = openTab()
  await client.ready
  expect(String(await reasonOf(Promise.resolve().then(() => client.as('other'))))).toContain('in a cookie')
})

test('another token for a call or the session is refused, because calls go for the user of the cookie', async () => {
  const { service, user, openTab, sent } = setUp()
  const other = service.users.create({ login: 'grace@example.com' })
  const client = openTab()
  await client.auth.login(login)
  const before = sent.length

  const error = await rejectionOf(client.relationships.list({ token: service.token(other) }), isRequestValidationError)
  expect(error.issues).toMatchObject([{ path: ['token'], message: 'the token is in a cookie: omit this option' }])
  expect(String(await reasonOf(client.session.setToken(service.token(other))))).toContain('in a cookie')

  expect([client.session.user?.id, sent.length]).toEqual([user.id, before])
})

/** Sets up a tab that shows Ada, in a browser whose cookie is Grace's. */
async function setUpUnaware() {
  const { sent, ...more } = setUp()
  const grace = more.service.users.create({ ...login, login: 'grace@example.com' })
  const client = more.openTab()
  await client.auth.login(login)
  // It asks for the session once more, because it has heard of its own sign-in.
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  await client.relationships.list()
  await more.page.call('POST', '/auth/login', { body: { ...login, login: 'grace@example.com' } })
  return { ...more, client, grace }
}

test('a call of a tab that has not heard of another user is refused, and the tab then shows that user', async () => {
  const { service, user, client, grace } = await setUpUnaware()

  const error = await rejectionOf(client.relationships.delete(user.id), isApiError)

  expect(error.status).toBe(409)
  expect(service.journal.find('Remove Relationship')).toEqual([])
  await vi.waitFor(() => expect(client.session.user).toMatchObject({ id: grace.id }))
  expect(await client.relationships.list()).toEqual([])
})

test('setToken(null) of a tab that has not heard of another user leaves the session of that user', async () => {
  const { page, client, grace } = await setUpUnaware()

  await client.session.setToken(null)

  expect(page.jar.size).toBe(1)
  await vi.waitFor(() => expect(client.session.user).toMatchObject({ id: grace.id }))
})

test.each([204, 503])('setToken(null) signs out all tabs, whatever the service answers: %i', async (status) => {
  const { service, page, openTab } = setUp()
  const [one, two] = [openTab(), openTab()]
  await one.auth.login(login)
  await vi.waitFor(() => expect(two.session.status).toBe('signedIn'))
  service.faults.on('Logout', { status })

  await one.session.setToken(null)

  expect([one.session.status, page.jar.size]).toEqual(['signedOut', 0])
  await vi.waitFor(() => expect(two.session.status).toBe('signedOut'))
  expect(one.session.status).toBe('signedOut')
  expect(service.journal.find('Logout')).toHaveLength(1)
})

test.each([401, 503])('a sign-out that the service refuses with %i signs out all tabs', async (status) => {
  const { service, page, openTab } = setUp()
  const [one, two] = [openTab(), openTab()]
  await one.auth.login(login)
  await vi.waitFor(() => expect(two.session.status).toBe('signedIn'))
  service.faults.on('Logout', { status, body: { message: 'planted' } })

  expect(String(await reasonOf(one.auth.logout()))).toContain('Logout')

  expect(page.jar.size).toBe(0)
  await vi.waitFor(() => expect([one.session.status, two.session.status]).toEqual(['signedOut', 'signedOut']))
})

test('a page that signs out when its token is refused sends one sign-out, and its live store no more requests', async () => {
  const { service, user, openTab } = setUp()
  const gateway = { url: service.gateway.url, WebSocket: service.WebSocket }
  const client = openTab({ gateway })
  await client.auth.login(login)
  const friends = client.relationships.live()
  await friends.ready
  client.on('unauthorized', () => void client.session.setToken(null))
  service.users.lock(user)

  await rejectionOf(client.relationships.list(), isAuthenticationError)
  await vi.waitFor(() => expect([client.session.status, friends.status]).toEqual(['signedOut', 'signedOut']))
  await vi.waitFor(() => expect(service.journal.find('Logout')).not.toEqual([]))
  const count = service.journal.find('Get Relationships').length
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)

  expect(service.journal.find('Get Relationships')).toHaveLength(count)
  expect(service.journal.find('Logout')).toHaveLength(1)
})

test('a module of a page that a server loads sends no request, because a server has no cookies', async () => {
  const fetch = vi.fn(() => Promise.reject(new TypeError('planted')))
  vi.stubGlobal('fetch', fetch)
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = new Client({ baseUrl: `${ORIGIN}/rapport`, session: 'cookie' })
  onTestFinished(() => client.dispose())
  expect(client.session.status).toBe('loading')

  await client.ready

  expect(client.session.status).toBe('signedOut')
  expect(fetch).not.toHaveBeenCalled()
})

test('a client with a cookie session does not keep a process running, with and without a `fetch` of its own', async () => {
  const child = spawn(process.execPath, [exitingProcess(), 'cookie clients'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  expect(await text(child.stdout)).toBe('signedOut signedOut\n')
  expect(await closed).toEqual([0, null])
})

test('a sign-in that ends after a sign-out leaves no cookie, no session and no signed-in tab', async () => {
  const { service, page, sent, openTab } = setUp()
  service.users.create({ ...login, login: 'grace@example.com' })
  const client = openTab()
  await client.auth.login(login)
  // It asks for the session once more, because it has heard of its own sign-in.
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  service.faults.on('Login Account', { latency: '2s', times: 1 })
  const late = rejectionOf(client.auth.login({ ...login, login: 'grace@example.com' }), isRapportError)
  await vi.waitFor(() => expect(sent).toHaveLength(4))
  await client.auth.logout()
  expect((await late).message).toContain('its token is not used')
  expect(page.jar.size).toBe(0)
  expect(client.session.status).toBe('signedOut')
  const other = openTab()
  await other.ready
  expect(other.session.status).toBe('signedOut')
  expect(service.journal.find('Logout').map(({ status }) => status)).toEqual([204, 204])
})

/** Two tabs that have asked for the session, and are done with it. */
async function setUpTabs() {
  const { openTab, sent, ...others } = setUp()
  const tabs = [openTab(), openTab()]
  await Promise.all(tabs.map(({ ready }) => ready))
  const [one = openTab()] = tabs
  const statuses = () => tabs.map(({ session }) => session.status)
  return { one, statuses, ...others }
}

test.each([
  ['no answer', () => Promise.reject(new TypeError('lost'))],
  ['the beginning of an answer', () => truncate('{"user_id":')],
])('all tabs follow a sign-in and a sign-out of which the page receives %s', async (_, lose) => {
  const { one, page, statuses, loseNext } = await setUpTabs()

  loseNext(lose)
  await rejectionOf(one.auth.login(login), isRapportError)

  await vi.waitFor(() => expect(statuses()).toEqual(['signedIn', 'signedIn']))
  loseNext(lose)
  // An empty answer is a success too.
  await Promise.allSettled([one.auth.logout()])
  await vi.waitFor(() => expect(statuses()).toEqual(['signedOut', 'signedOut']))
  expect(page.jar.size).toBe(0)
})

test('setToken(null) removes the cookie of a sign-in whose answer was lost', async () => {
  const { one, page, loseNext } = await setUpTabs()
  loseNext(() => Promise.reject(new TypeError('lost')))
  await rejectionOf(one.auth.login(login), isRapportError)
  await one.session.setToken(null)
  expect(page.jar.size).toBe(0)
})

/** An answer whose connection is lost after these characters. */
function truncate(text: string): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
    },
    pull(controller) {
      controller.error(new TypeError('lost'))
    },
  })
  return new Response(body)
}
