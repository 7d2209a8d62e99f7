// Measures building and validating components: a literal, this package and the peer, interleaved in one process.
import { isDeepStrictEqual } from 'node:util'
import { version } from '@discordjs/builders'
import { PAYLOADS, type Payload } from './component-payloads'
import { interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
// Measures the build, not the sources, because users run the build.
const built = new URL('../dist/components/index.js', import.meta.url).href
const sdk = (await import(built)) as typeof import('rapport-sdk/components')

const warmUp = 200
const rounds = 2000
/** Calls per sample. A single call is too short to measure. */
const batch = 20

/** Uses the results, so that the engine cannot optimise the calls away. */
let characters = 0

const sampled = (name: string, make: () => object, isStringified: boolean) => ({
  name,
  run: async () => {
    for (let call = 0; call < batch; call += 1) {
      const made = make()
      characters += isStringified ? JSON.stringify(made).length : Object.keys(made).length
    }
  },
})

async function measure({ name, literal, ours, theirs }: Payload) {
  const plain = (value: object): unknown => JSON.parse(JSON.stringify(value))
  for (const other of [ours(sdk), theirs()]) {
    if (!isDeepStrictEqual(plain(other), plain(literal()))) throw new Error(`${name} is not the same payload`)
  }
  const candidates = [
    sampled('literal, stringified', literal, true),
    sampled('ours: built, validated', () => ours(sdk), false),
    sampled('ours: built, validated, stringified', () => ours(sdk), true),
    sampled(`@discordjs/builders ${version}: toJSON`, theirs, false),
    sampled(`@discordjs/builders ${version}: toJSON, stringified`, theirs, true),
  ]
  const samples = await interleave(candidates, warmUp, rounds)
  const times = samples.map((list) => percentile(list, 0.5) / batch)
  const [base = Number.NaN] = times
  return candidates.map((candidate, index) => ({
    payload: name,
    candidate: candidate.name,
    'p50 (µs)': ((times[index] ?? Number.NaN) * 1000).toFixed(2),
    '× literal': ((times[index] ?? Number.NaN) / base).toFixed(2),
  }))
}

console.log(`${rounds} samples of ${batch} calls each, interleaved, Node ${process.versions.node}`)
for (const payload of PAYLOADS) console.table(await measure(payload))
if (characters === 0) throw new Error('no payload was built')
