import { existsSync } from 'node:fs'
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
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...withoutBrowser()],
    env: { CHROMIUM },
    typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
    testTimeout: 10_000,
    // A test that passes on the second try is a failing test.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**', 'mocks/**'], exclude: ['mocks/cli.ts'] },
  },
})
