import { defineConfig } from '@playwright/test'

const { BROWSER = '', PAGES = '', SPECS = '' } = process.env

/**
 * For the tests of fixtures, which `playwright-fixtures.test.ts` bundles to `SPECS`. They use the browser at `BROWSER`, and
 * the pages of the origin `PAGES`.
 */
export default defineConfig({
  testDir: SPECS,
  outputDir: `${SPECS}/output`,
  timeout: 300_000,
  workers: 2,
  fullyParallel: true,
  use: { baseURL: PAGES, connectOptions: { wsEndpoint: BROWSER } },
})
