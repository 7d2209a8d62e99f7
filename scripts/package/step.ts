import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs one command to its end and gives what it printed. One that fails says so with all it printed, and ends the run. */
export function step(name: string, cwd: string, command: string, args: readonly string[] = []): string {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', input: '', timeout: 180_000 })
  if (status !== 0) throw new Error(`${name} failed:\n${stdout}${stderr}`)
  console.log(`ok   ${name} (${Math.round(performance.now() - started)} ms)`)
  return stdout
}

/** A command that this project's development dependencies bring. */
export function tool(name: string): string {
  return `${root}node_modules/.bin/${name}`
}
