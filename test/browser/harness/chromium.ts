import { type Browser, chromium } from 'playwright-core'

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

/** Starts the Chromium that `vitest.config.ts` has found. It is to be closed when the file's tests are done. */
export function launch(): Promise<Browser> {
  const { CHROMIUM = '' } = process.env
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}
