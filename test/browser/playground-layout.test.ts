import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations } from './axe'
import { openPlayground } from './playground-harness'
import { STATES } from './playground-states'

const open = openPlayground()

/** Returns the elements that overflow the page or their own width. Scrollable elements are ignored. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    const all = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility())
    const found = all.filter((element) => {
      if (element.closest('textarea, .gutter, select, pre')) return false
      // The closed drawer is below the page.
      if (getComputedStyle(element).visibility === 'hidden') return false
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
    [...document.querySelectorAll('button, input, select, textarea, summary, nav a')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < 32)
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  )
}

it.each(Object.entries(STATES))(
  'the state %s has no axe violations in light and dark, and fits into 390 and 1440 pixels',
  async (_, { route, reach }) => {
    const { page, violations } = await open(route)
    await reach(page)
    expect(await overflowing(page)).toEqual([])
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await overflowing(page)).toEqual([])
    expect(await tooSmall(page)).toEqual([])
    expect(await axeViolations(page)).toEqual([])
    expect(await violations()).toEqual([])
  },
)

describe('the editor of components', () => {
  it('fits each example into 390 pixels, and finds only the expected errors', async () => {
    const { page, violations } = await open('components', { width: 390 })
    const samples = await page.getByRole('navigation', { name: 'Examples' }).getByRole('link').allTextContents()
    expect(samples.length).toBe(4)
    for (const sample of samples) {
      await page.getByRole('link', { name: sample, exact: true }).click()
      const isInvalid = sample.includes('errors')
      await page.getByText(isInvalid ? 'Errors: 2' : 'No errors', { exact: true }).waitFor()
      expect(await page.locator('.issue.error').count()).toBe(isInvalid ? 2 : 0)
      expect(await page.locator('.issue.warning').count()).toBe(isInvalid ? 1 : 0)
      expect(await overflowing(page)).toEqual([])
    }
    expect(await violations()).toEqual([])
  })

  it('selects the value of an error, or the first invalid character, and marks its line', async () => {
    const { page } = await open('components')
    const area = page.getByLabel('JSON')
    const selected = () =>
      area.evaluate((element: HTMLTextAreaElement) => {
        return element.value.slice(element.selectionStart, element.selectionEnd)
      })
    for (const [text, line, character] of [
      ['{\n  "components": [\n    oops\n  ]\n}', 3, 'o'],
      ['{\n  "flags": 1,\n}', 3, '}'],
      ['{\n  "flags": 01\n}', 2, '1'],
      ['[\n  "a"\n  "b"]', 3, '"'],
      ['{\n  "a": "\\q"\n}', 2, '"'],
      ['{}\n\n!', 3, '!'],
      ['[\n', 2, ''],
    ] as const) {
      await area.fill(text)
      await page.getByRole('button', { name: `Line ${line} Invalid JSON from here on` }).click()
      expect(await selected()).toBe(character)
    }
    await page.getByText('This is of the last valid JSON.').first().waitFor()

    await page.getByRole('link', { name: 'A poll', exact: true }).click()
    await page.getByText('The JSON is broken').first().waitFor({ state: 'detached' })
    await area.fill((await area.inputValue()).replace('"vote:friday"', '"vote:monday"'))
    await page.getByRole('button', { name: 'duplicate custom_id' }).click()
    expect(await selected()).toBe('"vote:monday"')
    expect(await page.locator('.numbers .marked').count()).toBe(1)
  })

  it('handles thousands of levels of JSON', async () => {
    const { page, violations } = await open('components')
    const deep = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`
    for (const text of [deep(5000), '['.repeat(5000), '{"a":'.repeat(5000), deep(5000, 'oops')]) {
      await page.getByLabel('JSON').fill(text)
      await page.getByText(/^Errors: \d+$/).waitFor()
      await page.locator('.issue').first().click()
    }
    expect(await violations()).toEqual([])
  })
})

it('the policy of the playground blocks inline scripts, inline styles, requests and untrusted HTML', async () => {
  const { page, violations } = await open()
  const results = await page.evaluate(async () => {
    const styled = document.createElement('style')
    styled.textContent = 'body { display: none }'
    document.body.append(styled)
    const attempt = (run: () => void) => {
      try {
        run()
        return true
      } catch {
        return false
      }
    }
    const inline = document.createElement('script')
    const hasText = attempt(() => {
      inline.textContent = 'window.ran = true'
    })
    document.body.append(inline)
    const hasHtml = attempt(() => {
      document.createElement('p').innerHTML = '<b>untrusted</b>'
    })
    const fetched = await fetch('/').then(
      () => true,
      () => false,
    )
    return {
      ran: 'ran' in window,
      hasText,
      hasHtml,
      hidden: getComputedStyle(document.body).display === 'none',
      fetched,
    }
  })
  expect(results).toEqual({ ran: false, hasText: false, hasHtml: false, hidden: false, fetched: false })
  const reports = (await violations()).filter((line) => line.startsWith('policy'))
  const directives = new Set(reports.map((line) => line.split(' ')[1]))
  expect([...directives].sort()).toEqual(['connect-src', 'require-trusted-types-for', 'style-src-elem'])
})
