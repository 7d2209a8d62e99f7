import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPlayground } from './playground-harness'
import { mouse, openTab, signIn } from './playground-input'
import { STATES } from './playground-states'

const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')
const open = openPlayground()

const states = {
  ...STATES,
  async account(page: Page) {
    await signIn(page)
    await openTab(page, 'Account', mouse)
  },
  async widgets(page: Page) {
    await signIn(page)
    await openTab(page, 'Widgets', mouse)
    await page.getByRole('button', { name: 'Add a game' }).click()
    for (const tag of ['expert', 'noob']) await page.getByLabel(tag).first().check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('at most 1 on a favorite_games widget').waitFor()
  },
}

/** Returns the elements that overflow the page or their own width. Scrollable elements are ignored. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    const all = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility())
    const found = all.filter((element) => {
      if (element.closest('textarea, .gutter, select')) return false
      const { left, right } = element.getBoundingClientRect()
      if (left < -0.5 || right > root.clientWidth + 0.5) return true
      return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
    })
    return [
      ...found.map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...(root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} wide`] : []),
    ]
  })
}

/** Returns the controls that are too small for touch input. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea')]
      .filter((element) => element.checkVisibility())
      .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < 32)
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  )
}

describe.each(Object.entries(states))('the playground in the state %s', (name, reach) => {
  it.each(['light', 'dark'] as const)(
    `the %s playground in the state ${name} has no serious axe violations`,
    async (colorScheme) => {
      const { page, violations } = await open({ colorScheme })
      await reach(page)
      await page.evaluate(axe)
      const results = await page.evaluate(
        (): Promise<AxeResults> => Reflect.get(window, 'axe').run(document, { resultTypes: ['violations', 'passes'] }),
      )
      const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      const found = serious.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
      )
      expect(found).toEqual([])
      expect(results.passes.map(({ id }) => id)).toContain('color-contrast')
      expect(await violations()).toEqual([])
    },
  )

  it.each([360, 1280])(`at %i pixels, nothing in the state ${name} overflows or is too small`, async (width) => {
    const { page } = await open({ width })
    await reach(page)
    expect(await overflowing(page)).toEqual([])
    expect(await tooSmall(page)).toEqual([])
  })
})

it('each sample of components fits into 360 pixels and has only the expected errors', async () => {
  const { page, violations } = await open({ width: 360 })
  await openTab(page, 'Components', mouse)
  const samples = await page.getByLabel('Sample').locator('option').allTextContents()
  expect(samples.length).toBe(4)
  for (const sample of samples) {
    await page.getByLabel('Sample').selectOption(sample)
    const isInvalid = sample.includes('errors')
    expect(await page.getByText('No errors', { exact: true }).count()).toBe(isInvalid ? 0 : 1)
    expect(await page.locator('.issue.error').count()).toBe(isInvalid ? 2 : 0)
    expect(await page.locator('.issue.warning').allTextContents()).toEqual(isInvalid ? [expect.any(String)] : [])
    expect(await overflowing(page)).toEqual([])
  }
  expect(await violations()).toEqual([])
})

it.each([
  ['{\n  "components": [\n    oops\n  ]\n}', 3, 'o'],
  ['{\n  "flags": 1,\n}', 3, '}'],
  ['{\n  "flags": 01\n}', 2, '1'],
  ['[\n  "a"\n  "b"]', 3, '"'],
  ['{\n  "a": "\\q"\n}', 2, '"'],
  ['{}\n\n!', 3, '!'],
  ['[\n', 2, ''],
])('for the invalid JSON %j, the editor shows the line and selects the character', async (text, line, selected) => {
  const { page } = await open()
  await openTab(page, 'Components', mouse)
  await page.getByLabel('JSON').fill(text)
  await page.getByRole('button', { name: `Line ${line} Invalid JSON from here on` }).click()
  const area = page.getByLabel('JSON')
  expect(
    await area.evaluate((element: HTMLTextAreaElement) => {
      return element.value.slice(element.selectionStart, element.selectionEnd)
    }),
  ).toBe(selected)
})

it('the policy of the playground blocks inline scripts, inline styles and requests', async () => {
  const { page, violations } = await open()
  const results = await page.evaluate(async () => {
    const inline = document.createElement('script')
    inline.textContent = 'window.ran = true'
    document.body.append(inline)
    const styled = document.createElement('style')
    styled.textContent = 'body { display: none }'
    document.body.append(styled)
    const fetched = await fetch('/').then(
      () => true,
      () => false,
    )
    return { ran: 'ran' in window, hidden: getComputedStyle(document.body).display === 'none', fetched }
  })
  expect(results).toEqual({ ran: false, hidden: false, fetched: false })
  const reports = (await violations()).filter((line) => line.startsWith('policy'))
  const directives = reports.map((line) => line.split(' ')[1]).sort()
  expect(directives).toEqual(['connect-src', 'script-src-elem', 'style-src-elem'])
})
