import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type RedisHolder, redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { bundle } from '../../scripts/docs/bundle'
import { allowMinutes, connectRedis, startRedis } from '../servers/redis-server'
import { upTo } from './events-set-up'
import type { FleetProcessPlan } from './fleet-process'

allowMinutes()

const WAIT = { timeout: 250_000, interval: 50 }

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
async function startProcess({ server, accounts, redisServer }: Setting): Promise<RedisHolder[]> {
  const redis = await connectRedis(redisServer)
  return accounts.map(({ account, token }) => {
    const client = new Client({ baseUrl: server.url, token })
    onTestFinished(() => client.dispose())
    const holder = redisEvents(redis, { stream: 'test', account }).hold(client, { url: server.gatewayUrl })
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

/** Starts a program of its own that competes for all accounts. Returns the function that asks it how many it holds. */
async function spawnProcess({ server, accounts, redisServer }: Setting): Promise<() => Promise<unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-fleet-'))
  const [script = ''] = await bundle(['test/redis/fleet-process.ts'], folder)
  const plan: FleetProcessPlan = {
    redisPort: redisServer.port,
    baseUrl: server.url,
    gatewayUrl: server.gatewayUrl,
    accounts: accounts.map(({ account, token }) => ({ account, token })),
  }
  const child = fork(script, [JSON.stringify(plan)], { execArgv: [] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  await once(child, 'message')
  return async () => {
    child.send('count')
    const [count] = await once(child, 'message')
    return count
  }
}

test('three processes that start 1.5 s apart hold ten each of thirty accounts, and one that joins takes its share, without another Identify or a lost event', async () => {
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
  const processes: (() => Promise<unknown>)[] = []
  const countsOf = () => Promise.all(processes.map((count) => count()))
  for (const _ of upTo(3)) {
    processes.push(await spawnProcess(setting))
    await pause(1_500)
  }
  await vi.waitFor(async () => expect(await countsOf()).toEqual([10, 10, 10]), WAIT)

  const emitting = setInterval(emit, 100)
  onTestFinished(() => clearInterval(emitting))
  processes.push(await spawnProcess(setting))
  await vi.waitFor(async () => expect((await countsOf()).sort()).toEqual([7, 7, 8, 8]), WAIT)
  clearInterval(emitting)

  await vi.waitFor(() => expect(seen.every(({ length }) => length >= serial)).toBe(true), WAIT)
  for (const numbers of seen) expect(numbers).toEqual(upTo(serial))
  expect(service.gateway.journal.filter(({ op }) => op === 'identify')).toHaveLength(30)
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

test('a process that the service closes for good takes at most one account from those that it does not', async () => {
  const setting = await setUp(6)
  const good = await startProcess(setting)
  await vi.waitFor(() => expect(countOf(good)).toBe(6), WAIT)
  const redis = await connectRedis(setting.redisServer)
  const refusing = new WebSocketServer({ port: 0, host: '127.0.0.1' }).on('connection', (socket) => socket.close(4014))
  onTestFinished(() => void refusing.close())
  const { port } = Object(refusing.address())
  class Socket extends WebSocket {
    constructor() {
      super(`ws://127.0.0.1:${port}`)
    }
  }
  const url = setting.server.gatewayUrl
  const bad = setting.accounts.map(({ account, token }) => {
    const client = new Client({ baseUrl: setting.server.url, token })
    onTestFinished(() => client.dispose())
    const holder = redisEvents(redis, { stream: 'test', account }).hold(client, { url, WebSocket: Socket })
    onTestFinished(() => holder.close())
    return holder
  })

  await vi.waitFor(() => expect(bad.some(({ state }) => state === 'failed')).toBe(true), WAIT)
  await vi.waitFor(() => expect(countOf(good)).toBe(6), WAIT)
  expect(bad.filter(({ state }) => state === 'failed').length).toBeLessThanOrEqual(1)
})
