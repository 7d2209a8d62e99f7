import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

declare global {
  interface Window {
    /** The live relationships of the page. */
    live: ReturnType<Window['rapport']['Client']['prototype']['relationships']['live']>
    /** Gateway states of the page, in order. */
    states: string[]
  }
}

const harness = browserHarness()

/** Opens a page with a connected client and live relationships. */
async function openConnectedPage(backoff: object = {}) {
  const { service, server } = await harness.serve()
  const [ada, grace] = ['ada', 'grace'].map((name) => service.users.create({ login: `${name}@example.com` }))
  if (ada === undefined || grace === undefined) throw new Error('there is no user')
  const network = await harness.profile()
  const page = await harness.open('page', network)
  await page.evaluate(
    async ({ url, backoff, ...options }) => {
      window.client = new window.rapport.Client({ ...options, gateway: { url, backoff } })
      window.states = []
      window.client.gateway.on('stateChange', ({ state }) => window.states.push(state))
      await window.client.gateway.connect()
      window.live = window.client.relationships.live()
      await window.live.ready
      window.states = []
    },
    { baseUrl: server.url, url: server.gatewayUrl, token: service.token(ada), backoff },
  )
  const isListed = (page: Page) => waitOn(page, (id) => window.live.get(id)?.type === 1, grace.id)
  return { service, ada, grace, network, page, isListed }
}

/** Takes a page off the network and waits until it reports that. */
async function goOffline(network: BrowserContext, page: Page): Promise<void> {
  await network.setOffline(true)
  await waitOn(page, () => !navigator.onLine)
}

describe('a page that was offline', () => {
  it('resumes when it is online again, and its live store catches up', async () => {
    const { service, ada, grace, network, page, isListed } = await openConnectedPage()
    await goOffline(network, page)
    service.gateway.drop()
    service.relationships.befriend(ada, grace)
    expect(await page.evaluate(() => window.live.all())).toEqual([])

    await network.setOffline(false)
    await isListed(page)
    await waitOn(page, () => !window.live.stale)
    const states = await page.evaluate(() => window.states)
    expect(states.slice(-2)).toEqual(['resuming', 'ready'])
    expect(states).not.toContain('identifying')
    expect(service.journal.find('Get Relationships')).toHaveLength(1)
  })

  it('reloads its live store if the gateway session ended meanwhile', async () => {
    const { service, ada, grace, network, page, isListed } = await openConnectedPage()
    await goOffline(network, page)
    service.gateway.invalidSession(false)
    service.relationships.befriend(ada, grace)

    await network.setOffline(false)
    await isListed(page)
    await waitOn(page, () => !window.live.stale)
    expect(await page.evaluate(() => window.states.at(-1))).toBe('ready')
    expect(service.journal.find('Get Relationships')).toHaveLength(2)
  })

  it('reconnects without waiting for the backoff', async () => {
    const hour = 3_600_000
    const backoff = { initialDelay: hour, baseDelay: hour, maxDelay: hour }
    const { service, ada, grace, network, page, isListed } = await openConnectedPage(backoff)
    service.gateway.drop()
    await waitOn(page, () => window.client.gateway.state === 'reconnecting')
    service.relationships.befriend(ada, grace)
    await goOffline(network, page)

    await network.setOffline(false)
    await isListed(page)
    expect(await page.evaluate(() => window.client.gateway.state)).toBe('ready')
  })

  it('fails calls with a ConnectionError until it is online again', async () => {
    const { network, page } = await openConnectedPage()
    const list = () =>
      page.evaluate(() =>
        window.client.relationships.list({ retry: 0 }).then(
          (items) => items.length,
          (error: unknown) => window.rapport.isConnectionError(error) && error.name,
        ),
      )
    await goOffline(network, page)
    expect(await list()).toBe('ConnectionError')
    await network.setOffline(false)
    await waitOn(page, () => navigator.onLine)
    expect(await list()).toBe(0)
  })
})
