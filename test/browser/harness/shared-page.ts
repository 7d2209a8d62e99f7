import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { PATIENCE_MS } from '../../patience'

const VIEWPORT = { width: 1280, height: 720 }
/** Events that tests listen to. */
const EVENTS = ['console', 'dialog', 'framenavigated', 'pageerror', 'popup', 'request'] as const

/** Connects to the Chromium of the test run. `close()` closes only the pages of this connection. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'))
}

/** A page that tests use one after the other, which takes a quarter of the CPU time of a new profile with a page. */
export interface SharedPage {
  /**
   * Returns the page as if it were new: without cookies, storage, routes, listeners or emulation of earlier tests. With
   * `url`, it goes there, which takes two thirds of the CPU time that it takes from a blank page.
   */
  take(url?: string): Promise<Page>
}

/**
 * Shares a page, for tests that take one and leave nothing else in the browser than what {@link SharedPage.take} removes: no
 * initial script, exposed function, session of DevTools, database or worker. One that leaves such closes the page. `prepare`
 * gets the profile before its first page.
 */
export function sharePage(
  browser: Browser,
  options: BrowserContextOptions = {},
  prepare?: (profile: BrowserContext) => Promise<unknown>,
): SharedPage {
  const { viewport = VIEWPORT, reducedMotion = null } = options
  let context: BrowserContext | undefined
  let page: Page | undefined

  const create = async (): Promise<Page> => {
    if (context === undefined) {
      context = await browser.newContext({ ...options, viewport })
      // Shorter than that of a test, so that a failure says what it waited for.
      context.setDefaultTimeout(PATIENCE_MS)
      await prepare?.(context)
    }
    return context.newPage()
  }
  const reset = async (page: Page, isBlank: boolean): Promise<void> => {
    for (const event of EVENTS) page.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // The page of a test that waits for its client leaves here: what it still does must not be seen by the next, such as what
    // it writes into storage when it is left.
    await page.evaluate(() => {
      if (origin === 'null') return
      const clear = () => {
        localStorage.clear()
        sessionStorage.clear()
      }
      clear()
      addEventListener('pagehide', clear)
    })
    if (isBlank) await page.goto('about:blank')
    await page.context().clearCookies()
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion, contrast: null })
    await page.setViewportSize(viewport ?? VIEWPORT)
    await page.mouse.move(0, 0)
  }
  return {
    async take(url) {
      const others = context?.pages().filter((other) => other !== page)
      await Promise.all(others?.map((other) => other.close()) ?? [])
      if (page === undefined || page.isClosed()) page = await create()
      else await reset(page, url === undefined)
      if (url !== undefined) await page.goto(url)
      return page
    },
  }
}
