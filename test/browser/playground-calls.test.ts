import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/contract'
import { openPlayground } from './playground-harness'
import { pressEnter, signIn } from './playground-states'

const open = openPlayground()

// Roles are looked up in the card: in the whole page, which contains all pages of the playground, that takes longer.
const card = (page: Page) => page.locator('.card').filter({ visible: true })
const send = (page: Page) => card(page).getByRole('button', { name: 'Send', exact: true }).first()
const status = (page: Page) => card(page).locator('.controls .note')
const code = (page: Page) => card(page).locator('.code-panel pre')
const answers = (page: Page) => card(page).locator('.exchanges > li')

/** Opens a call in its page. */
async function goTo(page: Page, call: string): Promise<void> {
  await page.evaluate((route) => {
    location.hash = route
  }, `calls/${call}`)
  await page.getByRole('heading', { name: `client.${call}`, exact: true }).waitFor()
}

/**
 * Picks a call, fills in its required fields that are empty, signs in if it needs a user, and sends it, in one message: with
 * actions of Playwright, each of the calls takes 100 ms of CPU time. Returns the requests that are shown with its answer.
 */
function callOnPage(page: Page, call: string): Promise<string[]> {
  return page.evaluate(async (call) => {
    const until = async <T>(find: () => T | false | null | undefined): Promise<T> => {
      for (let time = 0; time < 120_000; time += 5) {
        const found = find()
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error(`In two minutes, ${call} did not reach ${find}.`)
    }
    const seen = <E extends HTMLElement>(selector: string, text?: string, root: ParentNode = document) =>
      [...root.querySelectorAll<E>(selector)].find(
        (element) => element.checkVisibility() && (text === undefined || element.textContent === text),
      )
    const card = () => seen('.card') ?? document.body
    const picker = seen<HTMLSelectElement>('select')
    if (!picker) throw new Error('There is no picker.')
    picker.value = call
    picker.dispatchEvent(new Event('input', { bubbles: true }))
    picker.dispatchEvent(new Event('change', { bubbles: true }))
    await until(() => seen('h2, h3', `client.${call}`, card()))
    for (const control of card().querySelectorAll<HTMLInputElement>('[aria-required=true]:enabled')) {
      if (control.value !== '') continue
      if (control.localName === 'select' || !control.checkVisibility()) throw new Error('A field cannot be filled in.')
      control.value = '1'
      control.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    const signIn = seen('button', 'Sign in as Ada')
    signIn?.click()
    await until(() => !signIn || seen('button', 'Sign out'))
    const note = () => seen('.controls .note', undefined, card())?.textContent
    if (note()) throw new Error(`The answer of another call is shown: ${note()}`)
    seen('button', 'Send', card())?.click()
    const prompt = () => document.querySelector('rapport-mfa-dialog')?.shadowRoot
    await until(() => note() || prompt())
    prompt()?.querySelector<HTMLElement>('[part~=cancel]')?.click()
    await until(note)
    return [...card().querySelectorAll('.exchanges > li')].map(
      (answer) => answer.querySelector('.text')?.textContent ?? '',
    )
  }, call)
}

describe('the playground', () => {
  it('each of the 55 calls can be picked, filled in and sent, and its answer is shown', async () => {
    const { page, violations } = await open('calls')
    await signIn(page)
    expect(await card(page).getByLabel('Call', { exact: true }).locator('option').count()).toBe(55)
    for (const { call, endpoint } of endpoints) {
      const requests = await callOnPage(page, call.replace('client.', ''))
      expect(requests.length, call).toBeGreaterThan(0)
      expect(requests[0], call).toMatch(
        new RegExp(`^${endpoint.method} ${endpoint.path.replace(/\{.*?\}/g, '[^/]+')}(?:\\?.*)?$`),
      )
    }
    expect(await violations()).toEqual([])
  })

  it('shows the code, the request and the answer of a call, without the secrets in them', async () => {
    const { page, violations } = await open('calls/auth.login')
    await page.getByLabel(/^login /).fill('grace@example.test')
    await send(page).click()
    await status(page).getByText('The call returned its answer.').waitFor()
    expect(await page.locator('.account .who').textContent()).toBe('Grace')
    expect(await code(page).textContent()).toBe(
      "await client.auth.login({\n  login: 'grace@example.test',\n  password: '[redacted]',\n})\n",
    )
    const answer = await answers(page).textContent()
    expect(answer).toContain('POST /auth/login')
    expect(answer).toContain('"password": "[redacted]"')
    expect(answer).toContain('"token": "[redacted]"')
    const token = await page.evaluate(() => {
      const { sessions } = window.rapportWorld?.service.snapshot().database ?? {}
      return [...(sessions ?? [])].at(-1)?.[0] ?? ''
    })
    expect(token.length).toBeGreaterThan(10)
    const text = `${await page.locator('body').innerText()} ${page.url()}`
    expect(text).not.toContain(token)
    expect(text).not.toContain('correct horse')
    expect(await violations()).toEqual([])
  })

  it('a call without a session says so, and signs in', async () => {
    const { page } = await open('calls/relationships.list')
    await page.getByText('This call sends a token, and nobody is signed in.').waitFor()
    await signIn(page)
    await send(page).click()
    await status(page).getByText('The call returned its answer.').waitFor()
    expect(await page.getByText('nobody is signed in').filter({ visible: true }).count()).toBe(0)
  })

  it('a problem is next to its field and described by it, and the first one has the focus', async () => {
    const { page } = await open('calls/relationships.sendRequest')
    await signIn(page)
    const username = page.getByLabel(/^username/)
    const note = page.getByLabel(/^note/)
    await username.fill('')
    await note.fill('x'.repeat(121))
    await pressEnter(send(page))
    await status(page).getByText('Nothing was sent.').waitFor()
    expect(await username.getAttribute('aria-invalid')).toBe('true')
    expect(await username.evaluate((element) => element === document.activeElement)).toBe(true)
    const described = (await username.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`#${described}`).textContent()).toBe('Required.')

    // The client finds this one before it sends anything.
    await username.fill('grace')
    await send(page).click()
    await status(page)
      .getByText(/Nothing was sent\. note/)
      .waitFor()
    expect(await note.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await username.getAttribute('aria-invalid')).toBe(null)
    await page.getByLabel('null for note').check()
    expect(await code(page).textContent()).toContain('note: null')
    expect(await note.isDisabled()).toBe(true)
  })

  it('broken JSON in a field is said next to it, in the code, and above the answers, and nothing is sent', async () => {
    const { page } = await open('calls/widgets.replace')
    await signIn(page)
    const widgets = page.getByLabel(/^widgets/)
    await widgets.fill('[\n  oops\n]')
    const problem = 'Invalid JSON from line 2 on.'
    expect(await card(page).locator('.problem').filter({ visible: true }).textContent()).toBe(problem)
    expect(await code(page).textContent()).toBe(`// widgets: ${problem}\n`)
    await card(page).locator('.call-panes').getByText(`widgets: ${problem} Nothing can be sent.`).waitFor()
    await send(page).click()
    await status(page).getByText('Nothing was sent.').waitFor()
    expect(await answers(page).count()).toBe(0)
    await widgets.fill('[]')
    expect(await widgets.getAttribute('aria-invalid')).toBe(null)
    expect(await code(page).textContent()).toBe('await client.widgets.replace({ widgets: [] })\n')
  })

  it('the form is in the URL and survives a reload and Back, but no secret does, and a link sets none', async () => {
    const { page, violations } = await open('calls/relationships.create')
    await page.getByLabel(/^user\.id/).fill('42')
    await page.getByLabel(/^type/).selectOption('2 · BLOCKED')
    await page.getByLabel('null for note').check()
    const shown = await code(page).textContent()
    expect(shown).toBe("await client.relationships.create('42', { type: 2, note: null })\n")
    await page.waitForURL(/#calls\/relationships\.create\?user\.id=42&type=2&null%3Anote=true$/)
    await page.reload()
    expect(await code(page).textContent()).toBe(shown)
    await goTo(page, 'auth.login')
    await page.getByLabel(/^login /).fill('someone@example.test')
    await page.getByLabel(/^password/).fill('hunter2 hunter2')
    await page.waitForURL(/#calls\/auth\.login\?login=someone%40example\.test$/)
    await page.goBack()
    await page.getByRole('heading', { name: 'client.relationships.create' }).waitFor()
    expect(await code(page).textContent()).toBe(shown)

    await page.evaluate(() => {
      location.hash = 'calls/auth.login?login=a&password=of+a+link'
    })
    await page.getByRole('heading', { name: 'client.auth.login' }).waitFor()
    expect(await page.getByLabel(/^password/).inputValue()).toBe('correct horse')
    await page.waitForURL(/#calls\/auth\.login\?login=a$/)

    await goTo(page, 'widgets.replace')
    await page.getByLabel(/^widgets/).fill('[{ "token": "abc" }]')
    await page.waitForURL(/#calls\/widgets\.replace$/)
    expect(await violations()).toEqual([])
  })
})
