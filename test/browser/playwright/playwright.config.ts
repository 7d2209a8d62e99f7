import { defineConfig } from '@playwright/test'
import { shellOptions } from '../harness/chromium'

const { PAGES = '', SPECS = '' } = process.env

/** For the tests of fixtures, which `playwright-fixtures.test.ts` bundles to `SPECS`; `PAGES` is the origin of their pages. */
export default defineConfig({
  testDir: SPECS,
  outputDir: `${SPECS}/output`,
  timeout: 300_000,
  workers: 2,
  fullyParallel: true,
  use: { baseURL: PAGES, launchOptions: shellOptions() },
})
