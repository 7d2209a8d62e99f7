import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { mouse, openTab, signIn } from './playground-page'
import { STATES } from './playground-states'
import { openPlayground } from './playground-world'

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

/** What sticks out of the page, or is wider than the place that it has. What scrolls may hold more than it shows. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    const all = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility())
    const cut = all.filter((element) => {
      if (element.closest('textarea, .gutter, select')) return false
      const { left, right } = element.getBoundingClientRect()
      if (left < -0.5 || right > root.clientWidth + 0.5) return true
      return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
    })
    return [
      ...cut.map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...(root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} wide`] : []),
    ]
  })
}

/** Buttons and fields that are too small to be hit with a finger. */
function small(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea')]
      .filter((element) => element.checkVisibility())
      .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < 32)
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  )
}

describe.each(Object.entries(states))('in the state %s', (_, reach) => {
  it.each(['light', 'dark'] as const)('its %s colours pass axe with nothing serious', async (colorScheme) => {
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
  })

  it.each([360, 1280])('nothing is cut off or sticks out at %i pixels', async (width) => {
    const { page } = await open({ width })
    await reach(page)
    expect(await cutOff(page)).toEqual([])
    expect(await small(page)).toEqual([])
  })
})

it('each sample of components is shown as it is, without a warning', async () => {
  const { page, violations } = await open({ width: 360 })
  await openTab(page, 'Components', mouse)
  const samples = await page.getByLabel('Start with').locator('option').allTextContents()
  expect(samples.length).toBe(4)
  for (const sample of samples) {
    await page.getByLabel('Start with').selectOption(sample)
    const isBroken = sample.includes('mistakes')
    expect(await page.getByText('It fits the interface.').count()).toBe(isBroken ? 0 : 1)
    expect(await page.locator('.issue').count()).toBe(isBroken ? 2 : 0)
    expect(await cutOff(page)).toEqual([])
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
])('of %j, which is no JSON, it tells the line and goes to the place', async (text, line, selected) => {
  const { page } = await open()
  await openTab(page, 'Components', mouse)
  await page.getByLabel('JSON').fill(text)
  await page.getByRole('button', { name: `Line ${line} From here on it is no JSON` }).click()
  const area = page.getByLabel('JSON')
  expect(
    await area.evaluate((element: HTMLTextAreaElement) => {
      return element.value.slice(element.selectionStart, element.selectionEnd)
    }),
  ).toBe(selected)
})

it('the policy lets the page run no script of another, and call nobody', async () => {
  const { page, violations } = await open()
  const reached = await page.evaluate(async () => {
    const inline = document.createElement('script')
    inline.textContent = 'window.ran = true'
    document.body.append(inline)
    const styled = document.createElement('style')
    styled.textContent = 'body { display: none }'
    document.body.append(styled)
    const called = await fetch('/').then(
      () => true,
      () => false,
    )
    return { ran: 'ran' in window, hidden: getComputedStyle(document.body).display === 'none', called }
  })
  expect(reached).toEqual({ ran: false, hidden: false, called: false })
  const broken = (await violations()).filter((line) => line.startsWith('policy'))
  const directives = broken.map((line) => line.split(' ')[1]).sort()
  expect(directives).toEqual(['connect-src', 'script-src-elem', 'style-src-elem'])
})
