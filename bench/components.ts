// Measures components: building, validating and writing (JSON.stringify) them, in the same row for a literal, this package
// and the peer, interleaved in one process.
import { isDeepStrictEqual } from 'node:util'
import { version } from '@discordjs/builders'
import { checkByHand, FROZEN } from './component-floor'
import { PAYLOADS, type Payload } from './component-payloads'
import { interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
// Measures the build, not the sources, because users run the build.
const built = new URL('../dist/components/index.js', import.meta.url).href
const sdk = (await import(built)) as typeof import('rapport-sdk/components')

const rounds = Number(process.env.BENCH_ROUNDS ?? 2000)
const warmUp = Math.ceil(rounds / 10)
/** Calls per sample. A single call is too short to measure. */
const batch = 20

/** Uses the results, so that the engine cannot optimise the calls away. */
let uses = 0

/** A way to make a payload, in its stages: each takes what the one before returned. */
interface Way {
  readonly name: string
  readonly build: () => object
  readonly validate?: (made: object) => object
}

function waysOf({ name, literal, ours, isValid, theirs }: Payload): readonly Way[] {
  const validate = (made: object) => {
    if (!isValid(sdk, made)) throw new Error('the payload is invalid')
    return made
  }
  const frozen = FROZEN[name] ?? literal
  return [
    { name: 'literal', build: literal },
    { name: 'literal, validated by ours', build: literal, validate },
    { name: 'literal, frozen', build: frozen },
    { name: 'floor: literal, frozen, validated by hand', build: frozen, validate: checkByHand },
    { name: 'ours', build: () => ours(sdk), validate },
    {
      name: `@discordjs/builders ${version}`,
      build: theirs,
      // Validates what it converts.
      validate: (made) => Object(Reflect.apply(Reflect.get(made, 'toJSON'), made, [])),
    },
  ]
}

const sampled = (name: string, make: () => object | string) => ({
  name,
  run: async () => {
    for (let call = 0; call < batch; call += 1) uses += typeof make() === 'string' ? 1 : 2
  },
})

async function measure(payload: Payload) {
  const ways = waysOf(payload)
  const plain = (value: object): unknown => JSON.parse(JSON.stringify(value))
  for (const { name, build, validate = (made: object) => made } of ways) {
    if (!isDeepStrictEqual(plain(validate(build())), plain(payload.literal()))) throw new Error(`${name} differs`)
  }
  const stages = ways.flatMap(({ name, build, validate = (made: object) => made }) => [
    sampled(name, build),
    sampled(name, () => validate(build())),
    sampled(name, () => JSON.stringify(validate(build()))),
  ])
  const samples = await interleave(stages, warmUp, rounds)
  const times = samples.map((list) => (percentile(list, 0.5) / batch) * 1000)
  const timeAt = (index: number): number => times[index] ?? Number.NaN
  return ways.map(({ name, validate }, index) => {
    const [build, validated, written] = [timeAt(3 * index), timeAt(3 * index + 1), timeAt(3 * index + 2)]
    return {
      payload: payload.name,
      way: name,
      'build (µs)': build.toFixed(2),
      'validate (µs)': validate ? (validated - build).toFixed(2) : '',
      'write (µs)': (written - (validate ? validated : build)).toFixed(2),
      'all (µs)': written.toFixed(2),
      '× literal': (written / timeAt(2)).toFixed(2),
    }
  })
}

console.log(`p50 of ${rounds} samples of ${batch} calls each, interleaved, Node ${process.versions.node}`)
for (const payload of PAYLOADS) console.table(await measure(payload))
if (uses === 0) throw new Error('no payload was built')
