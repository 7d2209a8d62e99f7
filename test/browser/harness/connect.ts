import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/** Connects to the Chromium of the test run. `close()` ends only what this connection has opened. */
export function connect(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'))
}
