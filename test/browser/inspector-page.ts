import type { Page } from 'playwright-core'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { type ListenOptions, listen } from 'rapport-sdk/mocks/node'
import { onTestFinished, vi } from 'vitest'
import { browserHarness } from './harness/browser-harness'

export const password = 'correct horse battery staple'

type Options = ListenOptions & {
  readonly service?: Parameters<typeof createMockService>[0]
  /** Whether the page is in a new profile, because something of the test stays with it. */
  readonly isAlone?: boolean
}

/** Returns a function that opens the inspector of a server with the account `ada`, for the tests of one file. */
export function inspectorOpener() {
  const [harness, alone] = [browserHarness({ shared: {} }), browserHarness()]
  return async ({ service: settings, isAlone = false, ...options }: Options = {}) => {
    const service = createMockService(settings)
    const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
    const server = await listen(service, options)
    onTestFinished(() => service.close())
    const origin = `http://127.0.0.1:${server.port}`
    const problems: string[] = []
    const prepare = async (page: Page) => {
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      // What the page of an earlier test reported until it was left.
      page.once('framenavigated', () => problems.splice(0))
    }
    const page = await (isAlone ? alone : harness).goTo(`${origin}/_mock/`, prepare)
    const client = new Client({ baseUrl: server.url, token: service.token(ada), gateway: { url: server.gatewayUrl } })
    onTestFinished(() => client.dispose())
    return { service, server, page, client, ada, origin, problems }
  }
}

export const live = (page: Page) => page.getByText('live', { exact: true }).waitFor()
export const list = (page: Page, name: string) =>
  page.getByRole('region', { name }).getByRole('list', { name, exact: true })
export const eventually = (assertion: () => Promise<void>) => vi.waitFor(assertion)

export function text(page: Page, name: string): Promise<string> {
  return list(page, name).innerText()
}
