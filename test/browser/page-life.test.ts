import { chromium, type Frame, type Page } from 'playwright-core'
import type { ListenOptions } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { PATIENCE_MS } from '../patience'
import { browserHarness } from './harness/browser-harness'
import { launchOptions } from './harness/chromium'
import { servePages } from './harness/page-server'
import { waitOn } from './harness/wait-on'

const harness = browserHarness()
const params = { login: 'ada@example.com', password: 'correct horse battery' }

/** Starts a service with one user. */
async function serveAda(listenOptions: ListenOptions = {}) {
  const { service, server } = await harness.serve({}, listenOptions)
  return { service, ada: service.users.create({ ...params, username: 'ada' }), url: server.url }
}

/** Creates a client in a page or frame that keeps its token in `localStorage`, and records session changes. */
function openClient(page: Page | Frame, baseUrl: string): Promise<void> {
  return page.evaluate(async (baseUrl) => {
    const { Client, storage } = window.rapport
    window.changes = []
    window.client = new Client({ baseUrl, tokenStore: storage.webStorageTokenStore(() => localStorage) })
    window.client.session.onChange(({ type }) => window.changes.push(type))
    window.client.on('warning', ({ code }) => window.changes.push(code))
    await window.client.ready
  }, baseUrl)
}

const signIn = (page: Page | Frame) =>
  page.evaluate(async (params) => (await window.client.auth.login(params)).status, params)

/** Adds an iframe to a page and returns it once its script has run. */
async function addFrame(page: Page, url: string, attributes: Record<string, string>): Promise<Frame> {
  const element = await page.evaluateHandle(
    async ({ url, attributes }) => {
      const frame = document.createElement('iframe')
      for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
      frame.src = url
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      return frame
    },
    { url, attributes },
  )
  const frame = await element.asElement()?.contentFrame()
  if (!frame) throw new Error('the iframe has no document')
  await waitOn(frame, () => window.rapport !== undefined)
  return frame
}

test('a page that returns from the back/forward cache is signed out if another page signed out meanwhile', async () => {
  const { service, url } = await serveAda()
  // Playwright turns the cache off by default.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  const browser = await chromium.launch({ ...launchOptions(), ignoreDefaultArgs })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(`${harness.pages.origin}/page`)
  await openClient(page, url)
  await signIn(page)

  await page.goto(`${harness.pages.origin}/page?next`)
  await openClient(page, url)
  expect(await page.evaluate(() => window.client.session.status)).toBe('signedIn')
  await page.evaluate(() => window.client.auth.logout())
  await page.evaluate(() => void setTimeout(() => history.back()))

  await vi.waitFor(async () => expect(await page.evaluate(() => location.search)).toBe(''))
  // The page is the same one: its client remembers its sign-in.
  await waitOn(page, () => window.client.session.status === 'signedOut')
  expect(await page.evaluate(() => window.changes)).toEqual(['loaded', 'signedIn', 'signedOut'])
  expect(service.journal.find('Logout')).toHaveLength(1)
})

describe('a storage that cannot be used', () => {
  it('lets a login succeed with a warning if it is full', async () => {
    const { url } = await serveAda()
    const page = await harness.open('page')
    await openClient(page, url)
    await page.evaluate(() => {
      for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (let index = 0; ; index++) localStorage.setItem(`${size} ${index}`, 'x'.repeat(size))
        } catch {}
      }
    })
    expect(await signIn(page)).toBe('complete')
    expect(await page.evaluate(() => window.changes)).toEqual(['loaded', 'signedIn', 'storage_full'])
    expect(await page.evaluate(async () => (await window.client.auth.sessions.list()).user_sessions.length)).toBe(1)
    expect(await page.evaluate(() => localStorage.getItem('rapport.token'))).toBeNull()
  })

  it('keeps the token of a frame in memory if it is blocked, with a warning', async () => {
    // The origin of a sandboxed frame is `null`.
    const { url } = await serveAda({ cors: ['null'] })
    const page = await harness.open('page')
    const frame = await addFrame(page, `${harness.pages.origin}/page`, { sandbox: 'allow-scripts' })
    expect(
      await frame.evaluate(() =>
        Promise.resolve()
          .then(() => localStorage.length, String)
          .catch(String),
      ),
    ).toMatch('SecurityError')
    await openClient(frame, url)
    expect(await signIn(frame)).toBe('complete')
    expect(await frame.evaluate(() => window.client.session.isAuthenticated)).toBe(true)
    expect(await frame.evaluate(() => window.changes)).toEqual(
      expect.arrayContaining(['loaded', 'storage_blocked', 'signedIn']),
    )
  })
})

it('logout() reaches the service although the page is left at once', async () => {
  const { service, url } = await serveAda()
  const page = await harness.open('page')
  await openClient(page, url)
  await signIn(page)
  await page.evaluate(() => {
    void window.client.auth.logout()
    location.href = 'about:blank'
  })
  await vi.waitFor(() => expect(service.journal.find('Logout')).toHaveLength(1))
})

it.each([
  ['without permission are unsupported', {}, 'unsupported'],
  ['with permission are supported', { allow: 'publickey-credentials-get' }, 'supported'],
])('passkeys in an iframe of another origin %s', async (_, attributes, expected) => {
  const { url } = await serveAda()
  const others = await servePages()
  onTestFinished(() => others.close())
  const page = await harness.open('page')
  const frame = await addFrame(page, `${others.origin}/page`, attributes)
  await openClient(frame, url)
  const result = await frame.evaluate(async () => {
    const { webauthn } = await window.rapport.webauthn.passkeySupport()
    if (webauthn) return 'supported'
    const call = window.client.auth.loginWithPasskey()
    return call.then(
      () => '',
      (error) => (window.rapport.isWebAuthnError(error) ? error.reason : String(error)),
    )
  })
  expect(result).toBe(expected)
})
