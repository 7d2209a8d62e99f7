// Kills processes, whose clocks differ by minutes, and Redis, and evicts keys, at random while the service emits events. Checks
// that every event of every account is seen at least once and in order, or reported as missed, and that the live stores of a
// process that starts late are current. `npx tsx test/redis/chaos.ts` runs it with 3 processes, 30 accounts and 20,000 events.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { createClient } from 'redis'
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
  readonly isLate: boolean
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
  /** Number of times that a key of an account is removed from Redis. */
  readonly evictions: number
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
  /** Accounts with an event that was not seen, and neither `missed` nor a `ready` said so. */
  readonly silent: readonly string[]
  readonly kills: number
  readonly restarts: number
  readonly evictions: number
  /** Number of accounts whose live store in the late process is current at the end. */
  readonly current: number
  /** Longest time between the emission of an event and its first sight, in milliseconds. */
  readonly slowestMs: number
  /** Errors that a process has recorded. */
  readonly errors: readonly string[]
}

/** Ends of the keys that are evicted. */
const PARTS = ['', ':state', ':lease', ':groups']
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
  readonly befriend: () => void
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
      const [friend, other] = ['friend', 'other'].map((name) =>
        service.users.create({ login: `${name}${index}@example.test`, username: `${name}${index}` }),
      )
      service.relationships.befriend(user, friend ?? '')
      const emittedAt: bigint[] = []
      const emit = () => {
        emittedAt.push(process.hrtime.bigint())
        const payload = { id: friend?.id, type: 1, nickname: String(emittedAt.length) }
        service.gateway.emit('Relationship Update', payload, { to: user })
      }
      const befriend = () => void service.relationships.befriend(user, other ?? '')
      return { account: `account-${index}`, token: service.token(user), emittedAt, emit, befriend }
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
        isLate: index === PROCESSES,
        file,
        accounts: accounts.map(({ account, token }) => ({ account, token })),
      }
      const args = [...withSkew((index - 1) * SKEW_MS), script, JSON.stringify(plan)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      children[index] = child
      await once(child, 'message')
    }
    await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(index)))
    await until(() => service.gateway.sessions.length >= options.accounts, 300_000)

    const endsAt = performance.now() + options.durationMs
    // Their sessions have started with another list.
    for (const { befriend } of accounts) befriend()
    const client = createClient({ socket: { host: '127.0.0.1', port: redis.port, reconnectStrategy: 50 } })
    client.on('error', () => {})
    await client.connect()
    await Promise.all([
      pause(options.durationMs / 2).then(() => start(PROCESSES)),
      killAll(options.evictions, endsAt, async () => {
        const { account = '' } = accounts[Math.floor(Math.random() * accounts.length)] ?? {}
        const part = PARTS[Math.floor(Math.random() * PARTS.length)] ?? ''
        await client.del(`rapport:1:events:{chaos:${account}}${part}`).catch(() => {})
      }),
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
    client.destroy()
    const isComplete = () => evaluate(accounts, files).seen >= options.events
    await until(isComplete, options.settleMs).catch(() => {})
    const late = children[PROCESSES]
    let current = 0
    late?.on('message', (count) => {
      current = Number(count)
    })
    const isCurrent = () => {
      late?.send(2)
      return current === options.accounts
    }
    await until(isCurrent, options.settleMs).catch(() => {})
    const { kills, restarts, evictions } = options
    return { ...evaluate(accounts, files), kills, restarts, evictions, current }
  } finally {
    for (const child of children) child?.kill('SIGKILL')
    await service.close()
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

type Seen = Omit<ChaosResult, 'kills' | 'restarts' | 'evictions' | 'current'>

function evaluate(accounts: readonly Account[], files: readonly string[]): Seen {
  const lines = files.flatMap((file) => readLines(file))
  const errors = lines.filter((line) => line.startsWith('error'))
  const sights = lines
    .filter((line) => !line.startsWith('error'))
    .map((line) => line.split(' '))
    .map(([at = '0', account = '', number = '', missed = '']) => {
      return { at: BigInt(at), account, number: Number(number), missed: Number(missed) }
    })
    .sort((one, other) => (one.at < other.at ? -1 : 1))
  let seen = 0
  let slowest = 0n
  const unordered: string[] = []
  const silent = new Set<string>()
  const firsts = new Map<string, Map<number, bigint>>()
  /** Number of events of each account that may be lost before the next one: infinite after a Ready. */
  const lost = new Map<string, number>()
  let count = 0
  for (const { account, number, at, missed } of sights) {
    const first = firsts.get(account) ?? new Map()
    firsts.set(account, first)
    const mayLack = (lost.get(account) ?? 0) + missed
    if (Number.isNaN(number)) {
      // `ready`
      lost.set(account, Infinity)
      continue
    }
    count += 1
    if (first.has(number)) continue
    if (number - 1 - Math.max(0, ...first.keys()) > mayLack) silent.add(account)
    first.set(number, at)
    lost.set(account, 0)
  }
  for (const { account, emittedAt } of accounts) {
    const first = firsts.get(account) ?? new Map<number, bigint>()
    const numbers = [...first.keys()]
    if (numbers.some((number, index) => number <= (numbers[index - 1] ?? 0))) unordered.push(account)
    seen += first.size
    for (const [number, at] of first) {
      const ms = at - (emittedAt[number - 1] ?? at)
      if (ms > slowest) slowest = ms
    }
  }
  const emitted = accounts.reduce((sum, { emittedAt }) => sum + emittedAt.length, 0)
  const slowestMs = Math.round(Number(slowest) / 1e6)
  return { emitted, seen, again: count - seen, unordered, silent: [...silent], slowestMs, errors }
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
    evictions: 20,
    fsync: 'everysec',
    durationMs: 90_000,
    settleMs: 60_000,
  }
  const result = await runChaos(full)
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)
  const { unordered, silent, errors, current } = result
  process.exit(unordered.length + silent.length + errors.length === 0 && current === full.accounts ? 0 : 1)
}
