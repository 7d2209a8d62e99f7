import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createMockService, type MockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { listen, type MockServer } from 'rapport-sdk/mocks/node'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { connect } from './connect'
import { type PageServer, servePages } from './page-server'

/** A service that listens for the pages. */
export interface Served {
  readonly service: MockService
  readonly server: MockServer
}

/** What the tests of a file share: a connection to the browser, and one server of pages. */
export interface BrowserWorld {
  /** The server of pages. */
  readonly pages: PageServer
  /** A browser profile of its own, which ends with its test. */
  profile(): Promise<BrowserContext>
  /** A page of `pages/`, by its name, in a profile; its own one when none is given. */
  open(name: string, profile?: BrowserContext): Promise<Page>
  /** A service for one test, whose passkeys are the pages'. */
  serve(options?: MockServiceOptions): Promise<Served>
}

/** Connects to the browser for the tests of the file that calls it. What a test opens is closed when it ends. */
export function browserWorld(): BrowserWorld {
  // A browser that starts on a busy machine takes its time.
  vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })
  let browser: Browser
  let pages: PageServer
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    ;[browser, pages] = await Promise.all([connect(), servePages()])
  })
  afterEach(async () => {
    pages.protect('')
    await Promise.all(closing.splice(0).map((close) => close()))
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), pages?.close()])
  })

  const profile = async (): Promise<BrowserContext> => {
    const context = await browser.newContext()
    closing.push(() => context.close())
    return context
  }
  return {
    get pages() {
      return pages
    },
    profile,
    async open(name, given) {
      const page = await (given ?? (await profile())).newPage()
      await page.goto(`${pages.origin}/${name}`)
      return page
    },
    async serve(options = {}) {
      const service = createMockService({ rpId: 'localhost', ...options })
      const server = await listen(service)
      closing.push(() => service.close())
      return { service, server }
    },
  }
}
