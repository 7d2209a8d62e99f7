import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The browser of the tests in `test/browser`. */
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium'

/** What is left out where there is no browser, which is said in a line; an error where one is required. */
function withoutBrowser(): string[] {
  if (existsSync(CHROMIUM)) return []
  const hint = 'install it with `apt-get install -y chromium`, or set CHROMIUM to the path of one'
  if (process.env.RAPPORT_BROWSER === 'required') throw new Error(`The browser tests need Chromium: ${hint}.`)
  process.stderr.write(`The browser tests are left out, for want of Chromium: ${hint}.\n`)
  return ['test/browser/**']
}

const unit = {
  name: 'unit',
  include: ['test/**/*.test.ts'],
  exclude: [...configDefaults.exclude, 'test/browser/**'],
}

const browser = {
  name: 'browser',
  include: ['test/browser/**/*.test.ts'],
  exclude: [...configDefaults.exclude, ...withoutBrowser()],
  globalSetup: 'test/browser/harness/global-setup.ts',
}

const types = {
  name: 'types',
  include: [],
  typecheck: { enabled: true, only: true, include: ['test/types/**/*.test-d.ts'], tsconfig: 'test/types/tsconfig.json' },
}

export default defineConfig({
  resolve: {
    // Tests import the package by name, as users do; it resolves to the sources, so no build is needed.
    alias: [
      { find: /^rapport-sdk$/, replacement: source('src/index.ts') },
      { find: /^rapport-sdk\/(components|webauthn|preview|storage)$/, replacement: source('src/$1/index.ts') },
      { find: /^rapport-sdk\/mocks$/, replacement: source('mocks/index.ts') },
      { find: /^rapport-sdk\/mocks\/(msw|node)$/, replacement: source('mocks/$1.ts') },
    ],
  },
  test: {
    // Vitest would leave one core for itself, which mostly idles.
    maxWorkers: availableParallelism(),
    // Files of a worker share its modules: to import them anew for each of 250 files doubled the CPU time of the suite. A test that changes
    // a global puts it back. Processes, not threads: `test/cpu-time.ts` measures its process.
    isolate: false,
    pool: 'forks',
    setupFiles: 'test/clean-process.ts',
    env: { CHROMIUM },
    testTimeout: 10_000,
    // A test that passes on the second try is a failing test.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**', 'mocks/**'], exclude: ['mocks/cli.ts'] },
    projects: [
      { extends: true, test: unit },
      { extends: true, test: browser },
      { extends: true, test: types },
    ],
  },
})
