import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/** Connects to the Chromium of the test run. `close()` closes only the pages of this connection. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'))
}
