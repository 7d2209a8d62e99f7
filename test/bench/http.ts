// p50 of one GET: bare fetch, ky alone and the client, against one server in one run. Then the sizes of the bundles.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Candidate, interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
const { default: ky } = await import('ky')
// The built files, not the sources: what users run.
const built = new URL('../../dist/index.js', import.meta.url).href
const { Client } = (await import(built)) as typeof import('rapport-sdk')

const warmUp = 500
const rounds = 4000

const server = fork(new URL('./server.ts', import.meta.url))
const [port] = (await once(server, 'message')) as [number]
const baseUrl = `http://127.0.0.1:${port}/api`
const token = 'a-token'

const headers = { authorization: token, accept: 'application/json' }
const alone = ky.create({ prefixUrl: baseUrl, headers, timeout: 30_000 })
const client = new Client({ baseUrl, token })

const candidates: Candidate[] = [
  { name: 'bare fetch', run: async () => (await fetch(`${baseUrl}/users/@me/relationships`, { headers })).json() },
  { name: 'ky alone', run: () => alone.get('users/@me/relationships').json() },
  { name: 'client', run: () => client.relationships.list() },
]

const samples = await interleave(candidates, warmUp, rounds)
server.disconnect()

const [bare = Number.NaN, kyAlone = Number.NaN] = samples.map((list) => percentile(list, 0.5))
console.log(`GET /users/@me/relationships, ${rounds} calls each, interleaved, Node ${process.versions.node}`)
console.table(
  candidates.map(({ name }, index) => {
    const list = samples[index] ?? []
    const p50 = percentile(list, 0.5)
    return {
      name,
      'p50 (µs)': Math.round(p50 * 1000),
      'p95 (µs)': Math.round(percentile(list, 0.95) * 1000),
      '× fetch': (p50 / bare).toFixed(2),
      '× ky': (p50 / kyAlone).toFixed(2),
    }
  }),
)

const root = fileURLToPath(new URL('../..', import.meta.url))
// It exits with 1 over a budget; here the figures count.
const measured = spawnSync(`${root}node_modules/.bin/size-limit`, ['--json'], { cwd: root, encoding: 'utf8' })
const sizes = JSON.parse(measured.stdout) as { name: string; size: number; sizeLimit: number }[]
console.log('Bundles, minified and gzipped')
console.table(sizes.map(({ name, size, sizeLimit }) => ({ name, bytes: size, budget: sizeLimit })))
await client.dispose()
