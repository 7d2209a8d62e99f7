import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { bundlePages, servePlayground } from './builds'
import { shellOptions } from './chromium'

declare module 'vitest' {
  export interface ProvidedContext {
    /** WebSocket endpoint of the headless Chromium of the run. */
    browserEndpoint: string
    /** Bundled scripts of `pages/`, by file name. */
    pageScripts: ReadonlyMap<string, string>
    playgroundUrl: string
  }
}

/** Starts Chromium and builds the pages and the playground once for all files in `test/browser`. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [browser, scripts, playground] = await Promise.all([
    chromium.launchServer(shellOptions()),
    bundlePages(),
    servePlayground(),
  ])
  provide('browserEndpoint', browser.wsEndpoint())
  provide('pageScripts', scripts)
  provide('playgroundUrl', playground.url)
  return async () => {
    await Promise.all([browser.close(), playground.close()])
  }
}
