// Measures the p50 of a GET of 20 and of 1,000 items: fetch, this package and its peers, against one server. Then prints the
// bundle sizes.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { REST, version as restVersion } from '@discordjs/rest'
import { Octokit } from '@octokit/core'
import { type Candidate, interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
const { default: ky } = await import('ky')
// Measures the build, not the sources, because users run the build.
const built = new URL('../dist/index.js', import.meta.url).href
const { Client } = (await import(built)) as typeof import('rapport-sdk')
const { dependencies, devDependencies } = createRequire(import.meta.url)('../package.json') as {
  readonly dependencies: Record<string, string>
  readonly devDependencies: Record<string, string>
}

const server = fork(new URL('./server.ts', import.meta.url))
const [port] = (await once(server, 'message')) as [number]
const token = 'a-token'
const headers = { authorization: token, accept: 'application/json' }
const path = 'users/@me/relationships'

/** Measures a GET of each candidate. */
async function compare(what: string, baseUrl: string, rounds: number): Promise<void> {
  const alone = ky.create({ prefixUrl: baseUrl, headers, timeout: 30_000 })
  const client = new Client({ baseUrl, token })
  const octokit = new Octokit({ baseUrl })
  const rest = new REST({ api: baseUrl })
  const candidates: Candidate[] = [
    { name: 'bare fetch', run: async () => (await fetch(`${baseUrl}/${path}`, { headers })).json() },
    { name: `ky ${dependencies.ky}`, run: () => alone.get(path).json() },
    { name: 'client', run: () => client.relationships.list() },
    {
      name: `@octokit/core ${devDependencies['@octokit/core']}`,
      run: () => octokit.request(`GET /${path}`, { headers }),
    },
    {
      name: `@discordjs/rest ${restVersion}`,
      run: () => rest.get(`/${path}`, { auth: false, headers, versioned: false }),
    },
  ]
  const samples = await interleave(candidates, rounds / 8, rounds)
  const [bare = Number.NaN, kyAlone = Number.NaN] = samples.map((list) => percentile(list, 0.5))
  console.log(`GET of ${what}, ${rounds} calls each, interleaved, Node ${process.versions.node}`)
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
  client.dispose()
}

await compare('20 relationships', `http://127.0.0.1:${port}/api`, 3000)
await compare('1,000 relationships', `http://127.0.0.1:${port}/many`, 400)
server.disconnect()

const root = fileURLToPath(new URL('..', import.meta.url))
// Exits with 1 if a bundle is over budget, which does not matter here.
const measured = spawnSync(`${root}node_modules/.bin/size-limit`, ['--json'], { cwd: root, encoding: 'utf8' })
const sizes = JSON.parse(measured.stdout) as { name: string; size: number; sizeLimit: number }[]
console.log('Bundles, minified and gzipped')
console.table(sizes.map(({ name, size, sizeLimit }) => ({ name, bytes: size, budget: sizeLimit })))
