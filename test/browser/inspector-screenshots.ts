// Draws docs/images/inspector-*.png: `npx tsx test/browser/inspector-screenshots.ts`. With `--check`, fails if the inspector
// has changed since: it compares hashes of the page, because pixels differ between machines.
import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { launch } from './harness/chromium'

const viewport = { width: 1440, height: 1000 }
const pathOf = (name: string) => fileURLToPath(new URL(`../../docs/images/${name}`, import.meta.url))

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

/** Returns the hash of the page as it is served, without its nonce, which differs each time. */
async function hashOfPage(url: string): Promise<string> {
  const html = await (await fetch(url)).text()
  return createHash('sha256')
    .update(html.replace(/nonce="[^"]*"/g, ''))
    .digest('hex')
}

async function draw(url: string): Promise<void> {
  process.env.CHROMIUM ||= '/usr/bin/chromium'
  const browser = await launch()
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPicture(browser, url, { colorScheme, viewport })
    const path = pathOf(`inspector-${colorScheme}-1440.png`)
    await page.screenshot({ path })
    await page.close()
    console.log(`${path}: ${Math.ceil(statSync(path).size / 1000)} kB`)
  }
  await browser.close()
}

const { url, close } = await startPicture()
const hash = `${await hashOfPage(url)}\n`
const file = pathOf('inspector.sha256')
if (!process.argv.includes('--check')) {
  await draw(url)
  writeFileSync(file, hash)
} else if (readFileSync(file, 'utf8') !== hash) {
  console.error(
    'The inspector has changed since its pictures were drawn: run npx tsx test/browser/inspector-screenshots.ts',
  )
  process.exitCode = 1
}
await close()
