// Measures a GET of 20 and of 1,000 relationships next to comparable clients: calls per second with 1, 16 and 64 calls in
// flight, CPU time and allocations per call. The server runs in its own process, whose work is not counted.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Session } from 'node:inspector/promises'
import { createRequire } from 'node:module'
import { REST, version as restVersion } from '@discordjs/rest'
import { Octokit } from '@octokit/core'
import { Agent, request } from 'undici'
import { type Candidate, interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
const { default: ky } = await import('ky')
/** The one method that is measured. */
interface OpenAI {
  get(path: string): Promise<unknown>
}
const openaiModule: string = 'openai'
const { default: OpenAI } = (await import(openaiModule)) as {
  default: new (options: { baseURL: string; apiKey: string }) => OpenAI
}
// Measures the build, not the sources, because users run the build.
const { Client } = (await import(new URL('../dist/index.js', import.meta.url).href)) as typeof import('rapport-sdk')
const { createClient, relationships } = (await import(
  new URL('../dist/core/index.js', import.meta.url).href
)) as typeof import('rapport-sdk/core')
const { undiciFetch } = (await import(
  new URL('../dist/node/index.js', import.meta.url).href
)) as typeof import('rapport-sdk/node')
const { dependencies, devDependencies } = createRequire(import.meta.url)('../package.json') as {
  readonly dependencies: Record<string, string>
  readonly devDependencies: Record<string, string>
}

const rounds = Number(process.env.BENCH_ROUNDS ?? 40)
const warmUp = 10
const server = fork(new URL('./server.ts', import.meta.url))
const [port] = (await once(server, 'message')) as [number]
const token = 'a-token'
const headers = { authorization: token, accept: 'application/json' }
const path = 'users/@me/relationships'

/** Creates the clients, each of which sends the same GET and parses the same JSON. */
function clientsFor(baseUrl: string): Candidate[] {
  const url = `${baseUrl}/${path}`
  const alone = ky.create({ prefixUrl: baseUrl, headers, timeout: 30_000 })
  const client = new Client({ baseUrl, token })
  const ofParts = createClient({ baseUrl, token }, { relationships })
  const fast = new Client({ baseUrl, token, fetch: undiciFetch() })
  const octokit = new Octokit({ baseUrl })
  const openai = new OpenAI({ baseURL: baseUrl, apiKey: token })
  // By default it sends at most 50 requests per second. It sends the requests of one route one after the other.
  const rest = new REST({ api: baseUrl, globalRequestsPerSecond: 1e6 })
  const dispatcher = new Agent()
  return [
    // First, because the ratios refer to it.
    { name: `ky ${dependencies.ky}`, run: () => alone.get(path).json() },
    { name: 'client', run: () => client.relationships.list() },
    { name: 'client of parts', run: () => ofParts.relationships.list() },
    { name: 'client, undiciFetch', run: () => fast.relationships.list() },
    {
      name: `@octokit/core ${devDependencies['@octokit/core']}`,
      run: () => octokit.request(`GET /${path}`, { headers }),
    },
    { name: `openai ${devDependencies.openai}`, run: () => openai.get(`/${path}`) },
    {
      name: `@discordjs/rest ${restVersion}`,
      run: () => rest.get(`/${path}`, { auth: false, headers, versioned: false }),
    },
    { name: 'fetch', run: async () => (await fetch(url, { headers })).json() },
    {
      name: `undici ${devDependencies.undici}, request`,
      run: async () => (await request(url, { headers, dispatcher })).body.json(),
    },
  ]
}

/** Makes `calls` calls, `inFlight` of them at a time. */
async function callAll({ run }: Candidate, calls: number, inFlight: number): Promise<void> {
  let left = calls
  const work = async () => {
    while (left-- > 0) await run()
  }
  await Promise.all(Array.from({ length: inFlight }, work))
}

/** Prints calls per second and the CPU time of this process per call, as medians of the rounds. */
async function compareSpeed(clients: readonly Candidate[], calls: number, inFlight: number): Promise<void> {
  const cpuTimes = clients.map((): number[] => [])
  const timed = clients.map((client, index) => ({
    name: client.name,
    async run() {
      const before = process.cpuUsage()
      await callAll(client, calls, inFlight)
      const { user, system } = process.cpuUsage(before)
      cpuTimes[index]?.push((user + system) / calls)
    },
  }))
  const samples = await interleave(timed, warmUp, rounds)
  const rates = samples.map((times) => (1000 * calls) / percentile(times, 0.5))
  const costs = cpuTimes.map((times) => percentile(times.slice(warmUp), 0.5))
  const [kyRate = Number.NaN] = rates
  const [kyCost = Number.NaN] = costs
  console.log(`${inFlight} in flight, ${rounds} rounds of ${calls} calls`)
  console.table(
    clients.map(({ name }, index) => ({
      name,
      'calls/s': Math.round(rates[index] ?? Number.NaN),
      'calls/s × ky': ((rates[index] ?? Number.NaN) / kyRate).toFixed(2),
      'CPU µs/call': costs[index]?.toFixed(0),
      'CPU × ky': ((costs[index] ?? Number.NaN) / kyCost).toFixed(2),
    })),
  )
}

/** Prints the bytes that a call allocates on the JavaScript heap, as V8's sampling profiler estimates them. */
async function compareAllocations(clients: readonly Candidate[], calls: number): Promise<void> {
  const session = new Session()
  session.connect()
  const allocated: number[] = []
  for (const client of clients) {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 4096,
      // Otherwise it counts only what is still alive at the end.
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await callAll(client, calls, 16)
    const { profile } = await session.post('HeapProfiler.stopSampling')
    const pending = [profile.head]
    let bytes = 0
    for (const node of pending) {
      bytes += node.selfSize
      pending.push(...node.children)
    }
    allocated.push(bytes / calls)
  }
  session.disconnect()
  const [kyBytes = Number.NaN] = allocated
  console.log(`Allocations of ${calls} calls, 16 in flight`)
  console.table(
    clients.map(({ name }, index) => ({
      name,
      'kB/call': ((allocated[index] ?? Number.NaN) / 1000).toFixed(1),
      '× ky': ((allocated[index] ?? Number.NaN) / kyBytes).toFixed(2),
    })),
  )
}

for (const [what, folder, calls, inFlights] of [
  ['20 relationships', 'api', 200, [1, 16, 64]],
  ['1,000 relationships', 'many', 32, [16]],
] as const) {
  console.log(`GET of ${what}, interleaved, Node ${process.versions.node}`)
  const clients = clientsFor(`http://127.0.0.1:${port}/${folder}`)
  for (const inFlight of inFlights) await compareSpeed(clients, calls, inFlight)
  await compareAllocations(clients, calls * 10)
}
server.disconnect()
