import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { PATIENCE_MS } from '../patience'
import { connectBrowser } from './harness/connect-browser'

/** The playground in a new tab. */
export interface OpenPlayground {
  readonly page: Page
  /** Returns what the page must not do: policy violations, exceptions, console messages and external requests. */
  violations(): Promise<string[]>
}

/** Viewport and color scheme. */
export interface Appearance {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

/** Returns a function that opens the playground at a route, for the tests of one file. They share a browser profile. */
export function openPlayground(): (route?: string, appearance?: Appearance) => Promise<OpenPlayground> {
  let browser: Browser
  let context: BrowserContext
  const url = inject('playgroundUrl')
  beforeAll(async () => {
    browser = await connectBrowser()
    context = await browser.newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] })
    // Shorter than that of a test, so that a failure says what it waited for.
    context.setDefaultTimeout(PATIENCE_MS)
    await context.addInitScript(() => {
      const reports: string[] = []
      Object.assign(window, { reports })
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        reports.push(`policy: ${effectiveDirective} ${blockedURI}`)
      })
    })
  })
  afterEach(async () => {
    await Promise.all(context.pages().map((page) => page.close()))
  })
  afterAll(() => browser?.close())

  return async (route = '', { width = 1440, colorScheme = 'light' } = {}) => {
    const page = await context.newPage()
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const found: string[] = []
    page.on('pageerror', (error) => found.push(`exception: ${error.message}`))
    page.on('console', (message) => found.push(`console: ${message.text()}`))
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(url) || request.url().startsWith('data:')
      if (!isOwn) found.push(`request: ${request.url()}`)
    })
    await page.goto(`${url}#${route}`)
    await page.getByRole('heading', { name: 'Rapport playground' }).waitFor()
    return {
      page,
      violations: async () => [...found, ...(await page.evaluate((): string[] => Reflect.get(window, 'reports')))],
    }
  }
}
