import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAuthenticator } from '../../mocks/fixtures/authenticator'
import { compilerErrors } from '../compiler-errors'
import { openPlayground } from './playground-harness'
import { confirm, journalRows, makeTenCalls, pressEnter, signIn } from './playground-states'

const open = openPlayground()

const person = (page: Page, name: string) => page.locator(`[data-person=${name}]`)
const shownCode = (page: Page) => page.locator('.code-panel pre').filter({ visible: true }).first()

describe('the guided start', () => {
  it('begins with an empty journal, and ten calls need one prompt whose code a click fills in', async () => {
    const { page, violations } = await open()
    expect(await journalRows(page).count()).toBe(0)
    await page.getByText('Nothing yet.').waitFor()
    await page.getByRole('button', { name: 'Make ten calls' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Answer one prompt' })
      .and(page.locator('[aria-current]'))
      .waitFor()
    await page.getByRole('button', { name: /from the authenticator app/ }).click()
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('10 calls refused, 1 verification, 10 retried. One prompt.').waitFor()

    expect(await journalRows(page, '401 60003').count()).toBe(10)
    expect(await journalRows(page, /^204POST \/auth\/sessions\/logout/).count()).toBe(10)
    expect(await journalRows(page, /^prompt/).count()).toBe(1)
    expect(await violations()).toEqual([])
  })

  it('the journal pairs each request with its response, and shows secrets only if asked to', async () => {
    const { page } = await open()
    await makeTenCalls(page)
    const refused = journalRows(page, '401 60003').first()
    await refused.locator('summary').click()
    const titles = await refused.getByRole('heading').allTextContents()
    expect(titles).toEqual(['Request headers', 'Request body', 'Response 401, headers', 'Response body'])
    expect(await refused.textContent()).toContain('authorization: [redacted]')
    expect(await refused.textContent()).toContain('"ticket": "[redacted]"')
    expect(await refused.textContent()).toContain('"code": 60003')

    await page.locator('.rows-log summary').evaluateAll((all) => {
      for (const summary of all) if (!summary.closest('details')?.open) (summary as HTMLElement).click()
    })
    await journalRows(page, '/mfa/finish').getByRole('heading').first().waitFor()
    const secrets = await page.evaluate(() => {
      const { sessions, elevations, tickets } = window.rapportWorld?.service.snapshot().database ?? {}
      return [...(sessions ?? []), ...(elevations ?? []), ...(tickets ?? [])].map(([secret]) => secret)
    })
    const shown = async () => {
      const text = (await page.locator('.rows-log').textContent()) ?? ''
      return secrets.filter((secret) => text.includes(secret)).length
    }
    expect(secrets.length).toBeGreaterThan(1)
    expect(await shown()).toBe(0)
    await page.getByLabel('Show secrets').check()
    expect(await shown()).toBeGreaterThan(1)

    // What the app catches is in the journal, too.
    await page.getByRole('button', { name: 'Make ten more calls' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Cancelled. Nothing was changed.').waitFor()
    await journalRows(page, 'MfaCancelledError').locator('summary').click()
    await journalRows(page, 'What the app catches').getByText('"name": "MfaCancelledError"').waitFor()

    await page.getByLabel('Show', { exact: true }).selectOption('Gateway')
    expect(await journalRows(page).filter({ visible: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await journalRows(page).count()).toBe(0)
  })
})

describe('signing in', () => {
  it('works with the keyboard at 390 pixels, which also opens and closes the drawer of the journal', async () => {
    const { page, violations } = await open('sign-in', { width: 390 })
    await pressEnter(page.getByRole('button', { name: 'Sign in', exact: true }))
    await pressEnter(page.getByRole('button', { name: /from the authenticator app/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()

    const toggle = page.getByRole('button', { name: /^Journal/ })
    expect(await toggle.textContent()).toBe('Journal2')
    expect(await page.getByRole('complementary').isVisible()).toBe(false)
    await pressEnter(toggle, 'Shift+Tab')
    await page.getByRole('complementary').waitFor()
    await pressEnter(page.locator('.rows-log summary').first())
    await page.getByText('Request headers').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'hidden' })
    expect(await toggle.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await violations()).toEqual([])
  })

  it('the drawer of the journal takes the focus, covers the page, and gives the focus back when it is closed', async () => {
    const { page, violations } = await open('', { width: 390 })
    // With its animation.
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await makeTenCalls(page)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toBe('Open the journal')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('Journal')
    const covered = page.locator('.top, .pages, main')
    expect(await covered.evaluateAll((all) => all.map((each) => (each as HTMLElement).inert))).toEqual([
      true,
      true,
      true,
    ])
    for (let step = 0; step < 15; step++) {
      await page.keyboard.press('Tab')
      expect(await page.locator('.top :focus, .pages :focus, main :focus').count()).toBe(0)
    }
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    expect(await focused()).toBe('Open the journal')

    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Open the journal')
    await page.keyboard.press('Enter')
    // A wider screen shows the journal next to the page.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Friends', exact: true }).click()
    expect(await page.getByRole('button', { name: 'Close', exact: true }).isVisible()).toBe(false)
    expect(await violations()).toEqual([])
  })

  it('a code of an SMS, a backup code and the token of a mail are filled in with a click', async () => {
    const { page } = await open('sign-in')
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    await submit.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('SMS', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Send a code' }).click()
    await dialog.getByLabel('Backup code').check()
    await confirm(page, 'from the SMS')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await submit.click()
    await confirm(page, 'a backup code')
    await page.getByRole('button', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByRole('button', { name: 'Fill in the token' }).click()
    await page.getByLabel('New password').fill('a longer password')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await confirm(page)
    await page.getByText('Ada has a new password and is signed in.').waitFor()
  })

  it('leaves no text about it when it ends, names a refused input, and never loses the focus', async () => {
    const { page } = await open('sign-in/passkey')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    const done = page.getByText('Signed in, without a password')
    await done.waitFor()
    await page.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await done.waitFor({ state: 'detached' })
    expect(await focused()).toBe('Signed out')

    await page.getByLabel('Password', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Nothing was sent. password: Enter at least 8 characters.').waitFor()

    await page.getByRole('link', { name: 'Widgets', exact: true }).click()
    const signInAsAda = page.getByRole('button', { name: 'Sign in as Ada' }).filter({ visible: true })
    await signInAsAda.focus()
    await page.keyboard.press('Enter')
    await signInAsAda.waitFor({ state: 'hidden' })
    expect(await focused()).toBe('Edit a widget')
  })

  it('works with a simulated passkey and with a registered passkey of the device', async () => {
    const { page, violations } = await open('sign-in/passkey')
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Register this device' }).click()
    await page.getByText('This device now has a passkey.').waitFor()
    await page.getByRole('button', { name: 'Use this device' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await violations()).toEqual([])
    await page.close()
  })

  it('local storage keeps the session over a reload and shares it with a second tab', async () => {
    const { page, violations } = await open('sign-in/token-store')
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await page.getByLabel('Local storage').check()
    await page.getByText('Survives a reload, and is shared with the tabs').waitFor()
    expect(await page.getByLabel('Local storage').evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await shownCode(page).textContent()).not.toBe('')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()

    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open a second tab' }).click(),
    ])
    await other.getByRole('link', { name: 'Friends' }).click()
    await person(other, 'grace').getByRole('button', { name: 'Send a request to ada' }).click()
    await person(other, 'ada').getByRole('button', { name: 'Accept grace' }).click()
    // Both tabs have one service.
    await page.getByRole('link', { name: 'Friends' }).click()
    await person(page, 'ada').getByRole('button', { name: 'Remove grace' }).waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByText('Signed out', { exact: true }).waitFor()
    await other.getByRole('link', { name: 'Sign in', exact: true }).click()
    await other.getByText('Another tab signed out.').waitFor()

    // The second tab goes on when the first one is closed.
    await page.close()
    await other.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await other.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await violations().catch(() => [])).toEqual([])
  })
})

describe('the pages', () => {
  it('friends are loaded once, follow each other’s actions, and the code has the values of the last call', async () => {
    const { page, violations } = await open('friends')
    expect(await person(page, 'ada').getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await signIn(page)
    await person(page, 'ada').getByText('live').waitFor()
    await person(page, 'grace').getByText('live').waitFor()
    expect(await journalRows(page, 'GET /users/@me/relationships').count()).toBe(2)

    await person(page, 'grace').getByLabel('Friend request to ada').fill('It’s me')
    await person(page, 'grace').getByRole('button', { name: 'Send' }).click()
    await person(page, 'ada').getByText('It’s me').waitFor()
    expect(await shownCode(page).textContent()).toContain("const note: string | null = 'It’s me'")
    await page.getByRole('button', { name: 'Accept grace' }).click()
    await page.getByRole('button', { name: 'Remove ada' }).click()
    await page.getByRole('button', { name: 'Remove grace' }).waitFor({ state: 'detached' })
    const id = await page.evaluate(() => window.rapportWorld?.ada.id)
    expect(await shownCode(page).textContent()).toContain(`const userId = '${id}'`)

    // Back on the page, nothing is loaded again.
    await page.getByRole('link', { name: 'Start' }).click()
    await page.goBack()
    await person(page, 'ada').waitFor()
    expect(await journalRows(page, 'GET /users/@me/relationships').count()).toBe(2)
    expect(await violations()).toEqual([])
  })

  it('sessions are listed once, and widgets are validated next to their fields', async () => {
    const { page } = await open('sessions')
    await signIn(page)
    await page.getByText('This page', { exact: true }).waitFor()
    expect(await journalRows(page, 'GET /auth/sessions').count()).toBe(1)
    await page.getByRole('button', { name: 'Sign in on another device' }).click()
    await page.getByText('Ada signed in on another device.').waitFor()
    await page.getByRole('button', { name: 'End other sessions' }).click()
    await confirm(page)
    await page.getByText('The other session has ended.').waitFor()

    await page.getByRole('link', { name: 'Widgets' }).click()
    await page.getByRole('button', { name: 'Add a game' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('group', { name: 'Games' }).getByText('2 games, at most 1').waitFor()
    await page.getByRole('button', { name: 'Remove this game' }).last().click()
    await page.getByLabel('Comment').fill('Since 1843')
    expect(await shownCode(page).textContent()).toContain("comment: 'Since 1843'")
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Chess · Since 1843').waitFor()
  })

  it('each failure is handled by the client, as the journal shows', async () => {
    const { page, violations } = await open('failures')
    await signIn(page)
    await page.getByRole('button', { name: 'Drop the connection' }).click()
    await page.getByText('Resumed. Events missed').waitFor()
    await journalRows(page, 'ready → reconnecting').waitFor()
    await page.getByRole('button', { name: 'Fail the next request' }).click()
    await page.getByText('on its second attempt.').waitFor()
    await journalRows(page, 'attempt 1 got 503').waitFor()
    await page.getByRole('button', { name: 'Run into the limit' }).click()
    await page.getByText('after the wait.').waitFor()
    await page.getByRole('button', { name: 'Send a long note' }).click()
    await page.getByText(/Nothing was sent\. note: 1\d\d characters/).waitFor()
    await page.getByRole('button', { name: 'Refuse the next code' }).click()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: /from the authenticator app/ }).click()
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await dialog.getByText('2 attempts left.').waitFor()
    await confirm(page)
    await page.getByText('The second code was accepted').waitFor()

    // A cancelled prompt leaves no fault behind.
    await page.getByRole('button', { name: 'Refuse the next code' }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Cancelled. Nothing was changed.').waitFor()
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in on another device' }).click()
    await page.getByRole('button', { name: 'End other sessions' }).click()
    await confirm(page)
    await page.getByText('The other session has ended.').waitFor()

    // Nobody knows what happened meanwhile on a connection that the app closes.
    await page.getByRole('link', { name: 'Failures', exact: true }).click()
    await page.getByRole('button', { name: 'Drop the connection' }).click()
    await journalRows(page, 'ready → reconnecting').first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('This was cancelled.').waitFor()
    expect(await violations()).toEqual([])
  })

  it('have a URL each, as have cards and code, Back and Forward follow it, and all code that is shown compiles', async () => {
    const { page } = await open('failures/connection')
    const heading = page.getByRole('heading', { name: 'The connection breaks' })
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByRole('link', { name: 'Components' }).click()
    await page.getByRole('link', { name: 'A settings modal' }).click()
    await page.getByRole('heading', { name: 'Server settings' }).waitFor()
    await page.goBack()
    await page.goBack()
    await heading.waitFor()
    expect(await page.title()).toBe('Failures · Rapport playground')
    await page.goForward()
    await page.getByRole('heading', { name: 'Preview' }).waitFor()

    // Every link to a fragment opens something; code panels show what their link says.
    const routes = await page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')?.slice(1) ?? ''),
      ),
    ])
    expect(routes.length).toBeGreaterThan(40)
    const shown = new Set<string>()
    const copied = new Set<string>()
    for (const route of routes) {
      const texts = await page.evaluate(async (route) => {
        location.hash = route
        await new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
        const panels = [...document.querySelectorAll('.code-panel pre')].filter((block) => block.checkVisibility())
        const copied: string[] = []
        navigator.clipboard.writeText = async (text) => void copied.push(text)
        for (const copy of document.querySelectorAll<HTMLElement>('.copy')) if (copy.checkVisibility()) copy.click()
        return { shown: panels.map((panel) => panel.textContent ?? ''), copied }
      }, route)
      for (const text of texts.shown) shown.add(text)
      for (const text of texts.copied) copied.add(text)
    }
    expect(shown.size).toBeGreaterThan(20)
    expect(compilerErrors(Object.fromEntries([...shown].map((text, at) => [`code-${at}`, text])))).toEqual([])
    // What is copied needs nothing else.
    expect(copied.size).toBe(shown.size)
    expect(compilerErrors(Object.fromEntries([...copied].map((text, at) => [`copy-${at}`, text])), '')).toEqual([])

    await page.evaluate(() => Reflect.deleteProperty(navigator.clipboard, 'writeText'))
    await page.evaluate(() => {
      location.hash = 'components/poll'
    })
    await page.getByText('Close the poll').first().waitFor()
    await page.getByRole('button', { name: 'Copy' }).filter({ visible: true }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      "button.danger('close', 'Close the poll')",
    )
  })
})
