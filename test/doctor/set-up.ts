import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { ClientOptions, GatewayProtocol } from 'rapport-sdk'
import { Client } from 'rapport-sdk'
import { clientOptions, type ServiceFacts } from 'rapport-sdk/doctor'
import type { MockService, MockUser } from 'rapport-sdk/mocks'
import { expect, onTestFinished } from 'vitest'
import { runDoctor } from '../../src/doctor/command'
import type { createTerminal } from '../node/passed-terminal'
import { PRIVATE } from './odd-service'

interface Setting {
  readonly env?: Readonly<Record<string, string>>
  readonly terminal?: ReturnType<typeof createTerminal>
  /** Whether the output is a terminal. */
  readonly isTTY?: boolean
}

/** Runs the command; returns its exit code and everything that it printed. */
export async function run(args: readonly string[], { env = {}, terminal, isTTY = false }: Setting = {}) {
  const outputs = [new PassThrough(), terminal?.output ?? new PassThrough()] as const
  const printed = ['', '']
  outputs.forEach((stream, index) => void stream.on('data', (chunk) => (printed[index] += String(chunk))))
  const [output, messages] = [Object.assign(outputs[0], { isTTY }), outputs[1]]
  const input = Object.assign(terminal?.input ?? new PassThrough(), { isTTY: terminal !== undefined })
  const { signal } = new AbortController()
  const code = await runDoctor(args, { env, input, output, messages, signal, intervalMs: 0 })
  return { code, output: printed[0] ?? '', messages: printed[1] ?? '' }
}

/** Expects that a text contains nothing private. */
export function expectMasked(text: string): void {
  for (const [name, value] of Object.entries(PRIVATE)) expect(text, name).not.toContain(value)
}

/** Returns the environment with a token of Ada, an account of `rapport-mock`. */
export async function tokenOfAda(url: string) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/_mock/tokens`, { method: 'POST', headers, body: '{"user":"ada"}' })
  const { token } = await response.json()
  return { RAPPORT_TOKEN: String(token) }
}

/** Environment with the token of the service. */
export const env = { RAPPORT_TOKEN: PRIVATE.token }

/** Creates a client of a mock and of its gateway, which verifies with the backup codes of a user. */
export function createMockClient({ baseUrl, fetch, WebSocket, gateway, users }: MockService, user: MockUser): Client {
  const backupCodes = [...users.backupCodes(user)]
  const client = new Client({
    ...{ baseUrl, fetch, gateway: { url: gateway.url, WebSocket } },
    onMfaRequired: () => ({ type: 'backup', code: backupCodes.pop() ?? '' }),
  })
  onTestFinished(() => client.dispose())
  return client
}

/** Returns what the module of the written options exports. */
export async function importOptions(
  facts: ServiceFacts,
): Promise<{ options: Partial<ClientOptions>; protocol: GatewayProtocol }> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-written-options-'))
  try {
    const file = join(folder, 'options.ts')
    await writeFile(file, clientOptions(facts))
    // Vitest compiles it, and its `rapport-sdk` are the sources.
    return await import(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
