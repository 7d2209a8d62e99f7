import type { FrameLocator, Locator, Page } from 'playwright-core'

const MAX_TABS = 30

/** Moves the focus to an element with Tab, and presses Enter. Fails if the keyboard cannot reach the element. */
export async function pressEnter(target: Locator, tab: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  const page = target.page()
  const hasFocus = () => target.evaluate((element) => element.matches(':focus'))
  for (let step = 0; step < MAX_TABS; step++) {
    if (await hasFocus()) return page.keyboard.press('Enter')
    await page.keyboard.press(tab)
  }
  throw new Error(`${target} did not get the focus after ${MAX_TABS} presses of Tab`)
}

/** Answers the open prompt with a click on the code of a method, and waits until the dialog is closed. */
export async function confirm(page: Page | FrameLocator, method: RegExp = /from the authenticator app/): Promise<void> {
  await page.getByRole('button', { name: method }).click()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Signs in as Ada with the simulated passkey, on a page that needs her. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in as Ada' }).filter({ visible: true }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Makes the ten calls of the start page, and answers their prompt. */
export async function makeTenCalls(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make ten calls' }).click()
  await confirm(page)
  await page.getByText('One prompt.').waitFor()
}

/** Returns the rows of the journal whose text matches. */
export const journalRows = (page: Page, text?: string | RegExp): Locator =>
  page.locator('.rows-log > li').filter(text === undefined ? {} : { hasText: text })
