import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vitest/config'
import config from '../../vitest.config'
import { areas } from './areas'

/** The tests of the area that `run.ts` mutates. */
const area = areas.find(({ folder }) => folder === process.env.MUTATION_AREA)
const run = mergeConfig(config, { test: { root: fileURLToPath(new URL('../..', import.meta.url)) } })
run.test.include = [...(area?.tests ?? [])]
// How time grows is no matter for a mutant, and it takes long to tell.
run.test.exclude = ['**/linear-time.test.ts']
run.test.typecheck = { enabled: false }
// Mutants are switched on in modules that are loaded already.
run.test.isolate = area?.loading
export default run
