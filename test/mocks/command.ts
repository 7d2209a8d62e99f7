import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { bundledScript, temporaryFolder } from '../temporary-files'

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

/** An entry of a recording. */
export interface Entry {
  readonly kind: string
  readonly order: number
  readonly account: string | null
  readonly endpoint?: string
  readonly request: { path: string; query: Record<string, string>; headers: Record<string, string>; body?: unknown }
  readonly response: { status: number; headers: Record<string, string>; body?: unknown }
  readonly [field: string]: unknown
}

/** Returns the path of a file that does not exist, in a folder that is removed after the test. */
export function newFile(name = 'recording.json'): string {
  const folder = temporaryFolder()
  return join(folder, name)
}

/** Starts a proxy that records the calls to `service`. */
export async function startRecording(
  startMock: ReturnType<typeof mockCommand>['startMock'],
  service: string,
  ...args: string[]
) {
  const file = newFile()
  const { child, output, ended } = startMock('--port', '0', '--proxy', service, '--record', file, ...args)
  const url = await urlOf(output)
  const text = () => readFileSync(file, 'utf8')
  return {
    url,
    gatewayUrl: /wss?:\/\/[^\s"]+/.exec(output.stdout)?.[0] ?? '',
    file,
    output,
    text,
    entries: (): Entry[] => JSON.parse(text()).entries,
    /** Returns what was recorded of each call: endpoint, status and account. */
    calls: () =>
      (JSON.parse(text()).entries as Entry[]).flatMap(({ kind, endpoint, response, account }) =>
        kind === 'call' ? [[endpoint, response.status, account]] : [],
      ),
    async stop() {
      child.kill('SIGTERM')
      return await ended
    },
  }
}
