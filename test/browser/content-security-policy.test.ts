import { expect, it, vi } from 'vitest'
import { addAuthenticator } from './harness/authenticator'
import { browserWorld } from './harness/browser-world'
import type { StrictPage } from './pages/strict'

const world = browserWorld()
const login = 'ada@example.com'
const password = 'correct horse battery'

/** What a page comes to, and reports, under a policy that lets it connect to its service, or to `sources`. */
async function strictPage(sources?: string) {
  const { service, server } = await world.serve()
  const ada = service.users.create({ login, password, username: 'ada', mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
  service.relationships.befriend(ada, grace)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `connect-src ${sources ?? `${server.url} ${server.gatewayUrl}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'report-uri /reports',
  ]
  world.pages.protect(policy.join('; '))

  const page = await (await world.profile()).newPage()
  const authenticator = await addAuthenticator(page)
  service.users.addPasskey(ada, await authenticator.addPasskey(ada))
  const given: StrictPage = {
    baseUrl: server.url,
    gatewayUrl: server.gatewayUrl,
    login,
    password,
    code: service.users.totp(ada),
    friend: grace.id,
  }
  const before = world.pages.reports.length
  await page.goto(`${world.pages.origin}/strict?given=${encodeURIComponent(JSON.stringify(given))}`)
  const reports = () =>
    world.pages.reports.slice(before).map((report) => {
      const { 'effective-directive': directive, 'blocked-uri': uri } = JSON.parse(report)['csp-report']
      return `${directive} ${uri}`
    })
  await vi.waitFor(() => expect(reports()).toContain(LAST), { timeout: 20_000 })
  await vi.waitFor(async () => expect(await page.title()).not.toBe('strict'))
  return { outcome: await page.title(), reports: reports(), server }
}

/** What the page does on purpose once it is done. */
const LAST = 'connect-src https://last.example/'

it('a strict Content-Security-Policy, with Trusted Types, is violated by nothing', async () => {
  const { outcome, reports } = await strictPage()
  expect(outcome).toBe('login, step-up, gateway, components, support, passkey')
  expect(reports).toEqual([LAST])
})

it('a policy that forbids the service is violated by the call, which is a connection error', async () => {
  const { outcome, reports, server } = await strictPage("'none'")
  expect(outcome).toContain('ConnectionError')
  expect(reports).toEqual([`connect-src ${server.url}/auth/login`, LAST])
})
