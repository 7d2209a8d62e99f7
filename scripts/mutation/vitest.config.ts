import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from 'vitest/node'
import config from '../../vitest.config'

/** The tests of the folder that `run.ts` mutates. */
const tests: string[] = JSON.parse(process.env.MUTATION_TESTS ?? '[]')

/** Failures per millisecond of each test file. Files that have not run are assumed to need 0.3 s to the first failure. */
const rates = new Map<string, { readonly failures: number; readonly ms: number }>()
const rateOf = (file: string) => rates.get(file) ?? { failures: 1, ms: 300 }

let vitest: Vitest | undefined

const reporter: Reporter = {
  onInit(started) {
    vitest = started
  },
  onTestModuleEnd(module) {
    const { failures, ms } = rateOf(module.moduleId)
    const { collectDuration, duration } = module.diagnostic()
    const failed = module.state() === 'failed' ? 1 : 0
    rates.set(module.moduleId, { failures: failures + failed, ms: ms + collectDuration + duration })
    // Stryker looks only at tests. A file that cannot be loaded has none, so the mutant would count as undetected.
    for (const { message } of module.errors()) vitest?.state.catchError(new Error(message), 'Unhandled Error')
  },
}

/** Runs the files first that detect most mutants per second, because the first test that fails ends the run. */
class BestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const score = ({ moduleId }: TestSpecification) => rateOf(moduleId).failures / rateOf(moduleId).ms
    return [...files].sort((a, b) => score(b) - score(a))
  }
}

const [unit, isolated, browser, react] = (config.test?.projects ?? []) as TestProjectInlineConfiguration[]
const isolatedTests = isolated?.test?.include ?? []
/** The tests of React in the worker of the others, since the order of all files is that of {@link BestFirst}. */
const inOneWorker = { maxWorkers: 1, sequence: { groupOrder: 0 } }

export default defineConfig({
  ...config,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...config.test,
    maxWorkers: 1,
    // Stryker runs tests in threads, which refuse options of V8.
    execArgv: [],
    // Long enough for a slow test on a busy machine, and shorter than Stryker's own limit, which grows with the number of tests.
    testTimeout: 20_000,
    reporters: [reporter],
    sequence: { sequencer: BestFirst },
    projects: [
      { ...unit, test: { ...unit?.test, include: tests.filter((name) => name.endsWith('.ts')) } },
      { ...isolated, test: { ...isolated?.test, include: tests.filter((name) => isolatedTests.includes(name)) } },
      { ...browser, test: { ...browser?.test, include: tests.filter((name) => name.startsWith('test/browser/')) } },
      { ...react, test: { ...react?.test, ...inOneWorker, include: tests.filter((name) => name.endsWith('.tsx')) } },
    ],
  },
})
