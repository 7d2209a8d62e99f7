import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { connectBrowser, type SharedPage, sharePage } from './harness/shared-page'

/** The playground in a tab. */
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

/**
 * Returns a function that opens the playground at a route, for the tests of one file. They share a profile, and the first
 * page of each test, see {@link sharePage}.
 */
export function openPlayground(): (route?: string, appearance?: Appearance) => Promise<OpenPlayground> {
  let browser: Browser
  let shared: SharedPage
  let first: Page | undefined
  let visits = 0
  const url = inject('playgroundUrl')
  const openBeside = async (first: Page, address: string, prepare: (page: Page) => Promise<unknown>) => {
    const page = await first.context().newPage()
    await prepare(page)
    await page.goto(address)
    return page
  }
  beforeAll(async () => {
    browser = await connectBrowser()
    shared = sharePage(
      browser,
      { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] },
      (profile) =>
        profile.addInitScript(() => {
          const reports: string[] = []
          Object.assign(window, { reports })
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
            reports.push(`policy: ${effectiveDirective} ${blockedURI}`)
          })
        }),
    )
  })
  afterEach(() => {
    first = undefined
  })
  afterAll(() => browser?.close())

  return async (route = '', { width = 1440, colorScheme = 'light' } = {}) => {
    const found: string[] = []
    const prepare = async (page: Page) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      page.on('pageerror', (error) => found.push(`exception: ${error.message}`))
      page.on('console', (message) => found.push(`console: ${message.text()}`))
      page.on('request', (request) => {
        const isOwn = request.url().startsWith(url) || request.url().startsWith('data:')
        if (!isOwn) found.push(`request: ${request.url()}`)
      })
      // What the page of an earlier test did until it was left.
      page.once('framenavigated', () => found.splice(0))
    }
    // Another fragment of the URL of the earlier test would not load the page.
    visits += 1
    const address = `${url}?${visits}#${route}`
    const page = await (first === undefined ? shared.take(address, prepare) : openBeside(first, address, prepare))
    first ??= page
    await page.locator('h1', { hasText: 'Rapport playground' }).waitFor()
    return {
      page,
      violations: async () => [...found, ...(await page.evaluate((): string[] => Reflect.get(window, 'reports')))],
    }
  }
}
