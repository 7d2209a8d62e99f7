import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type RedisHolder, type RedisHolderOptions, redisEvents } from 'rapport-sdk/redis'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { bundle } from '../../scripts/docs/bundle'
import { deferred } from '../deferred'
import { allowMinutes, connectRedis, startRedis } from '../servers/redis-server'
import { upTo } from './events-set-up'
import type { FleetProcessPlan, FleetProcessReply } from './fleet-process'

allowMinutes()

const WAIT = { timeout: 250_000, interval: 50 }
/** A process reports its number of accounts, and asks for its share, three times in a lease, and in 5 s at least once. */
const LEASE_MS = 3_000
/** Rounds of requests of a process in a minute, at the longest interval. */
const ROUNDS_IN_MINUTE = 12
/** Key of the reports. */
const FLEET_KEY = 'rapport:1:events:{test}'

const folder = mkdtempSync(join(tmpdir(), 'rapport-fleet-'))
const scripts = bundle(['test/redis/fleet-process.ts'], folder)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a service with accounts, and Redis. */
async function setUp(count: number) {
  const service = createMockService()
  const accounts = upTo(count).map((index) => {
    const user = service.users.create({ login: `user${index}@example.test`, username: `user${index}` })
    return { user, account: `account-${index}`, token: service.token(user) }
  })
  const server = await listen(service)
  onTestFinished(() => service.close())
  const redisServer = await startRedis()
  return { service, server, accounts, redisServer }
}

type Setting = Awaited<ReturnType<typeof setUp>>

/** Lets a process with a connection of its own to Redis compete for all accounts. */
async function startProcess(
  { server, accounts, redisServer }: Setting,
  options: Partial<RedisHolderOptions> = {},
  leaseMs = LEASE_MS,
): Promise<RedisHolder[]> {
  const redis = await connectRedis(redisServer)
  return accounts.map(({ account, token }) => {
    const client = new Client({ baseUrl: server.url, token })
    onTestFinished(() => client.dispose())
    const events = redisEvents(redis, { stream: 'test', account, leaseMs })
    const holder = events.hold(client, { url: server.gatewayUrl, ...options })
    onTestFinished(() => holder.close())
    return holder
  })
}

const countOf = (holders: readonly RedisHolder[]) => holders.filter(({ state }) => state === 'holding').length

/** Records the numbers of the events of each account, from its stream. */
async function readAll({ accounts, redisServer }: Setting) {
  const redis = await connectRedis(redisServer)
  const control = new AbortController()
  onTestFinished(() => control.abort())
  return accounts.map(({ account }) => {
    const seen: number[] = []
    const read = async () => {
      for await (const { type, data, ack } of redisEvents(redis, { stream: 'test', account }).read({
        group: 'all',
        signal: control.signal,
      })) {
        if (type === 'relationshipUpdate') seen.push(Number(Object(data).nickname))
        await ack()
      }
    }
    read().catch(() => {})
    return seen
  })
}

/** Starts a program of its own that competes for all accounts. Returns the function that asks it how it is. */
async function spawnProcess(
  { server, accounts, redisServer }: Setting,
  isPaced = false,
): Promise<() => Promise<FleetProcessReply>> {
  const [script = ''] = await scripts
  // Longer: a busy machine may stop a program for seconds, and no lease is to end between its Identify and Ready.
  const plan: FleetProcessPlan = {
    redisPort: redisServer.port,
    baseUrl: server.url,
    gatewayUrl: server.gatewayUrl,
    leaseMs: 3 * LEASE_MS,
    fleetKey: FLEET_KEY,
    isPaced,
    accounts: accounts.map(({ account, token }) => ({ account, token })),
  }
  const child = fork(script, [JSON.stringify(plan)], { execArgv: [] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await once(child, 'message')
  return async () => {
    child.send('count')
    const [reply] = await once(child, 'message')
    return reply
  }
}

test('three processes that start 1.5 s apart hold ten each of thirty accounts, and one that joins takes its share within a minute, without another Identify or a lost event', async () => {
  const setting = await setUp(30)
  const { service, accounts } = setting
  const seen = await readAll(setting)
  let serial = 0
  const emit = () => {
    serial += 1
    for (const { user } of accounts) {
      service.gateway.emit('Relationship Update', { id: '7', type: 1, nickname: String(serial) }, { to: user })
    }
  }
  const framesOf = (name: string) => service.gateway.journal.filter(({ op }) => op === name).length
  const processes: (() => Promise<FleetProcessReply>)[] = []
  const countsOf = async () => (await Promise.all(processes.map((ask) => ask()))).map(({ count }) => count)
  for (const _ of upTo(3)) {
    processes.push(await spawnProcess(setting))
    await pause(1_500)
  }
  await vi.waitFor(async () => expect(await countsOf()).toEqual([10, 10, 10]), WAIT)

  const resumesBefore = framesOf('resume')
  const emitting = setInterval(emit, 100)
  onTestFinished(() => clearInterval(emitting))
  const joining = await spawnProcess(setting, true)
  processes.push(joining)
  const { rounds } = await vi.waitFor(async () => {
    const reply = await joining()
    expect(reply.count).toBeGreaterThanOrEqual(7)
    return reply
  }, WAIT)
  expect(rounds).toBeGreaterThan(0)
  expect(rounds).toBeLessThanOrEqual(ROUNDS_IN_MINUTE)
  await vi.waitFor(async () => expect((await countsOf()).sort()).toEqual([7, 7, 8, 8]), WAIT)
  clearInterval(emitting)

  await vi.waitFor(() => expect(seen.every(({ length }) => length >= serial)).toBe(true), WAIT)
  for (const numbers of seen) expect(numbers).toEqual(upTo(serial))
  // Each account that was handed over was resumed, and none has identified again.
  expect(framesOf('resume') - resumesBefore).toBeGreaterThanOrEqual(7)
  expect(framesOf('identify')).toBe(30)
})

test('a process reports its accounts every 5 s at the latest, however long the lease is', async () => {
  const setting = await setUp(1)
  await startProcess(setting, {}, 3_600_000)
  const redis = await connectRedis(setting.redisServer)

  const lifetimeMs = await vi.waitFor(async () => {
    const ms = await redis.pTTL(FLEET_KEY)
    expect(ms).toBeGreaterThan(0)
    return ms
  }, WAIT)

  // A report is valid for three intervals.
  expect(lifetimeMs).toBeLessThanOrEqual(3 * 5_000)
})

test('the accounts of a process that ends are spread over the others', async () => {
  const setting = await setUp(6)
  const first = await startProcess(setting)
  await vi.waitFor(() => expect(countOf(first)).toBe(6), WAIT)
  const others = [await startProcess(setting), await startProcess(setting)]
  await vi.waitFor(() => expect([first, ...others].map(countOf)).toEqual([2, 2, 2]), WAIT)

  await Promise.all(first.map((holder) => holder.close()))

  await vi.waitFor(() => expect(others.map(countOf)).toEqual([3, 3]), WAIT)
})

test('an account whose session is being started is handed over once it has one', async () => {
  const setting = await setUp(2)
  const ready = deferred<void>()
  class SlowSocket extends WebSocket {
    override emit(name: string | symbol, ...args: unknown[]): boolean {
      // Hello opens the session, Ready is late.
      if (name !== 'message' || String(args[0]).includes('heartbeat_interval')) return super.emit(name, ...args)
      ready.promise.then(() => super.emit(name, ...args))
      return true
    }
  }
  const first = await startProcess(setting, { WebSocket: SlowSocket })
  const identifies = () => setting.service.gateway.journal.filter(({ op }) => op === 'identify').length
  await vi.waitFor(() => expect(identifies()).toBe(2), WAIT)
  const redis = await connectRedis(setting.redisServer)
  const requests: string[] = []
  await redis.pSubscribe('*', (message) => void (message.startsWith('wanted') && requests.push(message)))
  onTestFinished(() => redis.pUnsubscribe('*'))
  const second = await startProcess(setting)
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(1), WAIT)

  ready.resolve()

  await vi.waitFor(() => expect([first, second].map(countOf)).toEqual([1, 1]), WAIT)
  expect(identifies()).toBe(2)
})

test('a process that the service closes for good takes at most one account from those that it does not', async () => {
  const setting = await setUp(6)
  const good = await startProcess(setting)
  await vi.waitFor(() => expect(countOf(good)).toBe(6), WAIT)
  let attempts = 0
  const refusing = new WebSocketServer({ port: 0, host: '127.0.0.1' }).on('connection', (socket) => {
    attempts += 1
    socket.close(4014)
  })
  onTestFinished(() => void refusing.close())
  await once(refusing, 'listening')
  const { port } = Object(refusing.address())
  class Socket extends WebSocket {
    constructor() {
      super(`ws://127.0.0.1:${port}`)
    }
  }
  const bad = await startProcess(setting, { WebSocket: Socket })

  await vi.waitFor(() => expect(bad.some(({ state }) => state === 'failed')).toBe(true), WAIT)
  await vi.waitFor(() => expect(countOf(good)).toBe(6), WAIT)
  expect(bad.filter(({ state }) => state === 'failed').length).toBeLessThanOrEqual(1)
  // When the wait after the failure ends, the other process goes first.
  expect(attempts).toBe(1)
})
