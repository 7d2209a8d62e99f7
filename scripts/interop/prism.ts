import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createMockService } from '../../mocks/index'
import { listen } from '../../mocks/node'
import { root, tool } from '../package/step'
import type { Documents } from './check-documents'
import { commandOf, install, nodeForTools, run, workFolder } from './process'
import { PRISM } from './tools'

/** A running Prism. */
interface Prism extends AsyncDisposable {
  readonly url: string
}

/** Starts Prism with a command of its own, `mock` or `proxy`, and waits until it listens. */
async function start(cwd: string, command: readonly string[]): Promise<Prism> {
  const port = await freePort()
  const prism = commandOf(join(cwd, '..'), 'prism')
  const child = spawn(await nodeForTools(), [prism, ...command, '--port', String(port)], { cwd })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk
      if (output.includes('is listening on')) resolve()
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    exited.then(() => reject(new Error(`Prism ended:\n${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Requests with a body that violates one rule, and with a valid one. */
const BODIES: readonly (readonly [call: string, invalid: unknown, valid: unknown])[] = [
  ['POST /auth/login', { login: 'a', password: 'short' }, { login: 'a', password: 'correct horse' }],
  ['POST /auth/register', { global_name: null }, { global_name: 'Ada' }],
  [
    'POST /auth/register',
    { username: 'a', date_of_birth: '2023-02-29' },
    { username: 'a', date_of_birth: '2024-02-29' },
  ],
  ['POST /auth/register/phone', { phone: '15550100' }, { phone: '+15550100' }],
  [
    'PUT /users/@me/widgets',
    { widgets: [{ data: { type: 'current_games' } }, { data: { type: 'current_games' } }] },
    { widgets: [{ data: { type: 'current_games' } }, { data: { type: 'played_games' } }] },
  ],
  [
    'PUT /users/@me/widgets',
    { widgets: [{ data: { type: 'favorite_games', games: [{ game_id: '1' }, { game_id: '2' }] } }] },
    { widgets: [{ data: { type: 'current_games', games: [{ game_id: '1' }, { game_id: '2' }] } }] },
  ],
  [
    'PUT /users/@me/widgets',
    { widgets: [{ data: { type: 'current_games', games: [{ game_id: '1', tags: ['noob', 'expert'] }] } }] },
    { widgets: [{ data: { type: 'current_games', games: [{ game_id: '1', tags: ['noob', 'love_it'] }] } }] },
  ],
  [
    'PATCH /applications/1/users/2/identities/3/profile',
    { metadata: { ['k'.repeat(1025)]: 1 } },
    { metadata: { k: 1 } },
  ],
  [
    'PATCH /applications/1/users/2/identities/3/profile',
    { metadata: { k: 'v'.repeat(1025) } },
    { metadata: { k: 'v' } },
  ],
  [
    'PATCH /applications/1/users/2/identities/3/profile',
    { data: { dynamic: [{ name: 'level', type: 2, value: '7' }] } },
    { data: { dynamic: [{ name: 'level', type: 2, value: 7 }] } },
  ],
]

async function send(baseUrl: string, call: string, body: unknown): Promise<Response> {
  const [method = '', path = ''] = call.split(' ')
  const headers = { 'content-type': 'application/json', authorization: 'a token' }
  return fetch(baseUrl + path, { method, headers, body: JSON.stringify(body) })
}

/** Uses Prism as a mock: it must refuse each invalid body, and answer each valid one by the document. */
export async function mockWithPrism({ openapi }: Documents): Promise<string> {
  const cwd = workFolder(await install(PRISM), { 'openapi.json': openapi })
  await using prism = await start(cwd, ['mock', 'openapi.json'])
  for (const [call, invalid, valid] of BODIES) {
    assert.equal((await send(prism.url, call, invalid)).status, 422, `${call} ${JSON.stringify(invalid)}`)
    assert.ok((await send(prism.url, call, valid)).ok, `${call} ${JSON.stringify(valid)}`)
  }
  return `refuses ${BODIES.length} violations of rules, answers the valid twins`
}

/** Uses Prism as a validating proxy in front of the mock service: neither the quickstart nor any call may violate. */
export async function proxyWithPrism({ openapi }: Documents): Promise<string> {
  const cwd = workFolder(await install(PRISM), { 'openapi.json': openapi, 'calls.txt': '' })
  const upstream = String(await freePort())
  await using prism = await start(cwd, ['proxy', 'openapi.json', `http://127.0.0.1:${upstream}`])
  const preload = new URL('./through-prism.mjs', import.meta.url).pathname

  /** Runs a program whose calls go through the proxy, and returns their number. */
  const countCalls = async (command: string, args: readonly string[], atLeast: number): Promise<number> => {
    const file = join(cwd, 'calls.txt')
    writeFileSync(file, '')
    const env = { UPSTREAM: upstream, PROXY: prism.url, CALLS: file, NODE_OPTIONS: `--import ${preload}` }
    await run(command, args, { cwd: root, env })
    const calls = readFileSync(file, 'utf8').trim().split('\n')
    assert.ok(calls.length >= atLeast, `only ${calls.length} calls went through the proxy`)
    assert.deepEqual(calls.filter(hasViolation), [])
    return calls.length
  }
  const inQuickstart = await countCalls(process.execPath, ['--import', 'tsx', 'examples/quickstart.ts'], 15)
  const roundTrips = ['run', 'test/resources/round-trips.test.ts', '-t', 'over HTTP']
  const inRoundTrips = await countCalls(tool('vitest'), roundTrips, 55)

  // The proxy does report violations: of a request, and of a response.
  const service = createMockService()
  await using _server = await listen(service, { port: Number(upstream) })
  service.faults.on('Get Location Metadata', { status: 200, body: { country_code: 1 } })
  const invalid = await send(prism.url, 'POST /auth/register', {})
  assert.match(invalid.headers.get('sl-violations') ?? '', /username/)
  const broken = await fetch(`${prism.url}/auth/location-metadata`)
  assert.match(broken.headers.get('sl-violations') ?? '', /country_code/)
  return `the quickstart (${inQuickstart} calls) and a round trip of all 55 endpoints (${inRoundTrips} calls) have 0 violations`
}

/** Whether a line of the file of calls has a violation. That a call uses a deprecated parameter is none. */
function hasViolation(line: string): boolean {
  const violations: { code?: string }[] = JSON.parse(/\[.*$/.exec(line)?.[0] ?? '[{}]')
  return violations.some(({ code }) => code !== 'deprecated')
}
