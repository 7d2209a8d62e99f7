import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { build, preview } from 'vite'

const configFile = fileURLToPath(new URL('../../examples/playground/vite.config.ts', import.meta.url))

/** The playground, built and served as `npm run playground` does, though from a folder of its own. */
export interface ServedPlayground {
  readonly url: string
  close(): Promise<void>
}

export async function servePlayground(): Promise<ServedPlayground> {
  const outDir = await mkdtemp(join(tmpdir(), 'playground-'))
  const options = { configFile, logLevel: 'error', build: { outDir } } as const
  await build(options)
  const server = await preview({ ...options, preview: { port: 0, open: false } })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('The playground has no port.')
  return {
    url: `http://localhost:${address.port}/`,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}

/** How a person does things: with the keys alone, or by pointing. */
export interface Hand {
  press(target: Locator): Promise<void>
  fill(target: Locator, text: string): Promise<void>
}

/** Points and clicks. */
export const mouse: Hand = {
  press: (target) => target.click(),
  async fill(target, text) {
    await target.click()
    await target.fill(text)
  },
}

/** Walks with Tab until it is there, so that what no key reaches is not reached. */
export const keyboard: Hand = {
  async press(target) {
    await walkTo(target)
    await target.page().keyboard.press('Enter')
  },
  async fill(target, text) {
    await walkTo(target)
    await target.page().keyboard.press('Control+A')
    await target.page().keyboard.insertText(text)
  },
}

const MOST_STEPS = 150

async function walkTo(target: Locator): Promise<void> {
  await target.waitFor()
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await isThere()) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`${MOST_STEPS} times Tab, and ${target} has not got the focus`)
}

/** The code that Ada's phone shows, in the dialog where it is open. */
export async function codeOf(page: Page): Promise<string> {
  return (await page.locator('dialog [data-code=totp]').textContent()) ?? ''
}

/** Goes to a tab, as the hand in question does. */
export async function openTab(page: Page, name: string, hand: Hand): Promise<void> {
  const tab = page.getByRole('tab', { name })
  if (hand === mouse) return tab.click()
  await walkTo(page.locator('[role=tab][aria-selected=true]'))
  while ((await tab.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowRight')
}

/** Signs Ada in with her password and a code of her phone. */
export async function signIn(page: Page, hand: Hand = mouse): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await hand.fill(page.getByLabel('Code', { exact: true }), await codeOf(page))
  await hand.press(page.getByRole('button', { name: 'Verify' }))
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}
