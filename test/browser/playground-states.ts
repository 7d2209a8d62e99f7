import type { Page } from 'playwright-core'
import { mouse, openTab, signIn } from './playground-input'

/** Main states of the playground, and functions that reach them from the start. */
export const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  signin: async () => {},

  async friends(page) {
    await signIn(page)
    await page.locator('[data-person=grace]').getByRole('button', { name: 'Send request to Ada' }).click()
    await page.getByRole('button', { name: 'Accept grace' }).waitFor()
  },

  async 'step-up'(page) {
    await signIn(page)
    await openTab(page, 'Account', mouse)
    await page.getByRole('button', { name: 'Reject the next code' }).click()
    await page.getByRole('button', { name: 'Advance the clock by 5 minutes' }).click()
    await page.getByRole('button', { name: 'End other sessions' }).click()
    await page.getByLabel('Code', { exact: true }).fill('123456')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Attempt 2 of 3').waitFor()
    await page.waitForFunction(
      () => new Set([...document.querySelectorAll('[data-code=totp]')].map((code) => code.textContent)).size === 1,
    )
  },

  async components(page) {
    await openTab(page, 'Components', mouse)
    await page.getByLabel('Sample').selectOption('A poll with errors')
    await page.locator('.issue').first().click()
  },
}
