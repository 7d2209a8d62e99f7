// Kills processes, whose clocks differ by minutes, and Redis, lets a Sentinel fail over, evicts keys, and closes all connections for
// good as for a bad deployment, at random while the service emits events. Checks that every event of every account is seen at least
// once and in order, or reported as missed, and that the live stores of a process that starts late are never wrong unless they say
// so, and current at the end. `npx tsx test/redis/chaos.ts` runs it with 3 processes, 30 accounts and 20,000 events.

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
import { createClientOf, FailoverSet, RedisServer } from '../servers/redis-process'
import { seededRandom } from '../soak/gateway-plan'

/** What a process needs to know; see `chaos-process.ts`. */
export interface ChaosProcessPlan {
  readonly index: number
  readonly processes: number
  /** Port of Redis, or of a Sentinel. */
  readonly redisPort: number
  readonly isSentinel: boolean
  readonly baseUrl: string
  readonly gatewayUrl: string
  readonly leaseMs: number
  readonly isLate: boolean
  readonly file: string
  readonly accounts: readonly { readonly account: string; readonly token: string }[]
}

/** What the late process is asked: how many friends an account may have now. */
export interface LateQuestion {
  readonly least: number
  readonly most: number
}

/** Numbers of accounts, by the state of their live store in the late process. */
export interface LateStores {
  current: number
  stale: number
  loading: number
  /** Neither stale nor loading, and without the last change. */
  behind: number
  /** Neither stale nor loading, although it has not even the list of the time before it started. */
  wrong: number
}

/** Size of a run. */
export interface ChaosOptions {
  /** Makes the same choices for the same number. When they are made still depends on the machine. */
  readonly seed: number
  readonly accounts: number
  readonly events: number
  /** Number of processes that are killed, one after the other. */
  readonly kills: number
  /** Number of times that Redis is killed and started again. */
  readonly restarts: number
  /** Number of times that the primary is killed and a Sentinel promotes its replica. */
  readonly failovers: number
  /** Number of times that the service closes all connections for good, with 4010 to 4014, for {@link DEPLOYMENT_MS}. */
  readonly deployments: number
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
interface ChaosResult {
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
  readonly failovers: number
  readonly deployments: number
  readonly evictions: number
  /** The live stores of the late process at the end, of which `wrong` is the highest number at any time. */
  readonly late: LateStores
  /** Longest time between the emission of an event and its first sight, in milliseconds. */
  readonly slowestMs: number
  /** Errors that a process has recorded. */
  readonly errors: readonly string[]
}

/** Ends of the keys that are evicted. */
const PARTS = ['', ':state', ':lease', ':groups']
const PROCESSES = 3
const LEASE_MS = 1_500
/** Time until a bad deployment is repaired. */
const DEPLOYMENT_MS = 2_000
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
  /** Gives the account another friend. */
  readonly befriend: () => void
}

/** Redis, alone or watched by a Sentinel. */
async function startRedis({ failovers, fsync }: ChaosOptions) {
  if (failovers === 0) {
    const only = await RedisServer.create(fsync)
    await only.start()
    const nothing = async () => {}
    const primary = () => only
    const remove = () => only.remove()
    return { port: only.port, isSentinel: false, primary, replicated: nothing, failOver: nothing, remove }
  }
  const set = await FailoverSet.create(fsync)
  await set.start()
  return {
    port: set.sentinel.port,
    isSentinel: true,
    primary: () => set.primary,
    replicated: () => set.replicated(),
    failOver: () => set.failOver(),
    remove: () => set.remove(),
  }
}

/** Runs the test once, with processes of a bundle of `chaos-process.ts`. */
export async function runChaos(options: ChaosOptions, script: string): Promise<ChaosResult> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-chaos-'))
  const redis = await startRedis(options)
  const service = createMockService({ policy: { gateway: { replayLimit: options.events, heartbeatInterval: 2_000 } } })
  const server = await listen(service)
  const children: (ChildProcess | undefined)[] = []
  const files: string[] = []
  // Each kind of fault has its own choices: they do not depend on the order in which the kinds act.
  const chooserOf = (kind: number): Choose => {
    const random = seededRandom(options.seed + kind)
    return (count) => Math.floor(random() * count)
  }
  try {
    const accounts = Array.from({ length: options.accounts }, (_, index): Account => {
      const create = (name: string) =>
        service.users.create({ login: `${name}${index}@example.test`, username: `${name}${index}` })
      const [user, friend, ...others] = ['user', 'friend', 'second', 'third'].map(create)
      service.relationships.befriend(user ?? '', friend ?? '')
      const emittedAt: bigint[] = []
      const emit = () => {
        emittedAt.push(process.hrtime.bigint())
        const payload = { id: friend?.id, type: 1, nickname: String(emittedAt.length) }
        service.gateway.emit('Relationship Update', payload, { to: user ?? '' })
      }
      const befriend = () => void service.relationships.befriend(user ?? '', others.shift() ?? '')
      return { account: `account-${index}`, token: service.token(user ?? ''), emittedAt, emit, befriend }
    })
    const start = async (index: number) => {
      const file = join(folder, `seen-${files.length}`)
      files.push(file)
      const plan: ChaosProcessPlan = {
        index,
        processes: PROCESSES,
        redisPort: redis.port,
        isSentinel: redis.isSentinel,
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
    // A session that Redis or its replica does not have yet starts again after a fault, without the events before its `ready`.
    await until(() => startedAccounts(files).size === options.accounts, 300_000)
    await redis.replicated()

    let late: LateStores = { current: 0, stale: 0, loading: 0, behind: 0, wrong: 0 }
    let wrong = 0
    /** Asks the late process. What has changed last may be on its way. */
    const look = (most: number) => void children[PROCESSES]?.send({ least: 2, most } satisfies LateQuestion)
    const endsAt = performance.now() + options.durationMs
    // Their sessions have started with another list.
    for (const { befriend } of accounts) befriend()
    const client = createClientOf(redis.port, redis.isSentinel)
    await client.connect()
    await Promise.all([
      pause(options.durationMs / 2).then(async () => {
        await start(PROCESSES)
        children[PROCESSES]?.on('message', (counts: LateStores) => {
          late = counts
          wrong = Math.max(wrong, counts.wrong)
        })
        const looking = setInterval(look, 100, 3)
        await pause(options.durationMs / 4)
        for (const { befriend } of accounts) befriend()
        await pause(Math.max(0, endsAt - performance.now()))
        clearInterval(looking)
      }),
      actAtRandom(options.evictions, endsAt, chooserOf(1), async (choose) => {
        const { account = '' } = accounts[choose(accounts.length)] ?? {}
        const part = PARTS[choose(PARTS.length)] ?? ''
        await client.del(`rapport:1:events:{chaos:${account}}${part}`).catch(() => {})
      }),
      emitAll(accounts, options, chooserOf(0)),
      // One after the other: the others must take over.
      actAtRandom(options.kills, endsAt, chooserOf(2), async (choose) => {
        const index = choose(PROCESSES)
        children[index]?.kill('SIGKILL')
        await start(index)
      }),
      actAtRandom(options.restarts + options.failovers, endsAt, chooserOf(3), async (_, left) => {
        if (left <= options.failovers) return redis.failOver()
        const primary = redis.primary()
        await primary.kill()
        await pause(500)
        await primary.start()
      }),
      actAtRandom(options.deployments, endsAt, chooserOf(4), async (choose) => {
        const code = 4010 + choose(5)
        const faults = (['identify', 'resume'] as const).map((at) => service.gateway.drop(code, { at }))
        service.gateway.drop(code)
        await pause(DEPLOYMENT_MS)
        for (const fault of faults) fault.remove()
      }),
    ])
    client.destroy()
    const isComplete = () => evaluate(accounts, files).seen >= options.events
    await until(isComplete, options.settleMs).catch(() => {})
    const isCurrent = () => {
      look(3)
      return late.current === options.accounts
    }
    await until(isCurrent, options.settleMs).catch(() => {})
    const { kills, restarts, failovers, deployments, evictions } = options
    const faults = { kills, restarts, failovers, deployments, evictions }
    return { ...evaluate(accounts, files), ...faults, late: { ...late, wrong } }
  } finally {
    for (const child of children) child?.kill('SIGKILL')
    await service.close()
    await redis.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a whole number from 0 and below `count`. */
type Choose = (count: number) => number

async function emitAll(
  accounts: readonly Account[],
  { events, durationMs }: ChaosOptions,
  choose: Choose,
): Promise<void> {
  const startedAt = performance.now()
  for (let emitted = 0; emitted < events; ) {
    const due = Math.min(events, Math.ceil(((performance.now() - startedAt) / durationMs) * events))
    for (; emitted < due; emitted++) accounts[choose(accounts.length)]?.emit()
    await pause(5)
  }
}

/** Calls `act` a number of times, with the number of calls that are left, at random intervals until `endsAt` or soon after. */
async function actAtRandom(
  count: number,
  endsAt: number,
  choose: Choose,
  act: (choose: Choose, left: number) => Promise<void>,
): Promise<void> {
  for (let left = count; left > 0; left--) {
    const spareMs = Math.max(0, endsAt - performance.now()) / left
    await pause(spareMs / 2 + choose(spareMs / 2))
    await act(choose, left)
  }
}

type Seen = Omit<ChaosResult, 'kills' | 'restarts' | 'failovers' | 'deployments' | 'evictions' | 'late'>

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

/** Returns the accounts of which a process has read `ready`. */
function startedAccounts(files: readonly string[]): ReadonlySet<string> {
  const lines = files.flatMap((file) => readLines(file)).map((line) => line.split(' '))
  return new Set(lines.flatMap(([, account = '', number]) => (number === 'ready' ? account : [])))
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
    seed: Number(process.env.CHAOS_SEED ?? Date.now()),
    accounts: 30,
    events: 20_000,
    kills: 12,
    restarts: 3,
    failovers: 2,
    deployments: 2,
    evictions: 20,
    fsync: 'everysec',
    durationMs: 120_000,
    settleMs: 60_000,
  }
  const folder = mkdtempSync(join(tmpdir(), 'rapport-chaos-script-'))
  const [script = ''] = await bundle(['test/redis/chaos-process.ts'], folder)
  const result = await runChaos(full, script)
  rmSync(folder, { recursive: true })
  process.stdout.write(`${JSON.stringify({ seed: full.seed, ...result }, undefined, 2)}\n`)
  const { unordered, silent, errors, late } = result
  const isPassed = unordered.length + silent.length + errors.length + late.wrong === 0
  process.exit(isPassed && late.current === full.accounts ? 0 : 1)
}
