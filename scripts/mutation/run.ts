import { Stryker } from '@stryker-mutator/core'
import { type Area, areas } from './areas'

/**
 * `npm run mutation`: breaks the code at every place, one at a time, and tells how often a test noticed. Prints what
 * nothing noticed; fails below 85 % in any folder. `npm run mutation -- session` for one folder, or for one file with
 * `npm run mutation -- session/prompt`. Delete `reports/` to begin anew.
 */
const LEAST = 0.85

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

async function mutate(area: Area, files: string): Promise<boolean> {
  process.env.MUTATION_AREA = area.folder
  process.env.FUZZ_RUNS ??= '20'
  const mutants = await new Stryker({
    mutate: [`src/${files}`],
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    ignoreStatic: !area.loading,
    // What was found is kept: the next run tries what has changed since, and what was not noticed.
    incremental: true,
    incrementalFile: `reports/mutation-${area.folder}.json`,
    // Most tests wait for a socket or a timer, so there may be more of them than cores.
    concurrency: 4,
    timeoutMS: 30_000,
    reporters: ['progress-append-only'],
    tempDirName: '.stryker-tmp',
    allowConsoleColors: false,
  }).runMutationTest()
  const ran = mutants.filter(({ status }) => status !== 'Ignored')
  const missed = ran.filter(({ status }) => status !== 'Killed' && status !== 'Timeout')
  const share = 1 - missed.length / ran.length
  for (const mutant of missed.sort((a, b) => a.fileName.localeCompare(b.fileName))) console.log(describe(mutant))
  console.log(
    `src/${files}: ${ran.length - missed.length} of ${ran.length} mutants noticed, ${(100 * share).toFixed(1)} %; ` +
      `${mutants.length - ran.length} left out`,
  )
  return share >= LEAST
}

function describe({ fileName, location, mutatorName, status, replacement = '' }: Mutant): string {
  const file = fileName.slice(fileName.indexOf('src/'))
  const { line, column } = location.start
  return `  ${file}:${line}:${column} ${status} ${mutatorName}: ${replacement.split('\n', 1)[0]?.slice(0, 100)}`
}

const [only = ''] = process.argv.slice(2)
let isEnough = true
for (const area of areas) {
  if (only !== '' && area.folder !== only.split('/')[0]) continue
  const files = only.includes('/') ? `${only}.ts` : `${area.folder}/**/*.ts`
  isEnough = (await mutate(area, files)) && isEnough
}
process.exitCode = isEnough ? 0 : 1
