import type { Page } from 'playwright-core'
import { expect, inject, it, onTestFinished, test } from 'vitest'
import { axeViolations } from './axe'
import { servePages } from './harness/page-server'
import { openPlayground } from './playground-harness'
import { journalRows } from './playground-states'

const open = openPlayground()

const NOTICE = 'The browser’s storage is blocked or full'

/** Opens a second tab with the button of the playground. */
async function openSecondTab(page: Page): Promise<Page> {
  const [other] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open a second tab' }).click(),
  ])
  await other.getByRole('button', { name: 'Forget everything' }).waitFor()
  return other
}

const worldId = (page: Page) => page.evaluate(() => window.rapportWorld?.id)

it('a page whose storage is blocked says so, works from memory, and each of its buttons does something', async () => {
  const { page, violations } = await open()
  const pages = await servePages()
  onTestFinished(pages.close)
  await page.goto(`${pages.origin}/page`)
  // The origin of a sandboxed frame is opaque: reading `sessionStorage` throws, as if the user had blocked it.
  await page.evaluate(
    (src) => {
      const frame = Object.assign(document.createElement('iframe'), { src, width: 1400, height: 800 })
      frame.setAttribute('sandbox', 'allow-scripts allow-forms')
      document.body.append(frame)
    },
    `${inject('playgroundUrl')}#sign-in/token-store`,
  )
  const frame = page.frameLocator('iframe')
  await frame.getByText(NOTICE).waitFor()
  await frame.getByRole('button', { name: 'Sign in', exact: true }).click()
  await frame.getByRole('button', { name: /from the authenticator app/ }).click()
  await frame.getByRole('button', { name: 'Verify' }).click()
  await frame.getByRole('dialog').waitFor({ state: 'detached' })
  await frame.getByRole('button', { name: 'Sign out' }).waitFor()

  await frame.getByLabel('Local storage').check()
  await frame.getByRole('status').getByText('The storage is not available (SecurityError)').waitFor()
  await frame.getByRole('button', { name: 'Sign out' }).waitFor()
  // The sandbox forbids pop-ups.
  await frame.getByRole('button', { name: 'Open a second tab' }).click()
  await frame.getByRole('status').getByText('The browser blocked the second tab.').waitFor()
  await frame.getByRole('button', { name: 'Forget everything' }).click()
  await frame.getByText('Signed out', { exact: true }).waitFor()
  await frame.getByText(NOTICE).waitFor()
  expect((await violations()).filter((line) => line.startsWith('exception'))).toEqual([])
  // It has left the playground, whose storage stays with the page.
  await page.close()
})

it('a page whose storage is full says so and works from memory, and its journal has the warning of the client', async () => {
  const { page, violations } = await open('sign-in/token-store')
  expect(await page.getByText(NOTICE).isVisible()).toBe(false)
  await page.evaluate(() => {
    sessionStorage.clear()
    for (const storage of [sessionStorage, localStorage])
      for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (let index = 0; ; index++) storage.setItem(`${size} ${index}`, 'x'.repeat(size))
        } catch {}
      }
  })
  await page.reload()
  await page.getByText(NOTICE).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Local storage').check()
  await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('status').getByText('The storage is full: the token is kept in memory').waitFor()
  await journalRows(page, 'storage_full').waitFor()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByText('This page', { exact: true }).waitFor()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  expect(await violations()).toEqual([])
})

test('“Forget everything” in a second tab gives it a separate service, even after a reload', async () => {
  const { page } = await open('sign-in/token-store')
  const other = await openSecondTab(page)
  const first = await worldId(page)
  expect(await worldId(other)).toBe(first)
  await other.getByRole('button', { name: 'Forget everything' }).click()
  await other.getByRole('heading', { name: 'Ten calls, one prompt' }).waitFor()
  const second = await worldId(other)
  expect(second).not.toBe(first)
  await other.reload()
  expect(await worldId(other)).toBe(second)
  expect(await worldId(page)).toBe(first)
})

test('a second tab says that it goes on with a copy when the first one leaves, and joins it again by a reload', async () => {
  const { page } = await open('sign-in/token-store')
  const other = await openSecondTab(page)
  const notice = other.getByText('this tab goes on with a copy of the service')
  expect(await notice.count()).toBe(0)
  const address = page.url()
  await page.goto('about:blank')
  await notice.waitFor()
  await page.goto(address)
  await page.getByRole('button', { name: 'Open a second tab' }).waitFor()
  await other.reload()
  await other.getByRole('button', { name: 'Open a second tab' }).waitFor()
  expect(await notice.count()).toBe(0)
  await page.close()
  await notice.waitFor()
})
