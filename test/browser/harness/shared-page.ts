import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { PATIENCE_MS } from '../../patience'

const VIEWPORT = { width: 1280, height: 720 }
/** Events that tests listen to. */
const EVENTS = ['console', 'dialog', 'framenavigated', 'pageerror', 'popup', 'request'] as const

/** A page that tests use one after the other, which takes a quarter of the CPU time of a new profile with a page. */
export interface SharedPage {
  /** Returns the page as if it were new: without cookies, storage, routes, listeners or emulation of earlier tests. */
  take(): Promise<Page>
}

/**
 * Shares a page, for tests that open one at a time and leave nothing else in the browser than what {@link SharedPage.take}
 * removes: no initial script, exposed function, session of DevTools, database or worker.
 */
export function sharePage(browser: Browser, options: BrowserContextOptions = {}): SharedPage {
  const { viewport = VIEWPORT } = options
  let context: BrowserContext | undefined
  let page: Page | undefined

  const create = async (): Promise<Page> => {
    context ??= await browser.newContext({ ...options, viewport })
    // Shorter than that of a test, so that a failure says what it waited for.
    context.setDefaultTimeout(PATIENCE_MS)
    return context.newPage()
  }
  const reset = async (page: Page): Promise<Page> => {
    for (const event of EVENTS) page.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const others = page.context().pages()
    await Promise.all(others.map((other) => other === page || other.close()))
    // The page of a test that waits for its client leaves here: what it still does must not be seen by the next.
    await page.evaluate(() => {
      if (origin === 'null') return
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: null, contrast: null })
    await page.setViewportSize(viewport ?? VIEWPORT)
    await page.mouse.move(0, 0)
    return page
  }
  return {
    async take() {
      page = page === undefined || page.isClosed() ? await create() : await reset(page)
      return page
    },
  }
}
