import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

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
    typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
    testTimeout: 10_000,
    // A test that passes on the second try is a failing test.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**', 'mocks/**'], exclude: ['mocks/cli.ts'] },
  },
})
