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

/**
 * What Playwright disables and matters here, since Chromium takes only the last list, and `RenderDocument`: a new frame for
 * each document, which is a quarter of the CPU time of going to a page.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsUpgrades',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'RenderDocument',
]
// The pages of a profile share a process, which is a third of the CPU time of a page.
const SHELL_FLAGS = [`--disable-features=${DISABLED_FEATURES}`, '--renderer-process-limit=1']

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
  if (!existsSync(CHROMIUM_SHELL)) return options
  return { ...options, executablePath: CHROMIUM_SHELL, args: [...FLAGS, ...SHELL_FLAGS] }
}

/** Starts a Chromium for a script. */
export function launch(): Promise<Browser> {
  return chromium.launch(launchOptions())
}
