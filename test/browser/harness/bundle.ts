import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Those in `pages/`. */
const PAGES = ['page', 'mocked', 'strict']

/** The scripts of the pages by file name, bundled from the sources as an application's build would. */
export async function bundle(): Promise<ReadonlyMap<string, string>> {
  const result = await build({
    configFile: false,
    root: path('../pages'),
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^rapport-sdk$/, replacement: path('../../../src/index.ts') },
        { find: /^rapport-sdk\/(components|webauthn|storage)$/, replacement: path('../../../src/$1/index.ts') },
        { find: /^rapport-sdk\/mocks$/, replacement: path('../../../mocks/index.ts') },
        { find: /^rapport-sdk\/mocks\/msw$/, replacement: path('../../../mocks/msw.ts') },
      ],
    },
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
