import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'

declare global {
  interface Window {
    /** The mock service that runs in the page. */
    service: ReturnType<Window['mock']['createMockService']>
  }
}

const harness = browserHarness()
const login = 'ada@example.com'
const password = 'correct horse battery'

/** Opens a page in which the mock service runs, with two users. */
async function openMockedPage(): Promise<Page> {
  const page = await harness.open('msw-worker')
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

describe('the msw worker with the handlers of the mock', () => {
  it('serves a login with a second factor and a step-up', async () => {
    const page = await openMockedPage()
    const result = await page.evaluate(
      async ({ login, password }) => {
        const { service } = window
        const ada = service.users.find(login)
        if (ada === undefined) throw new Error('there is no user')
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

  it('serves a passkey login and checks the structure of the credential', async () => {
    const page = await openMockedPage()
    const isAda = await page.evaluate(async (login) => {
      const { service } = window
      const ada = service.users.find(login)
      if (ada === undefined) throw new Error('there is no user')
      const webauthn = { get: async (options: object) => service.users.passkey(ada, options) }
      const client = new window.rapport.Client({ baseUrl: service.baseUrl, webauthn })
      return (await client.auth.loginWithPasskey()).user_id === ada.id
    }, login)
    expect(isAda).toBe(true)
  })

  it('serves the gateway, delivers events and resumes a lost connection', async () => {
    const page = await openMockedPage()
    const result = await page.evaluate(async (login) => {
      const { service } = window
      const [ada, grace] = [service.users.find(login), service.users.find('grace@example.com')]
      if (ada === undefined || grace === undefined) throw new Error('there is no user')
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
      const gracesClient = new window.rapport.Client({ baseUrl: service.baseUrl, token: service.token(grace) })
      await gracesClient.relationships.create(ada.id)
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

  it('simulates network errors and HTML responses', async () => {
    const page = await openMockedPage()
    const errors = await page.evaluate(async (login) => {
      const { service } = window
      const ada = service.users.find(login)
      if (ada === undefined) throw new Error('there is no user')
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
