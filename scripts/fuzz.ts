import { spawnSync } from 'node:child_process'

// Runs the property tests with many runs and a new seed. Prints the seed, so that `FUZZ_SEED` reproduces a failure.

const { FUZZ_RUNS = '5000', FUZZ_SEED = String(Math.floor(Math.random() * 2 ** 31)) } = process.env
const command = `FUZZ_SEED=${FUZZ_SEED} FUZZ_RUNS=${FUZZ_RUNS} npx tsx scripts/fuzz.ts`
process.stdout.write(`seed ${FUZZ_SEED}, ${FUZZ_RUNS} runs per property; to repeat: ${command}\n`)

const only = process.argv.slice(2)
/** Tests in other folders that draw as many values as `FUZZ_RUNS` says. */
const OTHERS = [
  'test/mocks/factories.test.ts',
  'test/security/any-response.test.ts',
  'test/browser/preview-security.test.ts',
]
const paths = only.length === 0 ? ['test/fuzz', ...OTHERS] : only.map((name) => `test/fuzz/${name}`)
const { status } = spawnSync('npx', ['vitest', 'run', '--testTimeout=0', '--typecheck.enabled=false', ...paths], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_RUNS, FUZZ_SEED },
})
process.exitCode = status ?? 1
