import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

// Nothing here reaches beyond loopback; what a browser fetches for itself would only take time.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How to start the Chromium that `vitest.config.ts` has found. */
export function launchOptions(): LaunchOptions {
  const { CHROMIUM = '/usr/bin/chromium' } = process.env
  return { executablePath: CHROMIUM, args: FLAGS }
}

/** Starts a Chromium of one's own, for scripts. */
export function launch(): Promise<Browser> {
  return chromium.launch(launchOptions())
}
