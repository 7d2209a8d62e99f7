import { cpSync } from 'node:fs'
import { step } from '../package/step'
import { commandOf, installed } from './install'
import { ESBUILD } from './runtimes'

/** Bundles the worker of workerd/ for each way to load the package. The package has to be installed in `folder`. */
export function bundleWorkers(folder: string): void {
  cpSync(new URL('./workerd', import.meta.url), folder, { recursive: true })
  const esbuild = commandOf(installed('esbuild', ESBUILD), 'esbuild')
  for (const [loader, entry] of [
    ['ESM', 'worker-import.mjs'],
    ['CJS', 'worker-require.cjs'],
  ] as const) {
    step(`bundle ${entry}`, folder, esbuild, [
      ...[entry, '--bundle', `--outfile=${bundleOf(loader)}`, '--log-level=warning'],
      ...['--format=esm', '--platform=neutral', '--target=es2022', '--conditions=worker,browser'],
      // Without its field `browser`, isomorphic-ws brings `ws`, which is for Node.
      '--main-fields=browser,module,main',
      '--alias:node:assert/strict=./assert.cjs',
    ])
  }
}

/** The file of the bundle, from the package loaded as `ESM` or `CJS`. */
export function bundleOf(loader: string): string {
  return `worker-${loader}.js`
}
