import { chromium, type Frame, type Page } from 'playwright-core'
import { addAuthenticator } from '../../../mocks/fixtures/authenticator'
import { launchOptions } from '../harness/chromium'
import { type Engine, poll, type Scriptable, type Tab, WAIT_MS } from './engine'

/** Starts Chromium, controlled with Playwright. */
export async function startChromium(): Promise<Engine> {
  // Playwright turns the back/forward cache off by default.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  const browser = await chromium.launch({ ...launchOptions(), ignoreDefaultArgs })
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  context.setDefaultTimeout(WAIT_MS)
  const pages = new WeakMap<Tab, Page>()
  const pageOf = (tab: Tab): Page => {
    const page = pages.get(tab)
    if (page === undefined) throw new Error('The tab belongs to another browser.')
    return page
  }
  return {
    name: 'Chromium',
    version: browser.version(),
    async open(url) {
      const page = await context.newPage()
      await page.goto(url)
      const tab = tabOf(page)
      pages.set(tab, page)
      return tab
    },
    addAuthenticator: (tab) => addAuthenticator(pageOf(tab)),
    cookies: (tab) => context.cookies(pageOf(tab).url()),
    async reset() {
      await Promise.all(context.pages().map((page) => page.close()))
      await context.clearCookies()
    },
    close: () => browser.close(),
  }
}

function tabOf(page: Page): Tab {
  return {
    ...scriptable(page),
    goto: async (url) => void (await page.goto(url)),
    // A page from the cache does not load again.
    back: async () => void (await page.goBack({ waitUntil: 'commit' })),
    reload: async () => void (await page.reload()),
    title: () => page.title(),
    click: (selector) => page.locator(selector).first().click(),
    type: (selector, text) => page.locator(selector).first().pressSequentially(text),
    press: (key) => page.keyboard.press(key),
    async frame() {
      const [, frame] = page.frames()
      if (frame === undefined) throw new Error('The page has no iframe.')
      return scriptable(frame)
    },
  }
}

function scriptable(document: Page | Frame): Scriptable {
  // As a string, because the types of Playwright expect an argument that may contain its handles.
  const evaluate = <A, R>(call: (arg: A) => R | Promise<R>, arg?: A): Promise<R> =>
    document.evaluate<R>(`(${call})(${JSON.stringify(arg ?? null)})`)
  return { evaluate, waitFor: <A>(call: (arg: A) => unknown, arg?: A) => poll(() => evaluate(call, arg), String(call)) }
}
