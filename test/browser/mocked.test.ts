import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserWorld } from './harness/browser-world'

declare global {
  interface Window {
    /** The service that the page has within. */
    service: ReturnType<Window['mock']['createMockService']>
  }
}

const world = browserWorld()
const login = 'ada@example.com'
const password = 'correct horse battery'

/** A page whose service is within it, with two people. What it lacks of the network is not there. */
async function mockedPage(): Promise<Page> {
  const page = await world.open('mocked')
  await page.evaluate(
    async ({ login, password }) => {
      const { createMockService, setupWorker, browserHandlers } = window.mock
      window.service = createMockService({ baseUrl: 'https://service.example/api' })
      window.service.users.create({ login, password, username: 'ada', mfa: ['totp', 'webauthn'] })
      window.service.users.create({ login: 'grace@example.com', username: 'grace' })
      await setupWorker(...browserHandlers(window.service)).start({ quiet: true, onUnhandledRequest: 'bypass' })
    },
    { login, password },
  )
  return page
}

describe("msw's worker with the mock's handlers", () => {
  it('answers a client of the page: login with a second factor, and step-up', async () => {
    const page = await mockedPage()
    const result = await page.evaluate(
      async ({ login, password }) => {
        const { service } = window
        const ada = service.users.find(login)
        if (ada === undefined) throw new Error('there is nobody')
        const reasons: string[] = []
        const client = new window.rapport.Client({
          baseUrl: service.baseUrl,
          onMfaRequired({ reason }) {
            reasons.push(reason)
            return { type: 'totp', code: service.users.totp(ada) }
          },
        })
        const { user_id } = await client.auth.login({ login, password })
        const { user_sessions } = await client.auth.sessions.list()
        await client.auth.sessions.logout({ session_id_hashes: ['none'] })
        return { isAda: user_id === ada.id, sessions: user_sessions.length, reasons }
      },
      { login, password },
    )
    expect(result).toEqual({ isAda: true, sessions: 1, reasons: ['login', 'elevation'] })
  })

  it('answers a passkey login, by the structure of what the device says', async () => {
    const page = await mockedPage()
    const isAda = await page.evaluate(async (login) => {
      const { service } = window
      const ada = service.users.find(login)
      if (ada === undefined) throw new Error('there is nobody')
      const webauthn = { get: async (options: object) => service.users.passkey(ada, options) }
      const client = new window.rapport.Client({ baseUrl: service.baseUrl, webauthn })
      return (await client.auth.loginWithPasskey()).user_id === ada.id
    }, login)
    expect(isAda).toBe(true)
  })

  it('is a gateway too: events come, and a lost connection is resumed', async () => {
    const page = await mockedPage()
    const result = await page.evaluate(async (login) => {
      const { service } = window
      const [ada, grace] = [service.users.find(login), service.users.find('grace@example.com')]
      if (ada === undefined || grace === undefined) throw new Error('there is nobody')
      const token = service.token(ada)
      const client = new window.rapport.Client({
        baseUrl: service.baseUrl,
        token,
        gateway: { url: service.gateway.url },
      })
      const states: string[] = []
      client.gateway.on('stateChange', ({ state }) => states.push(state))
      const list = client.relationships.live()
      const changed = () => new Promise<void>((resolve) => list.on('change', () => resolve()))
      await client.gateway.connect()
      await list.ready

      const added = changed()
      const hers = new window.rapport.Client({ baseUrl: service.baseUrl, token: service.token(grace) })
      await hers.relationships.create(ada.id)
      await added
      const first = list.get(grace.id)?.type

      const updated = changed()
      service.gateway.drop()
      service.relationships.befriend(ada, grace)
      await updated
      const second = list.get(grace.id)?.type
      client.dispose()
      return { first, second, states: states.filter((state) => state !== 'closed') }
    }, login)
    const states = ['connecting', 'identifying', 'ready', 'reconnecting', 'connecting', 'resuming', 'ready']
    expect(result).toEqual({ first: 3, second: 1, states })
  })

  it('has faults happen as they would on the network', async () => {
    const page = await mockedPage()
    const errors = await page.evaluate(async (login) => {
      const { service } = window
      const ada = service.users.find(login)
      if (ada === undefined) throw new Error('there is nobody')
      const client = new window.rapport.Client({ baseUrl: service.baseUrl, token: service.token(ada), retry: 0 })
      const nameOf = () => client.relationships.list().then(String, (error: Error) => error.name)
      service.faults.on('Get Relationships', { network: true, times: 1 })
      const lost = await nameOf()
      service.faults.on('Get Relationships', { status: 502, html: true, times: 1 })
      return [lost, await nameOf(), (await client.relationships.list()).length]
    }, login)
    expect(errors).toEqual(['ConnectionError', 'ServerError', 0])
  })
})
