import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Builds the playground from the sources of the package, so that no build of that is needed. */
export default defineConfig({
  root: path('.'),
  base: './',
  resolve: {
    alias: [
      { find: /^rapport-sdk$/, replacement: path('../../src/index.ts') },
      { find: /^rapport-sdk\/(components|webauthn|preview)$/, replacement: path('../../src/$1/index.ts') },
      { find: /^rapport-sdk\/mocks$/, replacement: path('../../mocks/index.ts') },
    ],
  },
  build: {
    outDir: path('../../dist-playground'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The page holds a whole service.
    chunkSizeWarningLimit: 1000,
  },
  // Passkeys want a name, not an address.
  preview: { host: 'localhost' },
})
