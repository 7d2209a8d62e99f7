import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { type Area, areas } from './areas'

/**
 * `npm run mutation`: changes the code in one place at a time and checks that a test fails. Takes a random sample of each
 * folder, prints what no test detects, and fails below 85 % in any folder. `npm run mutation -- src/session` tests one
 * folder, `npm run mutation -- src/session/session.ts` one file. `--sample 100` sets the size of the sample, `--seed 7`
 * chooses another one, `--concurrency 2` limits the number of processes. Results are kept in `reports/`; delete it to start
 * again.
 */
const MIN_SHARE = 0.85

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '300' },
    // One more than usual: tests of mutants wait a lot, above all those that hang.
    concurrency: { type: 'string', default: `${availableParallelism() + 1}` },
  },
})
const { seed } = values
const sample = Number(values.sample)

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** The number of mutants that the last folder has, before sampling. */
let found = 0

/** Stryker cannot select single mutants: ranges also select the mutants nested in them. */
const { instrument } = Instrumenter.prototype
Instrumenter.prototype.instrument = async function (files, options) {
  const result = await instrument.call(this, files, options)
  found = result.mutants.length
  // The order of their hashes is random, and does not change for a mutant when others come or go.
  const ranked = result.mutants.map((mutant) => {
    const { fileName, location, mutatorName, replacement } = mutant
    const key = JSON.stringify([seed, relative('.', fileName), location.start, location.end, mutatorName, replacement])
    return { mutant, rank: createHash('sha256').update(key).digest('hex') }
  })
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))
  return { ...result, mutants: ranked.slice(0, sample).map(({ mutant }) => mutant) }
}

async function test({ folder, tests }: Area, files: string): Promise<boolean> {
  process.env.MUTATION_TESTS = JSON.stringify(tests)
  // Property tests have a fixed seed, so that their results do not differ between runs.
  Object.assign(process.env, { FUZZ_RUNS: '20', FUZZ_SHRINK: 'no' })
  const mutants = await new Stryker({
    mutate: [files],
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: `reports/mutation-${folder.replace('/', '-')}.json`,
    concurrency: Number(values.concurrency),
    timeoutMS: 30_000,
    reporters: ['progress-append-only'],
    tempDirName: '.stryker-tmp',
    allowConsoleColors: false,
  }).runMutationTest()
  const count = (status: Mutant['status']) => mutants.filter((mutant) => mutant.status === status).length
  const late = mutants.filter(isByClock)
  const missed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const share = 1 - missed.length / mutants.length
  const listed = [...missed, ...late].sort((a, b) => a.fileName.localeCompare(b.fileName))
  for (const mutant of listed) console.log(describe(mutant))
  console.log(
    `${files}: ${mutants.length - missed.length} of ${mutants.length} mutants detected (${(100 * share).toFixed(1)} %), ` +
      `${late.length} of them by the clock, ${count('RuntimeError')} by an error outside of a test; ` +
      `seed ${seed}, ${found} mutants in all`,
  )
  return share >= MIN_SHARE
}

/** Whether a mutant was detected because a test or the whole run took too long. An endless loop is ended by its number of iterations instead. */
function isByClock({ status, statusReason = '' }: Mutant): boolean {
  return status === 'Timeout'
    ? !statusReason.startsWith('Hit limit')
    : /(?:Test|Hook) timed out in \d+ms/.test(statusReason)
}

function describe({ fileName, location, mutatorName, status, replacement = '' }: Mutant): string {
  const { line, column } = location.start
  const code = replacement.split('\n', 1)[0]?.slice(0, 100)
  return `  ${relative('.', fileName)}:${line}:${column} ${status} ${mutatorName}: ${code}`
}

const [only] = positionals
let isEnough = true
for (const area of areas) {
  if (only !== undefined && only !== area.folder && only.replace(/\/[^/]+\.ts$/, '') !== area.folder) continue
  isEnough = (await test(area, only?.endsWith('.ts') ? only : area.files)) && isEnough
}
process.exitCode = isEnough ? 0 : 1
