import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'

/** Starts `rapport-mock` in its own process; the test ends it. */
export function startMock(...args: string[]) {
  return startMockWith({}, ...args)
}

/** Starts `rapport-mock` with environment variables. */
export function startMockWith(env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'mocks/cli.ts', ...args], {
    env: { ...process.env, ...env },
  })
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
  await expect.poll(() => output.stdout, { timeout: 45_000 }).toMatch(/Ctrl\+C|"listening"/)
  return /https?:\/\/[^\s"]+/.exec(output.stdout)?.[0] ?? ''
}
