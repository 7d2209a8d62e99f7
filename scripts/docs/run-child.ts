import { execFile } from 'node:child_process'
import { root } from './sources'

/** The output of a child process, and whether it failed. */
export interface Run {
  readonly failed: boolean
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

/** Runs a module in its own process, which must exit within `timeout` milliseconds. */
export async function runModule(file: string, imports: readonly string[] = [], timeout = 300_000): Promise<Run> {
  const args = [...imports.flatMap((path) => ['--import', path]), file]
  const run = await runNode(args, timeout)
  if (!run.failed) return run
  // Reading source maps takes a third of a run, so only a module that has failed runs again with them, for its stack traces.
  const mapped = await runNode(['--enable-source-maps', ...args], timeout)
  return mapped.failed ? mapped : run
}

/** Runs the blocks that are Vitest test files. */
export function runTestFiles(timeout = 600_000): Promise<Run> {
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/docs/vitest.config.ts'], timeout)
}

function runNode(args: readonly string[], timeout: number): Promise<Run> {
  const started = performance.now()
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1' }
    execFile(process.execPath, args, { cwd: root, timeout, env }, (error, stdout, stderr) => {
      const late = error?.killed ? `\nIt did not exit within ${timeout} ms.` : ''
      const milliseconds = Math.round(performance.now() - started)
      resolve({ failed: error !== null, stdout, stderr: stderr + late, milliseconds })
    }).stdin?.end()
  })
}

/** Calls `job` for each item, `width` at a time. Returns the results in the order of the items. */
export async function inParallel<T, R>(items: readonly T[], width: number, job: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await job(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
