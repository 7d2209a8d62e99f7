import { execFile } from 'node:child_process'
import { root } from './sources'

/** What a child process printed, and whether it ended well. */
export interface Run {
  readonly failed: boolean
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

/** Runs a TypeScript file in a process of its own. It must end by itself within `timeout` milliseconds. */
export function runTypeScript(file: string, imports: readonly string[] = [], timeout = 30_000): Promise<Run> {
  return runNode([...['tsx', ...imports].flatMap((path) => ['--import', path]), file], timeout)
}

/** Runs a test file of Vitest in a process of its own. */
export function runTestFile(file: string, timeout = 60_000): Promise<Run> {
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--typecheck.enabled=false', file], timeout)
}

function runNode(args: readonly string[], timeout: number): Promise<Run> {
  const started = performance.now()
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1' }
    execFile(process.execPath, args, { cwd: root, timeout, env }, (error, stdout, stderr) => {
      const late = error?.killed ? `\nIt did not end by itself within ${timeout} ms.` : ''
      const milliseconds = Math.round(performance.now() - started)
      resolve({ failed: error !== null, stdout, stderr: stderr + late, milliseconds })
    }).stdin?.end()
  })
}

/** Calls `job` for each item, `width` at a time, and gives the results in the order of the items. */
export async function inParallel<T, R>(items: readonly T[], width: number, job: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await job(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
