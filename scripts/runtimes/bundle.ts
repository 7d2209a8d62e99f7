import { cpSync } from 'node:fs'
import { step } from '../package/step'
import { commandOf, installTool } from './install'
import { ESBUILD } from './runtimes'

/** Bundles the worker of workerd/ for each module format. The package must be installed in `folder`. */
export function bundleWorkers(folder: string): void {
  cpSync(new URL('./workerd', import.meta.url), folder, { recursive: true })
  const esbuild = commandOf(installTool('esbuild', ESBUILD), 'esbuild')
  for (const [loader, entry] of [
    ['ESM', 'worker-import.mjs'],
    ['CJS', 'worker-require.cjs'],
  ] as const) {
    step(`bundle ${entry}`, folder, esbuild, [
      ...[entry, '--bundle', `--outfile=${bundleOf(loader)}`, '--log-level=warning'],
      ...['--format=esm', '--platform=neutral', '--target=es2022', '--conditions=worker,browser'],
      // Without the field `browser`, isomorphic-ws would load `ws`, which needs Node.
      '--main-fields=browser,module,main',
      '--alias:node:assert/strict=./assert.cjs',
    ])
  }
}

/** Returns the file name of the bundle for a module format, `ESM` or `CJS`. */
export function bundleOf(loader: string): string {
  return `worker-${loader}.js`
}
