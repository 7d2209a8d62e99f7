import type { Page } from 'playwright-core'
import { mouse, openTab, signIn } from './playground-page'

/** The main states of the playground, and how to get there from the start. */
export const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  signin: async () => {},

  async friends(page) {
    await signIn(page)
    await page.locator('[data-person=grace]').getByRole('button', { name: 'Ask Ada' }).click()
    await page.getByRole('button', { name: 'Accept grace' }).waitFor()
  },

  async 'step-up'(page) {
    await signIn(page)
    await openTab(page, 'Account', mouse)
    await page.getByRole('button', { name: 'Refuse the next code' }).click()
    await page.getByRole('button', { name: 'Let five minutes pass' }).click()
    await page.getByRole('button', { name: 'End the other sessions' }).click()
    await page.getByLabel('Code', { exact: true }).fill('123456')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Attempt 2 of 3').waitFor()
    await page.waitForFunction(
      () => new Set([...document.querySelectorAll('[data-code=totp]')].map((code) => code.textContent)).size === 1,
    )
  },

  async components(page) {
    await openTab(page, 'Components', mouse)
    await page.getByLabel('Start with').selectOption('A poll with mistakes')
    await page.locator('.issue').first().click()
  },
}
