// Journeys through the dialog above a modal of a library, also for `npm run frameworks`.
import assert from 'node:assert/strict'
import { closed, type DialogPage } from './dialog-page'

/** Attributes of the element that has the focus, also in open shadow roots. */
const focused = ({ page }: DialogPage) =>
  page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return element?.id || element?.getAttribute('part')
  })

/** Checks that the modal is still open, and that its button has the focus again. */
async function checkReturn(world: DialogPage, outcome: string): Promise<void> {
  assert.deepEqual(await world.outcomes(), [outcome])
  await closed(world)
  assert.equal(await world.page.locator('#content').count(), 1, 'the modal is closed')
  assert.equal(await focused(world), 'act', 'the focus did not return')
}

/** Opens the modal of a library, and starts a step-up with the button in it. */
export async function openAbove({ page }: DialogPage, library: string): Promise<void> {
  await page.evaluate((library) => window.openModal(library), library)
  await page.locator('#act').click()
  await page.locator('[part=dialog]').waitFor()
}

/** Ways to use the dialog. After each, the modal is still open, and the focus returns to its button. */
export const JOURNEYS: Readonly<Record<'mouse' | 'keyboard' | 'Escape', (world: DialogPage) => Promise<void>>> = {
  async mouse(world) {
    const { page, service, ada } = world
    await page.locator('[part=radio][value=backup]').click()
    await page.locator('[part=radio][value=totp]').click()
    await page.locator('[part=title]').click()
    // The backdrop.
    await page.mouse.click(3, 3)
    await page.locator('[part=input]').click()
    await page.keyboard.type(service.users.totp(ada))
    await world.submit.click()
    await checkReturn(world, 'done')
  },

  async keyboard(world) {
    const { page, service, ada } = world
    assert.equal(await focused(world), 'input')
    for (const [key, part] of [
      ['Tab', 'button cancel'],
      ['Shift+Tab', 'input'],
      ['Shift+Tab', 'radio'],
      ['ArrowDown', 'radio'],
      ['ArrowUp', 'radio'],
      ['Tab', 'input'],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await focused(world), part, key)
    }
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    await checkReturn(world, 'done')
  },

  async Escape(world) {
    const { page } = world
    await page.keyboard.press('Escape')
    await checkReturn(world, 'MfaCancelledError')
    // Now the library sees it.
    await page.keyboard.press('Escape')
    await page.locator('#content').waitFor({ state: 'detached' })
  },
}
