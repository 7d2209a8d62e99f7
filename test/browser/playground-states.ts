// States of the playground, and the steps of tests and pictures that lead to them.
import type { Locator, Page } from 'playwright-core'
import { waitOn } from './harness/wait-on'

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

/**
 * Presses a button by its label, once there is one, for steps on the way to what is tested: a click of Playwright takes five
 * times as long. `button` is a pattern.
 */
const press = (page: Page, button: string): Promise<unknown> =>
  waitOn(
    page,
    (button) => {
      const dialog = document.querySelector('rapport-mfa-dialog')
      const found = [
        ...document.querySelectorAll('button'),
        ...(dialog?.shadowRoot?.querySelectorAll('button') ?? []),
      ].find((one) => one.checkVisibility() && !one.disabled && (one.ariaLabel ?? one.textContent)?.match(button))
      found?.click()
      return found !== undefined
    },
    button,
  )

/** Answers the open prompt with the code of a method, and waits until the dialog is closed. */
export async function confirm(page: Page, method = 'from the authenticator app'): Promise<void> {
  await press(page, method)
  await press(page, '^Verify$')
  await waitOn(page, () => !document.querySelector('rapport-mfa-dialog'))
}

/** Signs in as Ada with the simulated passkey, on a page that needs her. */
export async function signIn(page: Page): Promise<void> {
  await press(page, '^Sign in as Ada$')
  await waitOn(page, () =>
    [...document.querySelectorAll('button')].some((one) => one.textContent === 'Sign out' && one.checkVisibility()),
  )
}

/** Makes the ten calls of the start page, and answers their prompt. */
export async function makeTenCalls(page: Page): Promise<void> {
  await press(page, '^Make ten calls$')
  await confirm(page)
  await waitOn(page, () => document.body.innerText.includes('One prompt.'))
}

/** Returns the rows of the journal whose text matches. */
export const journalRows = (page: Page, text?: string | RegExp): Locator =>
  page.locator('.rows-log > li').filter(text === undefined ? {} : { hasText: text })

/** A state of the playground. */
export interface State {
  /** Route that it starts from. */
  readonly route: string
  /** Reaches it from there. */
  reach(page: Page): Promise<void>
}

/** Main states of the playground. */
export const STATES: Readonly<Record<string, State>> = {
  start: { route: 'start', reach: async () => {} },

  prompt: {
    route: 'start',
    async reach(page) {
      await page.getByRole('button', { name: 'Make ten calls' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },

  journal: {
    route: 'start',
    async reach(page) {
      await makeTenCalls(page)
      await page.getByRole('button', { name: 'Open the journal' }).click()
      await journalRows(page, '/mfa/finish').locator('summary').click()
    },
  },

  'sign-in': { route: 'sign-in', reach: async () => {} },

  sessions: {
    route: 'sessions',
    async reach(page) {
      await signIn(page)
      await page.getByRole('button', { name: 'Sign in on another device' }).click()
      await page.getByText('Ada signed in on another device.').waitFor()
    },
  },

  friends: {
    route: 'friends',
    async reach(page) {
      await signIn(page)
      await page.getByRole('button', { name: 'Send a request to ada' }).click()
      await page.getByRole('button', { name: 'Accept grace' }).waitFor()
    },
  },

  widgets: {
    route: 'widgets',
    async reach(page) {
      await signIn(page)
      await page.getByRole('button', { name: 'Add a game' }).click()
      for (const tag of ['expert', 'noob']) await page.getByLabel(tag).first().check()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('at most 1 on a favorite_games widget').first().waitFor()
    },
  },

  failures: {
    route: 'failures',
    async reach(page) {
      await signIn(page)
      await page.getByRole('button', { name: 'Send a long note' }).click()
      await page.getByText('Nothing was sent. note').waitFor()
    },
  },

  calls: {
    route: 'calls/relationships.sendRequest',
    async reach(page) {
      await signIn(page)
      await page.getByRole('button', { name: 'Send', exact: true }).filter({ visible: true }).click()
      await page.getByText('The call returned nothing').waitFor()
    },
  },

  'a call with problems': {
    route: 'calls/auth.register',
    async reach(page) {
      await page.getByLabel(/^date_of_birth/).fill('soon')
      await page.getByRole('button', { name: 'Send', exact: true }).filter({ visible: true }).click()
      await page.getByText('Nothing was sent. date_of_birth').waitFor()
    },
  },

  'broken JSON': {
    route: 'components/poll?text=%7B%0A++oops',
    reach: async (page) => page.getByText('There is nothing to show.').first().waitFor(),
  },

  components: {
    route: 'components/announcement',
    reach: async (page) => page.getByText('No errors', { exact: true }).waitFor(),
  },

  errors: {
    route: 'components/errors',
    reach: async (page) => page.locator('.issue').first().click(),
  },
}
