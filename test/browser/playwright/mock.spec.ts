import { test as base, expect, type Page } from '@playwright/test'
import { mockFixtures } from 'rapport-sdk/mocks/playwright'
import type {} from '../pages/page'

// Nothing listens there.
const baseUrl = 'http://localhost:4817/api/v9'
const gatewayUrl = 'ws://localhost:4817/api/v9/gateway'
const password = 'correct horse battery'
const test = base.extend(
  mockFixtures({
    baseUrl,
    prepare: ({ users }) => users.create({ login: 'ada@example.com', username: 'ada', password }),
  }),
)

/** Starts the app, a client that keeps its token in `localStorage`. */
async function openApp(page: Page): Promise<void> {
  await page.goto('/page')
  await page.waitForFunction(() => 'rapport' in window)
  await page.evaluate(
    ({ baseUrl, gatewayUrl }) => {
      const { Client, storage } = window.rapport
      const tokenStore = storage.webStorageTokenStore(() => localStorage)
      const client = new Client({ baseUrl, tokenStore, retry: 0, gateway: { url: gatewayUrl } })
      Object.assign(window, { client, events: [] })
      client.gateway.on('relationshipAdd', ({ id }) => window.events.push(id))
      client.gateway.on('stateChange', ({ closeCode }) => window.events.push(String(closeCode)))
    },
    { baseUrl, gatewayUrl },
  )
}

declare global {
  interface Window {
    client: InstanceType<Window['rapport']['Client']>
    events: string[]
  }
}

const listFriends = (page: Page) => page.evaluate(async () => (await window.client.relationships.list()).length)

for (const attempt of [1, 2, 3, 4]) {
  test(`a test has a service of its own (${attempt} of 4)`, async ({ page, service, signInAs }) => {
    expect(service.users.all().map(({ username }) => username)).toEqual(['ada'])
    const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
    for (const name of ['joan', 'rosa', 'anna', 'mary'].slice(0, attempt))
      service.relationships.befriend(grace, service.users.create({ login: `${name}@example.com`, username: name }))
    await signInAs(page, grace)
    await openApp(page)
    expect(await listFriends(page)).toBe(attempt)
    expect(service.journal.requests.map(({ endpoint }) => endpoint)).toEqual(['Get Relationships'])
  })
}

test('a user signs in on the page with a password', async ({ page }) => {
  await openApp(page)
  await page.evaluate((password) => window.client.auth.login({ login: 'ada@example.com', password }), password)
  expect(await listFriends(page)).toBe(0)
})

test('a sign-out lasts after signInAs, also when the page is loaded again', async ({ page, service, signInAs }) => {
  const [ada] = service.users.all()
  await openApp(page)
  await signInAs(page, ada?.id ?? '')
  await openApp(page)
  expect(await page.evaluate(() => window.client.session.user?.id ?? null)).toBe(ada?.id)
  await page.evaluate(() => window.client.auth.logout())
  await openApp(page)
  expect(await page.evaluate(() => window.client.session.status)).toBe('signedOut')
})

base.extend(
  mockFixtures({
    baseUrl,
    service: { seed: 7 },
    signIn: (page, session) => page.addInitScript((session) => Object.assign(window, { session }), session),
  }),
)('an app that keeps its token elsewhere signs in by the option signIn', async ({ page, service, signInAs }) => {
  const grace = service.users.create({ login: 'grace@example.com' })
  const token = await signInAs(page, grace)
  await page.goto('/page')
  expect(await page.evaluate(() => Reflect.get(window, 'session'))).toEqual({ token, userId: grace.id })
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

test('the gateway of the page is that of the service', async ({ page, service, signInAs }) => {
  const [ada] = service.users.all()
  const grace = service.users.create({ login: 'grace@example.com' })
  await signInAs(page, ada?.id ?? '')
  await openApp(page)
  await page.evaluate(() => window.client.gateway.connect())
  service.relationships.request(grace, ada?.id ?? '')
  await page.waitForFunction((id) => window.events.includes(id), grace.id)
  service.gateway.drop(1006)
  await page.waitForFunction(() => window.events.includes('1006'))
  await page.evaluate(() => window.client.dispose())
})

test('faults reach the page, also those that lose the response', async ({ page, service, signInAs }) => {
  const [ada] = service.users.all()
  const grace = service.users.create({ login: 'grace@example.com' })
  await signInAs(page, ada?.id ?? '')
  await openApp(page)
  const outcome = (id: string) =>
    page.evaluate(
      (id) =>
        window.client.relationships.create(id).then(
          () => 'done',
          (error) => error.name,
        ),
      id,
    )
  service.faults.on('Create Relationship', { status: 503, times: 1 })
  expect(await outcome(grace.id)).toBe('ServerError')
  expect(service.relationships.between(ada?.id ?? '', grace)).toBe(0)
  service.faults.on('Create Relationship', { loseResponse: 'reset', times: 1 })
  expect(await outcome(grace.id)).toBe('ConnectionError')
  expect(service.relationships.between(ada?.id ?? '', grace)).toBe(4)
  expect(service.journal.find('Create Relationship').map(({ status }) => status)).toEqual([503, null])
})

test('a virtual passkey signs in, until it is not present', async ({ page, service, addPasskey }) => {
  const [ada] = service.users.all()
  await openApp(page)
  const passkey = await addPasskey(page, ada?.id ?? '')
  await page.evaluate(() => window.client.auth.loginWithPasskey())
  expect(await page.evaluate(() => window.client.session.user?.id)).toBe(ada?.id)
  await passkey.setPresent(false)
  const settled = page.evaluate(() =>
    window.client.auth.loginWithPasskey({ signal: AbortSignal.timeout(500) }).catch(({ name }) => name),
  )
  // It waits for a person until it is aborted.
  expect(await settled).toBe('TimeoutError')
})

test('the clock moves the timers of the page and the service', async ({ page, service, installClock }) => {
  const advance = await installClock(page)
  await openApp(page)
  const start = service.clock.now()
  const pageStart = await page.evaluate(() => {
    setTimeout(() => window.events.push('five minutes'), 300_000)
    return Date.now()
  })
  expect(Math.abs(pageStart - start)).toBeLessThan(60_000)
  await advance('6m')
  await page.waitForFunction(() => window.events.includes('five minutes'))
  expect(service.clock.now() - start).toBeGreaterThanOrEqual(360_000)
  expect((await page.evaluate(() => Date.now())) - pageStart).toBeGreaterThanOrEqual(360_000)
})

test('fails on purpose', async ({ page, service }) => {
  await openApp(page)
  await page.evaluate((password) => window.client.auth.login({ login: 'ada@example.com', password }), password)
  await page.evaluate((password) => window.client.auth.login({ login: 'bob', password }).catch(() => {}), password)
  expect(service.baseUrl).toBe('another')
})
