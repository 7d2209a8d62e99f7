import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { bundledScript } from '../bundled-script'

/** Returns functions that start `rapport-mock` in its own process for the tests of a file; the test ends it. */
export function mockCommand() {
  const script = bundledScript('mocks/cli.ts')
  return {
    startMock: (...args: string[]) => start(script(), args, {}),
    /** Starts it with environment variables. */
    startMockWith: (env: Readonly<Record<string, string>>, ...args: string[]) => start(script(), args, env),
  }
}

function start(script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output, ended: once(child, 'close') as Promise<[number | null]> }
}

/** Waits until the command listens. @returns its URL. */
export async function urlOf(output: { stdout: string }): Promise<string> {
  await expect.poll(() => output.stdout).toMatch(/Ctrl\+C|"listening"/)
  return /https?:\/\/[^\s"]+/.exec(output.stdout)?.[0] ?? ''
}
