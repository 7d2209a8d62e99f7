// The inspector of a service in which something has happened, as the README shows it.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type PictureSet, save } from './picture-set'

const viewport = { width: 1440, height: 1000 }

/** Starts the inspector of a service in which something has happened, at a fixed time and with fixed IDs. */
async function startPicture() {
  const service = createMockService({ seed: 1, now: '2026-11-27T09:30:00Z' })
  const password = 'correct horse battery staple'
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp', 'backup'] })
  service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const server = await listen(service)
  const client = new Client({ baseUrl: server.url, token: service.token(ada), gateway: { url: server.gatewayUrl } })
  await client.gateway.connect()
  await client.relationships.list()
  await client.auth.login({ login: 'ada@example.com', password: 'a wrong password' }).catch(() => {})
  await client.auth.forgotPassword({ login: 'ada@example.com' })
  service.faults.on('Get Auth Sessions', { status: 503, times: 2 })
  await client.auth.sessions.list({ retry: 0 }).catch(() => {})
  const close = async () => {
    client.dispose()
    await service.close()
  }
  return { url: `http://127.0.0.1:${server.port}/_mock/`, close }
}

/** Opens the details of a request and the frames of a session. */
async function openPicture(browser: Browser, url: string, appearance: Parameters<Browser['newPage']>[0]) {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...appearance })
  await page.goto(url)
  const requests = page.getByRole('region', { name: 'Requests' })
  await requests.getByRole('listitem').filter({ hasText: 'Login Account' }).locator('summary').click()
  await requests.getByText('Headers of the answer').waitFor()
  await page.getByText('Frames').first().click()
  await page.getByRole('list', { name: 'Frames of ada' }).getByText('Identify').waitFor()
  // The codes are loaded after the accounts.
  await page.locator('[data-totp]').first().filter({ hasText: /\d{6}/ }).waitFor()
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  return page
}

export const inspector: PictureSet = {
  /** Returns the page as it is served, without its nonce, which differs each time. */
  async source() {
    const { url, close } = await startPicture()
    const html = await (await fetch(url)).text()
    await close()
    return html.replace(/nonce="[^"]*"/g, '')
  },
  async draw(browser, folder) {
    const { url, close } = await startPicture()
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPicture(browser, url, { colorScheme, viewport })
      await save(page, join(folder, `inspector-${colorScheme}-1440.png`))
      await page.close()
    }
    await close()
  },
}
