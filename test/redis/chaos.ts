// Kills processes, whose clocks differ by minutes, and Redis at random while the service emits events, and checks that every
// event of every account is seen at least once and in order. `npx tsx test/redis/chaos.ts` runs it with 3 processes, 30
// accounts and 20,000 events.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { bundle } from '../../scripts/docs/bundle'
import { RedisServer } from '../servers/redis-process'

/** What a process needs to know; see `chaos-process.ts`. */
export interface ChaosProcessPlan {
  readonly index: number
  readonly processes: number
  readonly redisPort: number
  readonly baseUrl: string
  readonly gatewayUrl: string
  readonly leaseMs: number
  readonly file: string
  readonly accounts: readonly { readonly account: string; readonly token: string }[]
}

/** Size of a run. */
export interface ChaosOptions {
  readonly accounts: number
  readonly events: number
  /** Number of processes that are killed, one after the other. */
  readonly kills: number
  /** Number of times that Redis is killed and started again. */
  readonly restarts: number
  /** When Redis persists its writes. */
  readonly fsync: 'everysec' | 'always'
  /** Time in which the events are emitted, in milliseconds. */
  readonly durationMs: number
  /** Time to wait for the rest after the last event, in milliseconds. */
  readonly settleMs: number
}

/** What a run has found. */
export interface ChaosResult {
  readonly emitted: number
  /** Number of events that were seen, each counted once. */
  readonly seen: number
  /** Number of times that an event was seen again. */
  readonly again: number
  /** Accounts whose events were not seen in order for the first time. */
  readonly unordered: readonly string[]
  readonly kills: number
  readonly restarts: number
  /** Longest time between the emission of an event and its first sight, in milliseconds. */
  readonly slowestMs: number
  /** Errors that a process has recorded. */
  readonly errors: readonly string[]
}

const PROCESSES = 3
const LEASE_MS = 1_500
/** Difference between the clocks of two processes: leases and sign-ins are ordered by the clock of Redis. */
const SKEW_MS = 10 * 60_000

/** Returns the options of Node with which a process has another wall clock. */
function withSkew(ms: number): readonly string[] {
  return ['--import', `data:text/javascript,const now = Date.now; Date.now = () => now() + ${ms}`]
}

/** Events of one account: when each was emitted, by its number from 1, in nanoseconds. */
interface Account {
  readonly account: string
  readonly token: string
  readonly emittedAt: bigint[]
  readonly emit: () => void
}

/** Runs the test once. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-chaos-'))
  const redis = await RedisServer.create(options.fsync)
  const service = createMockService({ policy: { gateway: { replayLimit: options.events, heartbeatInterval: 2_000 } } })
  const server = await listen(service)
  const children: (ChildProcess | undefined)[] = []
  const files: string[] = []
  try {
    const [script = ''] = await bundle(['test/redis/chaos-process.ts'], join(folder, 'script'))
    await redis.start()
    const accounts = Array.from({ length: options.accounts }, (_, index): Account => {
      const user = service.users.create({ login: `user${index}@example.test`, username: `user${index}` })
      const emittedAt: bigint[] = []
      const emit = () => {
        emittedAt.push(process.hrtime.bigint())
        const payload = { id: '7', type: 1, nickname: String(emittedAt.length) }
        service.gateway.emit('Relationship Update', payload, { to: user })
      }
      return { account: `account-${index}`, token: service.token(user), emittedAt, emit }
    })
    const start = async (index: number) => {
      const file = join(folder, `seen-${files.length}`)
      files.push(file)
      const plan: ChaosProcessPlan = {
        index,
        processes: PROCESSES,
        redisPort: redis.port,
        baseUrl: server.url,
        gatewayUrl: server.gatewayUrl,
        leaseMs: LEASE_MS,
        file,
        accounts: accounts.map(({ account, token }) => ({ account, token })),
      }
      const args = [...withSkew((index - 1) * SKEW_MS), script, JSON.stringify(plan)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      children[index] = child
      await once(child, 'message')
    }
    await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(index)))
    await until(() => service.gateway.sessions.length >= options.accounts, 60_000)

    const endsAt = performance.now() + options.durationMs
    await Promise.all([
      emitAll(accounts, options),
      // One after the other: the others must take over.
      killAll(options.kills, endsAt, async () => {
        const index = Math.floor(Math.random() * PROCESSES)
        children[index]?.kill('SIGKILL')
        await start(index)
      }),
      killAll(options.restarts, endsAt, async () => {
        await redis.kill()
        await pause(500)
        await redis.start()
      }),
    ])
    const isComplete = () => evaluate(accounts, files).seen >= options.events
    await until(isComplete, options.settleMs).catch(() => {})
    const { kills, restarts } = options
    return { ...evaluate(accounts, files), kills, restarts }
  } finally {
    for (const child of children) child?.kill('SIGKILL')
    await server.close()
    await redis.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function emitAll(accounts: readonly Account[], { events, durationMs }: ChaosOptions): Promise<void> {
  const startedAt = performance.now()
  for (let emitted = 0; emitted < events; ) {
    const due = Math.min(events, Math.ceil(((performance.now() - startedAt) / durationMs) * events))
    for (; emitted < due; emitted++) accounts[Math.floor(Math.random() * accounts.length)]?.emit()
    await pause(5)
  }
}

/** Calls `kill` a number of times, at random intervals until `endsAt` or soon after. */
async function killAll(count: number, endsAt: number, kill: () => Promise<void>): Promise<void> {
  for (let left = count; left > 0; left--) {
    const spareMs = Math.max(0, endsAt - performance.now()) / left
    await pause(spareMs * (0.5 + Math.random() / 2))
    await kill()
  }
}

function evaluate(accounts: readonly Account[], files: readonly string[]): Omit<ChaosResult, 'kills' | 'restarts'> {
  const lines = files.flatMap((file) => readLines(file))
  const errors = lines.filter((line) => line.startsWith('error'))
  const sights = lines
    .filter((line) => !line.startsWith('error'))
    .map((line) => line.split(' '))
    .map(([at = '0', account = '', number = '']) => ({ at: BigInt(at), account, number: Number(number) }))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
  let seen = 0
  let slowest = 0n
  const unordered: string[] = []
  const firsts = new Map<string, Map<number, bigint>>()
  for (const { account, number, at } of sights) {
    const first = firsts.get(account) ?? new Map()
    firsts.set(account, first)
    if (!first.has(number)) first.set(number, at)
  }
  for (const { account, emittedAt } of accounts) {
    const first = firsts.get(account) ?? new Map<number, bigint>()
    const numbers = [...first.keys()]
    if (numbers.some((number, index) => number !== index + 1)) unordered.push(account)
    seen += first.size
    for (const [number, at] of first) {
      const ms = at - (emittedAt[number - 1] ?? at)
      if (ms > slowest) slowest = ms
    }
  }
  const emitted = accounts.reduce((sum, { emittedAt }) => sum + emittedAt.length, 0)
  const slowestMs = Math.round(Number(slowest) / 1e6)
  return { emitted, seen, again: sights.length - seen, unordered, slowestMs, errors }
}

/** Returns the complete lines of a file. A process that was killed may have left half a line. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

async function until(condition: () => boolean, ms: number): Promise<void> {
  const endsAt = performance.now() + ms
  while (!condition()) {
    if (performance.now() > endsAt) throw new Error(`timed out after ${ms} ms`)
    await pause(250)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const full: ChaosOptions = {
    accounts: 30,
    events: 20_000,
    kills: 12,
    restarts: 3,
    fsync: 'everysec',
    durationMs: 90_000,
    settleMs: 60_000,
  }
  const result = await runChaos(full)
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)
  process.exit(result.seen === result.emitted && result.unordered.length === 0 && result.errors.length === 0 ? 0 : 1)
}
