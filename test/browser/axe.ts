import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')

/** Returns the violations of all rules of axe in an element. */
export async function axeViolations(page: Page, selector = 'html'): Promise<string[]> {
  await page.evaluate(axe)
  // The elements of other results would be most of the work; one of each remains.
  const { violations, passes } = await page.evaluate(
    (selector): Promise<AxeResults> => Reflect.get(window, 'axe').run(selector, { resultTypes: ['violations'] }),
    selector,
  )
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['button-name', 'color-contrast']))
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
}
