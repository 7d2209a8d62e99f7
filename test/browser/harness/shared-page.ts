import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
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
   * Goes to a URL as if the page were new: without cookies, storage, routes, listeners, emulation or authenticators of
   * earlier tests. `prepare` gets it before it leaves the page of the earlier test, since a blank one in between takes half
   * as long again.
   */
  take(url: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page>
}

/**
 * Shares a page, for tests that take one and leave nothing else in the browser than what {@link SharedPage.take} removes: no
 * initial script, exposed function, database or worker. One that leaves such closes the page. `prepareProfile` gets the
 * profile before its first page.
 */
export function sharePage(
  browser: Browser,
  options: BrowserContextOptions = {},
  prepareProfile?: (profile: BrowserContext) => Promise<unknown>,
): SharedPage {
  const { viewport = VIEWPORT, reducedMotion = null } = options
  let context: BrowserContext | undefined
  let page: Page | undefined
  const sessions: CDPSession[] = []

  const create = async (): Promise<Page> => {
    if (context === undefined) {
      context = await browser.newContext({ ...options, viewport })
      // Shorter than that of a test, so that a failure says what it waited for.
      context.setDefaultTimeout(PATIENCE_MS)
      await prepareProfile?.(context)
      const newSession = context.newCDPSession.bind(context)
      context.newCDPSession = async (target) => {
        const session = await newSession(target)
        sessions.push(session)
        return session
      }
    }
    return context.newPage()
  }
  const reset = async (page: Page): Promise<void> => {
    for (const event of EVENTS) page.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // With a session of DevTools, its authenticators leave. That of a page that was closed has left.
    await Promise.allSettled(sessions.splice(0).map((session) => session.detach()))
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
    await page.context().clearCookies()
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion, contrast: null })
    await page.setViewportSize(viewport ?? VIEWPORT)
    await page.mouse.move(0, 0)
  }
  return {
    async take(url, prepare) {
      const others = context?.pages().filter((other) => other !== page)
      await Promise.all(others?.map((other) => other.close()) ?? [])
      if (page === undefined || page.isClosed()) page = await create()
      else await reset(page)
      await prepare?.(page)
      await page.goto(url)
      return page
    },
  }
}
