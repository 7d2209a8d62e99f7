import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject, vi } from 'vitest'
import { connectBrowser } from './harness/connect-browser'

/** The playground in a new browser profile. */
export interface OpenPlayground {
  readonly page: Page
  /** Returns what the page must not do: policy violations, exceptions, console errors and external requests. */
  violations(): Promise<string[]>
}

/** Viewport width and color scheme. */
export interface Appearance {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

/** Returns a function that opens the playground, for the tests of one file. */
export function openPlayground(): (appearance?: Appearance) => Promise<OpenPlayground> {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  let browser: Browser
  const url = inject('playgroundUrl')
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  afterAll(() => browser?.close())

  return async ({ width = 1280, colorScheme = 'light' } = {}) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    contexts.push(context)
    const page = await context.newPage()
    const found: string[] = []
    page.on('pageerror', (error) => found.push(`exception: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') found.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(url) || request.url().startsWith('data:')
      if (!isOwn) found.push(`request: ${request.url()}`)
    })
    await page.addInitScript(() => {
      const reports: string[] = []
      Object.assign(window, { reports })
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        reports.push(`policy: ${effectiveDirective} ${blockedURI}`)
      })
    })
    await page.goto(url)
    await page.getByRole('heading', { name: 'Rapport playground' }).waitFor()
    return {
      page,
      violations: async () => [...found, ...(await page.evaluate((): string[] => Reflect.get(window, 'reports')))],
    }
  }
}
