import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Names of the scripts in `pages/`. */
const PAGES = ['page', 'languages', 'modals', 'msw-worker', 'strict-policy', 'worker', 'hydrated']

/** Bundles the scripts of the pages from the sources. Returns them by file name. */
export async function bundle(): Promise<ReadonlyMap<string, string>> {
  const result = await build({
    configFile: false,
    root: path('../pages'),
    logLevel: 'error',
    resolve: { tsconfigPaths: true },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: Object.fromEntries(PAGES.map((name) => [name, path(`../pages/${name}.ts`)])),
        preserveEntrySignatures: false,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
  const outputs = Array.isArray(result) ? result : 'output' in result ? [result] : []
  return new Map(
    outputs.flatMap(({ output }) =>
      output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])),
    ),
  )
}
