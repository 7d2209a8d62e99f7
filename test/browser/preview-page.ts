import type { Browser, Page } from 'playwright-core'
import { toHtml } from 'rapport-sdk/preview'
import { afterAll, beforeAll } from 'vitest'
import { PATIENCE_MS } from '../patience'
import { connectBrowser } from './harness/shared-page'

/** Returns an empty image for every attachment. */
export const attachmentUrl = (): string => 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/**
 * Connects the tests of a file to the browser. Returns a function that opens a page without network access, which the
 * tests share: one that changes more than the content of the page closes it.
 */
export function previewBrowser(): (width?: number) => Promise<Page> {
  let browser: Browser
  let page: Page | undefined
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(() => browser?.close())
  return async (width = 1280) => {
    if (page === undefined || page.isClosed()) {
      page = await browser.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      await page.route('**', (route) => route.abort())
    }
    await page.setViewportSize({ width, height: 800 })
    return page
  }
}

/** Shows a preview on a page. */
export async function show(page: Page, value: unknown, theme: 'dark' | 'light' = 'light'): Promise<void> {
  const html = toHtml(value, { theme, attachmentUrl })
  await page.setContent(
    `<!doctype html><html lang="en"><head><title>A preview</title><style>body{margin:0}</style></head><body><main>${html}</main></body></html>`,
  )
}
