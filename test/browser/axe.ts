import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')

/** Returns the violations of all rules of axe in an element. */
export async function axeViolations(page: Page, selector = 'html'): Promise<string[]> {
  // The next line takes as long as many a run: 600 kB go through several processes.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const { violations, passes } = await page.evaluate(async (selector) => {
    // The elements of other results would be most of the work; one of each remains.
    const results: AxeResults = await Reflect.get(window, 'axe').run(selector, { resultTypes: ['violations'] })
    return {
      violations: results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`)),
      passes: results.passes.map(({ id }) => id),
    }
  }, selector)
  expect(passes).toEqual(expect.arrayContaining(['button-name', 'color-contrast']))
  return violations
}
