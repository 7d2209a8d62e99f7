import type { Page } from 'playwright-core'

const INTERVAL_MS = 10
/** As long as `test/patience.ts`, which only tests can load. */
const PATIENCE_MS = 120_000

/**
 * Calls a function on a page or frame until it returns something, in one message. `waitForFunction` and locators load 350 kB
 * of Playwright into each document that they are used on, which takes as long as the document itself.
 */
export async function waitOn<T, A = undefined>(
  page: Pick<Page, 'evaluate'>,
  check: (arg: A) => T,
  arg?: A,
): Promise<NonNullable<T>> {
  const wait = `(async (check, arg) => {
    for (let time = 0; time < ${PATIENCE_MS}; time += ${INTERVAL_MS}) {
      const value = check(arg)
      if (value) return value
      await new Promise((resolve) => setTimeout(resolve, ${INTERVAL_MS}))
    }
  })(${check}, ${JSON.stringify(arg)})`
  const value = await page.evaluate<T>(wait)
  if (!value) throw new Error(`In two minutes, the page did not reach ${check} with ${JSON.stringify(arg)}.`)
  return value
}
