// What a run of tests shows in Chromium, and the builds by Vite that pictures show too.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import type { TestProject } from 'vitest/node'
import { shellOptions } from './chromium'

declare module 'vitest' {
  export interface ProvidedContext {
    /** WebSocket endpoint of the headless Chromium of the run. */
    browserEndpoint: string
    /** Bundled scripts of `pages/`, by file name. */
    pageScripts: ReadonlyMap<string, string>
    playgroundUrl: string
  }
}

/** Starts Chromium and builds the pages and the playground once for all files in `test/browser`. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [browser, scripts, playground] = await Promise.all([
    chromium.launchServer(shellOptions()),
    bundlePages(),
    servePlayground(),
  ])
  provide('browserEndpoint', browser.wsEndpoint())
  provide('pageScripts', scripts)
  provide('playgroundUrl', playground.url)
  return async () => {
    await Promise.all([browser.close(), playground.close()])
  }
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Names of the scripts in `pages/`. */
const PAGES = ['page', 'languages', 'modals', 'msw-worker', 'strict-policy', 'worker', 'hydrated']

/** Bundles the scripts of the pages from the sources. Returns them by file name. */
export async function bundlePages(): Promise<ReadonlyMap<string, string>> {
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

/** The built playground and its server. */
interface ServedPlayground {
  readonly url: string
  close(): Promise<void>
}

/** Builds the playground into a temporary folder and serves it. */
export async function servePlayground(): Promise<ServedPlayground> {
  const outDir = await mkdtemp(join(tmpdir(), 'playground-'))
  const configFile = path('../../../examples/playground/vite.config.ts')
  const options = { configFile, logLevel: 'error', build: { outDir } } as const
  await build(options)
  const server = await preview({
    ...options,
    preview: { port: 0, open: false, cors: true, headers: { 'cache-control': 'max-age=86400' } },
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('The playground has no port.')
  return {
    url: `http://localhost:${address.port}/`,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
