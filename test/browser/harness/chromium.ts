import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

// The tests use only loopback, so background requests of the browser are disabled.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Maximum time in which Chromium starts, in milliseconds. */
const START_MS = 180_000

/** Returns the options to start the Chromium that `vitest.config.ts` found. */
export function launchOptions(): LaunchOptions {
  const { CHROMIUM = '/usr/bin/chromium' } = process.env
  return { executablePath: CHROMIUM, args: FLAGS, timeout: START_MS }
}

/**
 * Returns the options to start Chromium's headless shell, if there is one: the same engine without tabs, which opens a page
 * in a quarter of the time.
 */
export function shellOptions(): LaunchOptions {
  const { CHROMIUM_SHELL = '/usr/bin/chromium-headless-shell' } = process.env
  const options = launchOptions()
  return existsSync(CHROMIUM_SHELL) ? { ...options, executablePath: CHROMIUM_SHELL } : options
}

/** Starts a Chromium for a script. */
export function launch(): Promise<Browser> {
  return chromium.launch(launchOptions())
}
