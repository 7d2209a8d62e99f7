import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createMockService, type MockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { type ListenOptions, listen, type MockServer } from 'rapport-sdk/mocks/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { PATIENCE_MS } from '../../patience'
import { type PageServer, servePages } from './page-server'
import { connectBrowser, type SharedPage, sharePage } from './shared-page'

/** State of the mutation tests (`scripts/mutation`), in a process or on a page. */
interface MutationState {
  readonly activeMutant?: string | undefined
  readonly currentTestId?: string | undefined
  /** How often each test has run the code of each mutant. */
  mutantCoverage?: { readonly static: object; readonly perTest: Record<string, object> }
}

declare global {
  var __stryker__: MutationState | undefined
}

/** Activates the mutant of this process on the pages of a profile, whose scripts contain all mutants. */
async function activateMutant(profile: BrowserContext): Promise<void> {
  if (globalThis.__stryker__ === undefined) return
  const { activeMutant, currentTestId } = globalThis.__stryker__
  await profile.addInitScript(
    (state) => {
      globalThis.__stryker__ = state
    },
    { activeMutant, currentTestId },
  )
}

/** Adds the mutants whose code the pages of a profile have run to those of this process. */
async function collectMutants(profile: BrowserContext): Promise<void> {
  const state = globalThis.__stryker__
  if (state === undefined) return
  for (const page of profile.pages()) {
    const coverage = await page.evaluate(() => globalThis.__stryker__?.mutantCoverage)
    state.mutantCoverage ??= { static: {}, perTest: {} }
    for (const [test, mutants] of Object.entries(coverage?.perTest ?? {})) {
      state.mutantCoverage.perTest[test] = { ...state.mutantCoverage.perTest[test], ...mutants }
    }
  }
}

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
  /** Goes to a URL in the shared page, or else in a new profile. `prepare` gets the page before. */
  goTo(url: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page>
  /** Opens a page of `pages/` by its name, in `profile`, or else in the shared page or a new profile. */
  open(name: string, profile?: BrowserContext): Promise<Page>
  /** Returns a function that calls `create` once for each key, for tests that measure the same state: its data, not its page. */
  remember<T>(create: (key: string) => Promise<T>): (key: string) => Promise<T>
  /** Starts a service for one test, whose passkeys work on the pages. */
  serve(options?: MockServiceOptions, listenOptions?: ListenOptions): Promise<ServedMock>
}

/**
 * Connects the tests of a file to the browser. Closes what a test has opened. With `shared`, what `open` opens without a
 * profile is a page with these options that all tests share, see {@link sharePage}.
 */
export function browserHarness({ shared }: { readonly shared?: BrowserContextOptions } = {}): BrowserHarness {
  let browser: Browser
  let pages: PageServer
  let sharedPage: SharedPage | undefined
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    ;[browser, pages] = await Promise.all([connectBrowser(), servePages()])
    // The state of mutation tests is of a profile and a test.
    if (shared && globalThis.__stryker__ === undefined) sharedPage = sharePage(browser, shared)
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
    async goTo(url, prepare) {
      if (sharedPage) return sharedPage.take(url, prepare)
      const page = await (await profile()).newPage()
      await prepare?.(page)
      await page.goto(url)
      return page
    },
    async open(name, context) {
      const url = `${pages.origin}/${name}`
      if (sharedPage && !context) return sharedPage.take(url)
      const page = await (context ?? (await profile())).newPage()
      await page.goto(url)
      return page
    },
    remember<T>(create: (key: string) => Promise<T>) {
      const values = new Map<string, Promise<T>>()
      return (key: string) => {
        const value = values.get(key) ?? create(key)
        // The mutants that a test runs are recorded for it alone.
        if (globalThis.__stryker__ === undefined) values.set(key, value)
        return value
      }
    },
    async serve(options = {}, listenOptions = {}) {
      const service = createMockService({ rpId: 'localhost', ...options })
      const server = await listen(service, listenOptions)
      closing.push(() => service.close())
      return { service, server }
    },
  }
}
