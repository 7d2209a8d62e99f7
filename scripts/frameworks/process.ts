import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process that listens. */
export interface Running {
  /** The line that says so. */
  readonly line: string
  /** What it has written. */
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** A command, where it runs, and what its environment has in addition. */
export interface Command {
  readonly cwd: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Times after which a command hangs, in milliseconds: until its end, and until it listens. */
const MAX_RUN_MS = 900_000
const MAX_START_MS = 120_000

/** Processes that end with this one, however that ends. Each leads a group: frameworks start further processes. */
const running = new Set<number>()
process.once('exit', () => {
  for (const pid of running) process.kill(-pid, 'SIGKILL')
})

const environment = (env: Command['env']) => ({
  ...process.env,
  ...{ DO_NOT_TRACK: '1', NEXT_TELEMETRY_DISABLED: '1' },
  ...env,
})

/** Runs a command to its end. Rejects with its output if it fails. */
export function run({ cwd, command, args, env }: Command): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: environment(env), timeout: MAX_RUN_MS, maxBuffer: 2 ** 26 }
    const child = execFile(command, args, options, (error, output, problems) => {
      if (error === null) resolve()
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${output}${problems}`))
    })
    child.stdin?.end()
  })
}

/** Starts a command and waits for the line of its output that contains `text`. */
export async function start({ cwd, command, args, env }: Command, text: string): Promise<Running> {
  const child = spawn(command, args, { cwd, env: environment(env), detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid !== undefined) {
    running.add(pid)
    child.once('exit', () => running.delete(pid))
  }
  const lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  const found = new Promise<string>((resolve, reject) => {
    const fail = (problem: string) => reject(new Error(`${command} ${problem}:\n${lines.join('\n')}`))
    timer = setTimeout(fail, MAX_START_MS, 'does not listen')
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        if (line.includes(text)) resolve(line)
      })
    }
    child.once('error', reject).once('exit', (code) => fail(`ended with code ${code}`))
  })
  try {
    return { line: await found, output: () => lines.join('\n'), stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exited
}
