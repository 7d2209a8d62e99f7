// What it costs to build and check components: a literal, ours and the peer's, in one process, in turn.
import { isDeepStrictEqual } from 'node:util'
import { version } from '@discordjs/builders'
import { PAYLOADS, type Payload } from './component-payloads'
import { interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
// The built files, not the sources: what users run.
const built = new URL('../dist/components/index.js', import.meta.url).href
const sdk = (await import(built)) as typeof import('rapport-sdk/components')

const warmUp = 200
const rounds = 2000
/** Calls for one sample: a single one is shorter than a clock can tell. */
const batch = 20

/** What keeps the results alive, so that nothing is optimised away. */
let characters = 0

const sampled = (name: string, make: () => object, isWritten: boolean) => ({
  name,
  run: async () => {
    for (let call = 0; call < batch; call += 1) {
      const made = make()
      characters += isWritten ? JSON.stringify(made).length : Object.keys(made).length
    }
  },
})

async function measure({ name, literal, ours, theirs }: Payload) {
  const plain = (value: object): unknown => JSON.parse(JSON.stringify(value))
  for (const other of [ours(sdk), theirs()]) {
    if (!isDeepStrictEqual(plain(other), plain(literal()))) throw new Error(`${name} is not the same payload`)
  }
  const candidates = [
    sampled('literal, written', literal, true),
    sampled('ours: built, checked', () => ours(sdk), false),
    sampled('ours: built, checked, written', () => ours(sdk), true),
    sampled(`@discordjs/builders ${version}: toJSON`, theirs, false),
    sampled(`@discordjs/builders ${version}: toJSON, written`, theirs, true),
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

console.log(
  `${rounds} samples of ${batch} calls each, interleaved, Node ${process.versions.node}; "written" is JSON.stringify`,
)
for (const payload of PAYLOADS) console.table(await measure(payload))
if (characters === 0) throw new Error('nothing was made')
