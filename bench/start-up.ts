// Measures the import of the built package and `new Client`, next to the import of ky alone, each in a process of its own.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { percentile } from './interleave'

const root = fileURLToPath(new URL('..', import.meta.url))
const rounds = Number(process.env.BENCH_ROUNDS ?? 40)
const options = `{ baseUrl: 'https://service.example', token: 'a token' }`
// Packages are imported by their own names, as an app imports them.
const candidates = [
  { name: 'ky alone', type: 'module', code: `await import('ky')` },
  {
    name: 'Client, ES modules',
    type: 'module',
    code: `const { Client } = await import('rapport-sdk'); new Client(${options})`,
  },
  {
    name: 'Client, CommonJS',
    type: 'commonjs',
    code: `const { Client } = require('rapport-sdk'); new Client(${options})`,
  },
  {
    name: 'createClient with auth and relationships, ES modules',
    type: 'module',
    code: `const { createClient, auth, relationships } = await import('rapport-sdk/core')
      createClient(${options}, { auth, relationships })`,
  },
  { name: '@octokit/core', type: 'module', code: `const { Octokit } = await import('@octokit/core'); new Octokit()` },
  {
    name: 'openai',
    type: 'module',
    code: `const { OpenAI } = await import('openai'); new OpenAI({ apiKey: 'a key' })`,
  },
  { name: '@discordjs/rest', type: 'module', code: `const { REST } = await import('@discordjs/rest'); new REST()` },
]

/** Returns the time and the CPU time of the code in milliseconds, without the start of the process. */
function measure(type: string, code: string): readonly [time: number, cpu: number] {
  const script = `const started = performance.now()
    const before = process.cpuUsage()
    ${code}
    const { user, system } = process.cpuUsage(before)
    process.stdout.write(JSON.stringify([performance.now() - started, (user + system) / 1000]))
    process.exit()`
  return JSON.parse(
    execFileSync(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: root, encoding: 'utf8' }),
  )
}

const samples = candidates.map((): (readonly [time: number, cpu: number])[] => [])
const median = (index: number, of: 0 | 1) =>
  percentile(
    (samples[index] ?? []).map((sample) => sample[of]),
    0.5,
  )
for (let round = 0; round < rounds; round += 1)
  for (const [index, { type, code }] of candidates.entries()) samples[index]?.push(measure(type, code))

console.log(`Import and construction, ${rounds} processes each, interleaved, Node ${process.versions.node}`)
console.table(
  candidates.map(({ name }, index) => ({
    name,
    'p50 (ms)': median(index, 0).toFixed(1),
    '× ky': (median(index, 0) / median(0, 0)).toFixed(2),
    'p50 of the CPU time (ms)': median(index, 1).toFixed(1),
    '× ky, CPU time': (median(index, 1) / median(0, 1)).toFixed(2),
  })),
)
