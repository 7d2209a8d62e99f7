import { spawn } from 'node:child_process'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, onTestFinished } from 'vitest'

/** Lines that each of the programs prints. */
const OUTPUT = `\
Ada signs in: the password is right, and a second factor is required
Ada signs in: the code is right
Ada ends a session: refused with 60003, methods: totp
Ada ends a session: verified; sessions left: 1
Linus registers: a code of 6 digits by SMS, and he is signed in
Grace signs in: with the link in the mail password_reset
Ada connects: Hello, a heartbeat every 41250 ms
Ada connects: READY
Ada connects: the heartbeat is acknowledged
Ada receives RELATIONSHIP_ADD: a request of grace: From the chess club
Ada's friends: grace
Ada removes grace: no response; friends left: 0
A test waits for a request: GET /auth/location-metadata 200
A test counts requests: 1
A test verifies requests: Expected at least one request, got 0
A stub responds: 7 2 Chess club
`

/** What a program printed, and its exit code. */
interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program; the test ends it. */
export function run([command = '', ...options]: readonly string[], args: readonly string[]): Promise<Run> {
  // A proxy of this machine cannot reach the mock.
  const child = spawn(command, [...options, ...args], {
    env: { ...process.env, no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Runs a program twice against one mock: the second run finds what the first one has left. */
export async function expectToSucceed(namespace: string, command: readonly string[], file: string): Promise<void> {
  const service = createMockService({ baseUrl: 'http://localhost' })
  // The default namespace has other data, which the program must not change.
  service.users.create({ login: 'ada@example.com', username: 'ada' })
  const requests = new Map<string, string[]>()
  const server = await listen(service, {
    onNamespace: (created, name) => {
      requests.set(name, [])
      created.onEvent((event) => {
        if (event.type === 'request') requests.get(name)?.push(`${event.request.status} ${event.request.endpoint}`)
      })
    },
  })
  onTestFinished(() => service.close())
  for (const _ of ['first', 'second']) {
    expect(await run(command, [file, server.url])).toEqual({ code: 0, stdout: OUTPUT, stderr: '' })
  }
  expect([...requests.keys()]).toEqual([namespace])
  const steps = requests.get(namespace) ?? []
  expect(steps.filter((line) => line === '401 Logout Auth Sessions')).toHaveLength(2)
  expect(steps.filter((line) => line === '204 Logout Auth Sessions')).toHaveLength(2)
  expect(steps.filter((line) => line === '200 Register Account')).toHaveLength(2)
  // The response of each run was lost.
  expect(steps.filter((line) => line === 'null Remove Relationship')).toHaveLength(2)
  expect(service.users.all()).toHaveLength(1)
  expect(service.journal.requests).toEqual([])
}

/** Runs a program against a mock whose list of friends fails. */
export async function expectToFail(command: readonly string[], file: string): Promise<void> {
  const service = createMockService({ baseUrl: 'http://localhost' })
  service.faults.on('Get Relationships', { status: 503 })
  const server = await listen(service)
  onTestFinished(() => service.close())
  const failed = await run(command, [file, server.url])
  expect(failed.code).not.toBe(0)
  expect(failed.stderr).toContain('failed: GET /users/@me/relationships: 503')
  expect(OUTPUT.startsWith(failed.stdout)).toBe(true)
  expect(failed.stdout).not.toContain('friends: grace')
}
