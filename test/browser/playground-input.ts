import type { Locator, Page } from 'playwright-core'

/** Input by keyboard or by mouse. */
export interface InputDevice {
  press(target: Locator): Promise<void>
  fill(target: Locator, text: string): Promise<void>
}

/** Clicks elements. */
export const mouse: InputDevice = {
  press: (target) => target.click(),
  async fill(target, text) {
    await target.click()
    await target.fill(text)
  },
}

/** Moves the focus with Tab, which fails if the keyboard cannot reach an element. */
export const keyboard: InputDevice = {
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async fill(target, text) {
    await tabTo(target)
    await target.page().keyboard.press('Control+A')
    await target.page().keyboard.insertText(text)
  },
}

const MAX_TABS = 150

async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const hasFocus = () => target.evaluate((element) => element === document.activeElement)
  for (let step = 0; step < MAX_TABS; step++) {
    if (await hasFocus()) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`${target} did not get the focus after ${MAX_TABS} presses of Tab`)
}

/** Returns the code that Ada's phone shows in the dialog. */
export async function codeOf(page: Page): Promise<string> {
  return (await page.locator('dialog [data-code=totp]').textContent()) ?? ''
}

/** Selects a tab with an input device. */
export async function openTab(page: Page, name: string, device: InputDevice): Promise<void> {
  const tab = page.getByRole('tab', { name })
  if (device === mouse) return tab.click()
  await tabTo(page.locator('[role=tab][aria-selected=true]'))
  while ((await tab.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowRight')
}

/** Signs in as Ada with her password and a code of her phone. */
export async function signIn(page: Page, device: InputDevice = mouse): Promise<void> {
  await device.press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await device.fill(page.getByLabel('Code', { exact: true }), await codeOf(page))
  await device.press(page.getByRole('button', { name: 'Verify' }))
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}
