import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createMockService, type MockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { type ListenOptions, listen, type MockServer } from 'rapport-sdk/mocks/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { PATIENCE_MS } from '../../patience'
import { connectBrowser } from './connect-browser'
import { activateMutant, collectMutants } from './mutants'
import { type PageServer, servePages } from './page-server'

/** A mock service that listens on loopback. */
export interface ServedMock {
  readonly service: MockService
  readonly server: MockServer
}

/** The browser connection and the page server that the tests of a file share. */
export interface BrowserHarness {
  /** The page server. */
  readonly pages: PageServer
  /** Creates a browser profile, which is closed after the test. */
  profile(): Promise<BrowserContext>
  /** Opens a page of `pages/` by its name, in `profile` or in a new one. */
  open(name: string, profile?: BrowserContext): Promise<Page>
  /** Starts a service for one test, whose passkeys work on the pages. */
  serve(options?: MockServiceOptions, listenOptions?: ListenOptions): Promise<ServedMock>
}

/** Connects the tests of a file to the browser. Closes what a test has opened. */
export function browserHarness(): BrowserHarness {
  let browser: Browser
  let pages: PageServer
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    ;[browser, pages] = await Promise.all([connectBrowser(), servePages()])
  })
  afterEach(async () => {
    pages.setPolicy('')
    await Promise.all(closing.splice(0).map((close) => close()))
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), pages?.close()])
  })

  const profile = async (): Promise<BrowserContext> => {
    const context = await browser.newContext()
    // Shorter than that of a test, so that a failure says what it waited for.
    context.setDefaultTimeout(PATIENCE_MS)
    await activateMutant(context)
    closing.push(async () => {
      await collectMutants(context)
      await context.close()
    })
    return context
  }
  return {
    get pages() {
      return pages
    },
    profile,
    async open(name, context) {
      const page = await (context ?? (await profile())).newPage()
      await page.goto(`${pages.origin}/${name}`)
      return page
    },
    async serve(options = {}, listenOptions = {}) {
      const service = createMockService({ rpId: 'localhost', ...options })
      const server = await listen(service, listenOptions)
      closing.push(() => service.close())
      return { service, server }
    },
  }
}
