import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Builds the playground from the sources of the package, without a build of the package. */
export default defineConfig({
  root: path('.'),
  base: './',
  resolve: { tsconfigPaths: true },
  build: {
    outDir: path('../../dist-playground'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The page contains the whole mock service.
    chunkSizeWarningLimit: 1000,
  },
  // Passkeys require a host name instead of an IP address.
  preview: { host: 'localhost' },
})
