// Measures `rapport-mock` under load: 100 connections, one call at a time on each.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { percentile } from './interleave'

const connections = 100
const requests = Number(process.env.BENCH_REQUESTS ?? 20_000)
const command = process.env.BENCH_COMMAND ?? fileURLToPath(new URL('../dist/mocks/cli.js', import.meta.url))
const password = 'correct horse battery staple'

/** Loaded into the process of the command, which reports its CPU time and memory through the channel to its parent. */
const reporter = `data:text/javascript,${encodeURIComponent(`
  process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }))
  process.on('disconnect', () => process.exit())
`)}`

interface Usage {
  /** Microseconds. */
  readonly cpu: { readonly user: number; readonly system: number }
  /** Bytes. */
  readonly rss: number
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage')
  const [usage] = await once(child, 'message')
  return usage as Usage
}

async function start(): Promise<{ child: ChildProcess; url: URL }> {
  const execArgv = ['--import', reporter, ...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? [])]
  const child = fork(command, ['--port', '0', ...(process.env.BENCH_ARGS?.split(' ') ?? [])], {
    silent: true,
    execArgv,
  })
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    const [url] = /http:\/\/\S+/.exec(output) ?? []
    if (url !== undefined && output.includes('Ctrl+C')) return { child, url: new URL(url) }
  }
  throw new Error(`rapport-mock ended: ${output}`)
}

interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly token?: string
}

let registered = 0
const calls: Readonly<Record<string, (token: string) => Call>> = {
  'Get Relationships': (token) => ({ method: 'GET', path: '/users/@me/relationships', token }),
  'Login Account': () => ({ method: 'POST', path: '/auth/login', body: { login: 'grace@example.com', password } }),
  'Register Account': () => {
    registered += 1
    const name = `user${registered}`
    return { method: 'POST', path: '/auth/register', body: { username: name, email: `${name}@example.com`, password } }
  },
}

async function send(pool: Pool, { method, path, body, token }: Call): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) }
  const response = await pool.request({
    method,
    path,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`${method} ${path} returned ${response.statusCode}: ${text}`)
  return text
}

/** Sends the calls on all connections. @returns milliseconds of each call. */
async function load(pool: Pool, create: () => Call): Promise<number[]> {
  const times: number[] = []
  let remaining = requests
  const run = async () => {
    while (remaining-- > 0) {
      const started = performance.now()
      await send(pool, create())
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  return times
}

console.log(`rapport-mock, ${connections} connections, ${requests} requests per call after as many to warm up`)
const table: Record<string, string | number>[] = []
for (const [name, create] of Object.entries(calls)) {
  if (process.env.BENCH_ONLY && name !== process.env.BENCH_ONLY) continue
  const { child, url } = await start()
  const pool = new Pool(url.origin, { connections, pipelining: 1 })
  const login = { login: 'grace@example.com', password }
  const { token } = JSON.parse(await send(pool, { method: 'POST', path: '/auth/login', body: login }))
  await load(pool, () => create(token))
  const before = await usageOf(child)
  const started = performance.now()
  const times = await load(pool, () => create(token))
  const elapsed = (performance.now() - started) / 1000
  const after = await usageOf(child)
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  table.push({
    call: name,
    'requests/s': Math.round(times.length / elapsed),
    'CPU µs/request': Math.round(cpu / times.length),
    'p50 ms': percentile(times, 0.5).toFixed(1),
    'p99 ms': percentile(times, 0.99).toFixed(1),
    'RSS MB': `${Math.round(before.rss / 1e6)} → ${Math.round(after.rss / 1e6)}`,
  })
  await pool.destroy()
  child.disconnect()
  await once(child, 'exit')
}
console.table(table)
