// CPU time and memory of connected clients that receive nothing but acknowledgements of heartbeats, next to bare `ws` clients
// that send none. Each measurement runs in a new process: `tsx bench/idle.ts` starts them, `IDLE_CLIENTS` and `IDLE_SECONDS`
// set their size.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'

const HEARTBEAT_MS = 41_250
const clients = Number(process.env.IDLE_CLIENTS ?? 1_000)
const seconds = Number(process.env.IDLE_SECONDS ?? 45)

interface Result {
  /** CPU time in percent of one core. */
  readonly cpu: number
  /** Resident memory per client in kB, with what the process itself needs. */
  readonly rss: number
}

async function serve(): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: HEARTBEAT_MS } }))
    socket.on('message', (data) => {
      const { op } = JSON.parse(String(data))
      const ready = { op: 0, t: 'READY', s: 1, d: { auth_session_id_hash: 'hash', session_id: 'session' } }
      socket.send(JSON.stringify(op === 1 ? { op: 11 } : ready))
    })
  })
  await once(server, 'listening')
  process.send?.((server.address() as AddressInfo).port)
}

async function bare(url: string): Promise<void> {
  const socket = new WebSocket(url)
  await once(socket, 'message')
  socket.send(JSON.stringify({ op: 2 }))
  await once(socket, 'message')
}

/** Bare, but with heartbeats. */
async function beating(url: string): Promise<void> {
  const socket = new WebSocket(url)
  await once(socket, 'message')
  socket.send(JSON.stringify({ op: 2 }))
  await once(socket, 'message')
  const beat = () => socket.send(JSON.stringify({ op: 1, d: 1 }))
  setTimeout(() => {
    beat()
    setInterval(beat, HEARTBEAT_MS)
  }, Math.random() * HEARTBEAT_MS)
}

async function ours(url: string): Promise<void> {
  const built = new URL('../dist/index.js', import.meta.url).href
  const sdk = (await import(built)) as typeof import('rapport-sdk')
  const client = new sdk.Client({ baseUrl: 'http://127.0.0.1', token: 'a-token', gateway: { url, WebSocket } })
  await client.gateway.connect()
}

async function measure(connect: (url: string) => Promise<void>, url: string): Promise<void> {
  for (let index = 0; index < clients; index += 50)
    await Promise.all(Array.from({ length: Math.min(50, clients - index) }, () => connect(url)))
  await pause(2_000)
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await pause(seconds * 1_000)
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 10 / (performance.now() - startedAt)
  process.send?.({ cpu, rss: process.memoryUsage.rss() / 1024 / clients } satisfies Result)
}

function start(...args: string[]) {
  return fork(fileURLToPath(import.meta.url), args, { execArgv: ['--import', 'tsx'] })
}

const [role, url = ''] = process.argv.slice(2)
if (role === 'server') await serve()
else if (role === 'bare') await measure(bare, url)
else if (role === 'beating') await measure(beating, url)
else if (role === 'ours') await measure(ours, url)
else {
  const server = start('server')
  const [port] = await once(server, 'message')
  const roles = { bare: 'ws', beating: 'ws with heartbeats', ours: 'rapport-sdk' }
  const rows: Record<string, unknown>[] = []
  for (const [name, client] of Object.entries(roles)) {
    const child = start(name, `ws://127.0.0.1:${port}`)
    const [{ cpu, rss }] = (await once(child, 'message')) as [Result]
    child.kill()
    rows.push({ client, clients, 'CPU, % of a core': cpu.toFixed(2), 'kB per client': Math.round(rss) })
  }
  server.kill()
  console.table(rows)
}
