import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAuthenticator } from './harness/authenticator'
import { codeOf, type Hand, keyboard, mouse, openTab, signIn } from './playground-page'
import { openPlayground } from './playground-world'

const open = openPlayground()

const lines = (page: Page) => page.locator('.lines')
const person = (page: Page, name: string) => page.locator(`[data-person=${name}]`)

describe.each([
  ['by keyboard alone on a phone', keyboard, 360],
  ['by pointing on a desk', mouse, 1280],
] as const)('%s', (_, hand: Hand, width) => {
  it('one signs in, meets friends live, passes step-up, saves a widget and mends components', async () => {
    const { page, violations } = await open({ width })
    await signIn(page, hand)

    await hand.press(person(page, 'grace').getByRole('button', { name: 'Ask Ada' }))
    await hand.press(page.getByRole('button', { name: 'Accept grace' }))
    await page.getByRole('button', { name: 'Remove grace' }).waitFor()
    await page.getByRole('button', { name: 'Remove ada' }).waitFor()

    await hand.press(page.getByRole('button', { name: 'Cut the connection' }))
    await lines(page).getByText('resumed', { exact: true }).waitFor()
    await hand.press(page.getByRole('button', { name: 'Remove grace' }))
    await hand.press(person(page, 'ada').getByRole('button', { name: 'Ask Grace' }))
    await hand.press(page.getByRole('button', { name: 'Accept ada' }))

    await openTab(page, 'Account', hand)
    await hand.press(page.getByRole('button', { name: 'Let five minutes pass' }))
    await hand.press(page.getByRole('button', { name: 'End the other sessions' }))
    await hand.fill(page.getByLabel('Code', { exact: true }), '12')
    await hand.press(page.getByRole('button', { name: 'Verify' }))
    await page.getByText('Attempt 2 of 3').waitFor()
    expect(await page.getByRole('alert').textContent()).toBe('Invalid two-factor code.')
    await hand.fill(page.getByLabel('Code', { exact: true }), await codeOf(page))
    await hand.press(page.getByRole('button', { name: 'Verify' }))
    await page.getByText('The other sessions have ended.').waitFor()

    await openTab(page, 'Widgets', hand)
    await hand.press(page.getByRole('button', { name: 'Add a game' }))
    await hand.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('2 games, at most 1 on a favorite_games widget').waitFor()
    await hand.press(page.getByRole('button', { name: 'Remove this game' }).last())
    await hand.fill(page.getByLabel('Comment'), 'Since 1843')
    await hand.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('Chess · Since 1843').waitFor()

    await openTab(page, 'Components', hand)
    await page.getByText('It fits the interface.').waitFor()
    const json = page.getByLabel('JSON')
    const broken = (await json.inputValue()).replace('"vote:friday"', '"vote:monday"')
    await hand.fill(json, broken)
    await hand.press(page.getByRole('button', { name: 'duplicate custom_id' }))
    expect(await selection(page)).toBe('"vote:monday"')
    expect(await page.locator('.numbers .marked').allTextContents()).toEqual([lineOfLast(broken, '"vote:monday"')])

    expect(await violations()).toEqual([])
  })
})

const selection = (page: Page) =>
  page.getByLabel('JSON').evaluate((area: HTMLTextAreaElement) => {
    return document.activeElement === area ? area.value.slice(area.selectionStart, area.selectionEnd) : 'not there'
  })

const lineOfLast = (text: string, part: string) => String(text.slice(0, text.lastIndexOf(part)).split('\n').length)

describe('second factors', () => {
  it('Escape cancels the dialog, which is told politely, and the focus is where it was', async () => {
    const { page } = await open()
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    await button.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('You cancelled, so nothing was done.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('the focus stays in the dialog while it is open', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      const isOutside = await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))
      expect(isOutside).toBe(false)
    }
  })

  it('a code comes by SMS when it is asked for', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('SMS').check()
    await dialog.getByText('No SMS yet').waitFor()
    await dialog.getByRole('button', { name: 'Send an SMS' }).click()
    const message = dialog.locator('.messages', { hasText: /\d{6}/ })
    const [code = ''] = /\d{6}/.exec((await message.textContent()) ?? '') ?? []
    await dialog.getByLabel('Code', { exact: true }).fill(code)
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  it('a backup code and a simulated passkey are second factors too', async () => {
    const { page } = await open()
    for (const factor of ['Backup code', 'Simulated passkey']) {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(factor).check()
      const code = await dialog.locator('[data-code=backup]').textContent()
      if (factor === 'Backup code') await dialog.getByLabel('Code', { exact: true }).fill(code ?? '')
      await dialog.getByRole('button', { name: /Verify|Use the passkey/ }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('Signed out', { exact: true }).waitFor()
    }
  })

  it('a passkey signs in alone: a simulated one, and one of the device once it is registered', async () => {
    const { page, violations } = await open()
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Register this device' }).click()
    await page.getByText('The device has a passkey now.').waitFor()
    await page.getByRole('button', { name: 'Use this device' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await violations()).toEqual([])
  })
})

describe('what happens', () => {
  it('a call that fails once is seen to be sent again', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await openTab(page, 'Account', mouse)
    await page.getByRole('button', { name: 'Answer the next call with 503' }).click()
    await page.getByRole('button', { name: 'Sign in elsewhere' }).click()
    await lines(page).getByText('Get Auth Sessions: 503 to attempt 1').waitFor()
    await lines(page).getByText('/auth/sessions, attempt 2').waitFor()
    await page.getByText('Ada has signed in elsewhere too.').waitFor()
  })

  it('a code that is refused is asked for again', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Refuse the next code' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code', { exact: true }).fill(await codeOf(page))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Attempt 2 of 3').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(await codeOf(page))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  it('it is told newest first, filtered, cleared, and forgotten beyond 200 lines', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await lines(page).getByText('ready was', { exact: false }).first().waitFor()
    const times = (await lines(page).locator('.when').allTextContents()).map(Number.parseFloat)
    expect(times).toEqual([...times].sort((one, other) => other - one))

    await page.getByLabel('Show').selectOption('Gateway')
    const kinds = await lines(page)
      .locator('li:visible')
      .evaluateAll((all) => all.map((line) => line.dataset.kind))
    expect(new Set(kinds)).toEqual(new Set(['event']))

    await page.getByLabel('Show').selectOption('Everything')
    await openTab(page, 'Account', mouse)
    for (let count = 0; count < 110; count++) await page.getByRole('button', { name: 'Sign in elsewhere' }).click()
    await expect.poll(() => lines(page).locator('li').count()).toBe(200)
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await lines(page).locator('li').count()).toBe(0)
  })
})
