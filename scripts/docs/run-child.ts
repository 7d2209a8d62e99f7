import { execFile } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { root } from './sources'

/** The output of a module, and whether it failed. */
export interface Run {
  readonly failed: boolean
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

/**
 * Runs a module in a thread of its own, which must exit within `timeout` milliseconds: with globals and modules of its own, as a
 * process, which takes nearly twice the CPU time.
 */
export async function runModule(file: string, imports: readonly string[] = [], timeout = 300_000): Promise<Run> {
  const args = imports.flatMap((path) => ['--import', path])
  const run = await runThread(file, args, timeout)
  if (!run.failed) return run
  // Reading source maps takes a third of a run, so only a module that has failed runs again with them, for its stack traces.
  const mapped = await runNode(['--enable-source-maps', ...args, file], timeout)
  return mapped.failed ? mapped : run
}

async function runThread(file: string, execArgv: string[], timeout: number): Promise<Run> {
  const started = performance.now()
  const env = { ...process.env, NO_COLOR: '1' }
  const worker = new Worker(pathToFileURL(file), { execArgv, env, stdin: true, stdout: true, stderr: true })
  worker.stdin?.end()
  let problem = ''
  const timer = setTimeout(() => {
    problem = `\nIt did not exit within ${timeout} ms.`
    void worker.terminate()
  }, timeout)
  worker.on('error', (error) => {
    problem += `\n${error instanceof Error ? error.stack : error}`
  })
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve))
  const [code, stdout, stderr] = await Promise.all([exited, text(worker.stdout), text(worker.stderr)])
  clearTimeout(timer)
  const milliseconds = Math.round(performance.now() - started)
  return { failed: code !== 0 || problem !== '', stdout, stderr: stderr + problem, milliseconds }
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
