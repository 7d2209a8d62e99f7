import { expect, it, vi } from 'vitest'
import { addAuthenticator } from '../../mocks/fixtures/authenticator'
import { browserHarness } from './harness/browser-harness'
import { strictPolicy } from './harness/page-server'
import type { StrictPageSettings } from './pages/strict-policy'

const harness = browserHarness()
const login = 'ada@example.com'
const password = 'correct horse battery'

/** Runs the page under a policy that allows connections to its service, or to `sources`. Returns its outcome and reports. */
async function runStrictPage(sources?: string) {
  const { service, server } = await harness.serve()
  const ada = service.users.create({ login, password, username: 'ada', mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
  service.relationships.befriend(ada, grace)
  harness.pages.setPolicy(strictPolicy(sources ?? `${server.url} ${server.gatewayUrl}`))

  const page = await (await harness.profile()).newPage()
  const authenticator = await addAuthenticator(page)
  service.users.addPasskey(ada, await authenticator.addPasskey(ada))
  const settings: StrictPageSettings = {
    baseUrl: server.url,
    gatewayUrl: server.gatewayUrl,
    login,
    password,
    code: service.users.totp(ada),
    friend: grace.id,
    hasPasskey: true,
  }
  const before = harness.pages.reports.length
  await page.goto(`${harness.pages.origin}/strict-policy?settings=${encodeURIComponent(JSON.stringify(settings))}`)
  const reports = () => harness.pages.reports.slice(before)
  await vi.waitFor(() => expect(reports()).toContain(LAST))
  await vi.waitFor(async () => expect(await page.title()).not.toBe('strict-policy'))
  return { outcome: await page.title(), reports, server }
}

/** The violation that the page causes on purpose at its end. */
const LAST = 'require-trusted-types-for trusted-types-sink'

it('the package violates no directive of a strict Content-Security-Policy with Trusted Types', async () => {
  const { outcome, reports } = await runStrictPage()
  expect(outcome).toBe('dialog, login, step-up, gateway, components, support, passkey')
  expect(reports()).toEqual([LAST])
})

it('a call to a service that the policy forbids fails with a ConnectionError', async () => {
  const { outcome, reports, server } = await runStrictPage("'none'")
  expect(outcome).toContain('ConnectionError')
  // The browser sends each report by itself.
  await vi.waitFor(() => expect(reports().sort()).toEqual([`connect-src ${server.url}/auth/login`, LAST]))
})
