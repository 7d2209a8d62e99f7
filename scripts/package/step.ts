import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Path of the project, with a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command and returns its output. Throws with the output if the command fails. */
export function step(name: string, cwd: string, command: string, args: readonly string[] = []): string {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', input: '', timeout: 600_000 })
  if (status !== 0) throw new Error(`${name} failed:\n${stdout}${stderr}`)
  console.log(`ok   ${name} (${Math.round(performance.now() - started)} ms)`)
  return stdout
}

/** Returns the path of a command of a development dependency. */
export function tool(name: string): string {
  return `${root}node_modules/.bin/${name}`
}

/**
 * Returns the path of a compiler. Version 7 checks the same in a third of the CPU time, but has no API for TypeDoc and tsup, so
 * both are installed, and `node_modules/.bin/tsc` is either of them.
 */
export function compiler(version: 6 | 7): string {
  return `${root}node_modules/typescript${version === 7 ? '-7' : ''}/bin/tsc`
}
