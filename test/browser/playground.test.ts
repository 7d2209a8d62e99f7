import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAuthenticator } from './harness/authenticator'
import { openPlayground } from './playground-harness'
import { codeOf, type InputDevice, keyboard, mouse, openTab, signIn } from './playground-input'

const open = openPlayground()

const lines = (page: Page) => page.locator('.lines')
const person = (page: Page, name: string) => page.locator(`[data-person=${name}]`)

describe.each([
  ['the keyboard at 360 pixels', keyboard, 360],
  ['the mouse at 1280 pixels', mouse, 1280],
] as const)('the playground with %s', (name, device: InputDevice, width) => {
  it(`a user signs in, adds friends, passes a step-up, saves a widget and edits components with ${name}`, {
    timeout: 120_000,
  }, async () => {
    const { page, violations } = await open({ width })
    await signIn(page, device)

    await device.press(person(page, 'grace').getByRole('button', { name: 'Send request to Ada' }))
    await device.press(page.getByRole('button', { name: 'Accept grace' }))
    await page.getByRole('button', { name: 'Remove grace' }).waitFor()
    await page.getByRole('button', { name: 'Remove ada' }).waitFor()

    await device.press(page.getByRole('button', { name: 'Drop the connection' }))
    await lines(page).getByText('resumed', { exact: true }).waitFor()
    await device.press(page.getByRole('button', { name: 'Remove grace' }))
    await device.press(person(page, 'ada').getByRole('button', { name: 'Send request to Grace' }))
    await device.press(page.getByRole('button', { name: 'Accept ada' }))

    await openTab(page, 'Account', device)
    await device.press(page.getByRole('button', { name: 'Advance the clock by 5 minutes' }))
    await device.press(page.getByRole('button', { name: 'End other sessions' }))
    await device.fill(page.getByLabel('Code', { exact: true }), '12')
    await device.press(page.getByRole('button', { name: 'Verify' }))
    await page.getByText('Attempt 2 of 3').waitFor()
    expect(await page.getByRole('alert').textContent()).toBe('Invalid two-factor code.')
    await device.fill(page.getByLabel('Code', { exact: true }), await codeOf(page))
    await device.press(page.getByRole('button', { name: 'Verify' }))
    await page.getByText('Other sessions ended.').waitFor()

    await openTab(page, 'Widgets', device)
    await device.press(page.getByRole('button', { name: 'Add a game' }))
    await device.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('2 games, at most 1 on a favorite_games widget').waitFor()
    await device.press(page.getByRole('button', { name: 'Remove this game' }).last())
    await device.fill(page.getByLabel('Comment'), 'Since 1843')
    await device.press(page.getByRole('button', { name: 'Save' }))
    await page.getByText('Chess · Since 1843').waitFor()

    await openTab(page, 'Components', device)
    await page.getByText('No errors', { exact: true }).waitFor()
    const json = page.getByLabel('JSON')
    const edited = (await json.inputValue()).replace('"vote:friday"', '"vote:monday"')
    await device.fill(json, edited)
    await device.press(page.getByRole('button', { name: 'duplicate custom_id' }))
    expect(await selection(page)).toBe('"vote:monday"')
    expect(await page.locator('.numbers .marked').allTextContents()).toEqual([lineOfLast(edited, '"vote:monday"')])

    expect(await violations()).toEqual([])
  })
})

const selection = (page: Page) =>
  page.getByLabel('JSON').evaluate((area: HTMLTextAreaElement) => {
    return document.activeElement === area ? area.value.slice(area.selectionStart, area.selectionEnd) : 'no focus'
  })

const lineOfLast = (text: string, part: string) => String(text.slice(0, text.lastIndexOf(part)).split('\n').length)

describe('the step-up dialog', () => {
  it('Escape cancels the dialog, shows a message and restores the focus', async () => {
    const { page } = await open()
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    await button.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Cancelled. Nothing was changed.').waitFor()
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

  it('the dialog sends an SMS code on request', async () => {
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

  it('the dialog accepts a backup code and a simulated passkey', async () => {
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

  it('a simulated passkey and a registered passkey of the device sign in', async () => {
    const { page, violations } = await open()
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Register this device' }).click()
    await page.getByText('This device now has a passkey.').waitFor()
    await page.getByRole('button', { name: 'Use this device' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await violations()).toEqual([])
  })
})

describe('the event log', () => {
  it('the event log shows the retry of a failed call', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await openTab(page, 'Account', mouse)
    await page.getByRole('button', { name: 'Fail the next call with 503' }).click()
    await page.getByRole('button', { name: 'Sign in on another device' }).click()
    await lines(page).getByText('Get Auth Sessions: attempt 1 got 503').waitFor()
    await lines(page).getByText('/auth/sessions, attempt 2').waitFor()
    await page.getByText('Ada signed in on another device.').waitFor()
  })

  it('the dialog prompts again after a rejected code', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Reject the next code' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code', { exact: true }).fill(await codeOf(page))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Attempt 2 of 3').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(await codeOf(page))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  it('the event log shows the newest entry first, can be filtered and cleared, and keeps 200 entries', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
    await lines(page).getByText('ready from', { exact: false }).first().waitFor()
    const times = (await lines(page).locator('.when').allTextContents()).map(Number.parseFloat)
    expect(times).toEqual([...times].sort((one, other) => other - one))

    await page.getByLabel('Show').selectOption('Gateway')
    const kinds = await lines(page)
      .locator('li:visible')
      .evaluateAll((all) => all.map((line) => line.dataset.kind))
    expect(new Set(kinds)).toEqual(new Set(['event']))

    await page.getByLabel('Show').selectOption('All')
    await openTab(page, 'Account', mouse)
    for (let count = 0; count < 110; count++)
      await page.getByRole('button', { name: 'Sign in on another device' }).click()
    await expect.poll(() => lines(page).locator('li').count()).toBe(200)
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await lines(page).locator('li').count()).toBe(0)
  })
})
