import type { Locator, Page } from 'playwright-core'
import type { MfaDialogOptions } from 'rapport-sdk/dialog'
import type { CreateUserOptions, MockService, MockUser } from 'rapport-sdk/mocks'
import { deferred } from '../deferred'
import type { BrowserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

export const login = 'ada@example.com'
export const password = 'correct horse battery'

/** A page with a client whose handler is the dialog, and a button that makes a sensitive call. */
export interface DialogPage {
  readonly page: Page
  readonly service: MockService
  /** Base URL of the service. */
  readonly url: string
  readonly ada: MockUser
  /** The dialog. */
  readonly dialog: Locator
  readonly submit: Locator
  readonly error: Locator
  /** The status that screen readers announce. */
  readonly status: Locator
  /** Starts a sensitive call with the button, and waits for the dialog. */
  stepUp(): Promise<void>
  /** Starts a call of the client on the page, and waits for the dialog. */
  start(kind: 'login' | 'reset' | 'stepUp', resetToken?: string): Promise<void>
  /** Waits for the dialog. */
  opened(): Promise<unknown>
  /** Moves the clock of the page, but not its timers. */
  skip(ms: number): Promise<void>
  /** Holds every answer to Verify MFA until the function that it returns is called. */
  holdVerification(): Promise<() => void>
  /** Waits until `count` calls have settled, and returns their outcomes: `done`, or the name of the error. */
  outcomes(count?: number): Promise<string[]>
}

/** Options of {@link openDialogPage}. */
export interface DialogPageOptions {
  readonly user?: Partial<CreateUserOptions>
  readonly resendAfterMs?: number
  /** Whether the client has a token of the account. Default: true. */
  readonly signedIn?: boolean
  /** Name of the page. */
  readonly name?: 'page' | 'languages' | 'modals'
  /** Functions of the page that are options of the dialog are in {@link Window.dialogOptions}; these can be serialized. */
  readonly dialog?: Pick<MfaDialogOptions, 'autoSubmit' | 'codeLength'>
}

declare global {
  interface Window {
    /** Outcomes of the calls. */
    outcomes: string[]
    /** Options of the dialog, which are read when it opens. */
    dialogOptions: MfaDialogOptions
    /** Starts a call. */
    startCall(kind: 'login' | 'reset' | 'stepUp', resetToken?: string): void
  }
}

/** Returns whether the dialog is open or closed, also in open shadow roots. Runs on the page. */
function reached(isOpen: boolean): boolean {
  const find = (root: Document | ShadowRoot): Element | undefined =>
    root.querySelector('rapport-mfa-dialog') ??
    [...root.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot && find(shadowRoot)).find(Boolean) ??
    undefined
  const element = find(document)
  return isOpen ? Boolean(element?.shadowRoot?.querySelector('[part=dialog]')?.checkVisibility()) : !element
}

/** Opens a page with a client of a new mock service and an account `ada`. */
export async function openDialogPage(
  harness: Pick<BrowserHarness, 'open' | 'serve'>,
  { user, resendAfterMs, signedIn = true, name = 'page', dialog: more }: DialogPageOptions = {},
): Promise<DialogPage> {
  const { service, server } = await harness.serve({ policy: { requireMfa: (name) => name === 'Logout Auth Sessions' } })
  const ada = service.users.create({ login, password, username: 'ada', ...user })
  const page = await harness.open(name)
  await page.evaluate(
    ({ baseUrl, token, resendAfterMs, login, password, more }) => {
      const { Client, dialog } = window.rapport
      window.dialogOptions = { resendAfterMs, ...more }
      const onMfaRequired = dialog.mfaDialog(window.dialogOptions)
      const client = new Client({ baseUrl, token, onMfaRequired })
      const calls = {
        login: () => client.auth.login({ login, password }),
        reset: (token = '') => client.auth.resetPassword({ token, password }),
        stepUp: () => client.auth.sessions.logout({ session_id_hashes: ['none'] }),
      }
      window.outcomes = []
      window.startCall = (kind, resetToken) => {
        const record = (outcome: string) => window.outcomes.push(outcome)
        calls[kind](resetToken).then(
          () => record('done'),
          (error: Error) => record(error.name),
        )
      }
      const button = document.createElement('button')
      button.textContent = 'Sign out everywhere'
      button.onclick = () => window.startCall('stepUp')
      document.body.append(button)
    },
    { baseUrl: server.url, token: signedIn ? service.token(ada) : undefined, resendAfterMs, login, password, more },
  )
  const opened = () => waitOn(page, reached, true)
  return {
    page,
    service,
    url: server.url,
    ada,
    dialog: page.getByRole('dialog'),
    opened,
    submit: page.locator('[part~=submit]'),
    error: page.getByRole('alert'),
    status: page.getByRole('status'),
    async stepUp() {
      // Without the time that Playwright takes to move the mouse there.
      await page.evaluate(() => {
        const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Sign out everywhere')
        button?.focus()
        button?.click()
      })
      await opened()
    },
    async start(kind, resetToken) {
      await page.evaluate(([kind, resetToken]) => window.startCall(kind, resetToken), [kind, resetToken] as const)
      await opened()
    },
    skip: (ms) =>
      page.evaluate((ms) => {
        const now = performance.now.bind(performance)
        performance.now = () => now() + ms
      }, ms),
    async holdVerification() {
      const { promise: released, resolve: release } = deferred<void>()
      await page.route('**/mfa/finish', async (route) => {
        await released
        await route.continue()
      })
      return release
    },
    outcomes: (count = 1) =>
      waitOn(page, (count) => (window.outcomes.length >= count ? window.outcomes : undefined), count),
  }
}

/** Waits until the dialog is closed, and returns the text of the focused element. */
export async function closed({ page }: DialogPage): Promise<string> {
  await waitOn(page, reached, false)
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}
