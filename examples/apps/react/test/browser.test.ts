import { chromium, type Page } from 'playwright-core'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { build, preview } from 'vite'
import { expect, onTestFinished, test } from 'vitest'

// The built app in Chromium, with the mock service on loopback.

const { CHROMIUM = '/usr/bin/chromium' } = process.env
const password = 'correct horse'

/** Starts the service, builds the app for it, and opens it. */
async function open() {
  const service = createMockService({ baseUrl: 'http://localhost' })
  const { url, gatewayUrl } = await listen(service)
  onTestFinished(() => service.close())
  Object.assign(process.env, { VITE_SERVICE_URL: url, VITE_GATEWAY_URL: gatewayUrl })
  await build({ logLevel: 'error' })
  const server = await preview({ preview: { port: 0, host: 'localhost' } })
  onTestFinished(() => server.close())
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  return { service, page, errors }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a user signs in with a second factor, follows friends live, stays signed in, and passes a step-up', async () => {
  const { service, page, errors } = await open()
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  service.token(ada) // Another device.
  const dialog = page.getByRole('dialog')
  const enter = async (code: string) => {
    await dialog.getByRole('textbox').fill(code)
    await dialog.getByRole('button', { name: 'Verify' }).click()
  }

  await signIn(page)
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page)
  await enter('000000')
  await dialog.getByText('2 attempts left').waitFor()
  await enter(service.users.totp(ada))

  await page.getByText('Nobody yet.').waitFor()
  service.relationships.request(grace, ada)
  await page.getByRole('button', { name: 'Accept grace' }).click()
  await page.getByRole('button', { name: 'Remove grace' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Remove grace' }).click()
  await page.getByText('Nobody yet.').waitFor()

  await page.getByText('Signed in on 2.').waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await enter(service.users.totp(ada))
  await page.getByText('Signed in on 1.').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  expect(errors).toEqual([])
})
