import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isTestFile, modulePath, modulesFolder, moduleText } from './block-module'
import type { Block } from './blocks'
import { bundle } from './bundle'
import { expectedOutput } from './expected-output'
import { inParallel, runModule, runTestFiles } from './run-child'
import { guideBlocks } from './sources'

// Runs every `ts` block of the guides with the mock of `prelude.ts`, and compares its output with the `text output` block below it.

const blocks = guideBlocks().filter((block) => block.runs)
const scripts = blocks.filter((block) => !isTestFile(block))

async function problemOf(block: Block, file: string, prelude: string): Promise<string | undefined> {
  const run = await runModule(file, [prelude])
  const where = `${block.file}:${block.line}`
  if (run.failed) return `${where} fails:\n${run.stderr}`
  if (block.output !== undefined && !expectedOutput(block.output).test(run.stdout)) {
    return `${where} prints:\n${run.stdout}\ninstead of:\n${block.output}`
  }
  return undefined
}

async function problemOfTests(): Promise<string | undefined> {
  const run = await runTestFiles()
  return run.failed ? `The blocks that are tests fail:\n${run.stderr}${run.stdout}` : undefined
}

async function findProblems(): Promise<(string | undefined)[]> {
  for (const block of blocks) writeFileSync(modulePath(block), moduleText(block))
  const entries = ['scripts/docs/prelude.ts', ...scripts.map(modulePath)]
  const [prelude = '', ...files] = await bundle(entries, join(modulesFolder, 'bundles'))
  const jobs = scripts.map((block, index) => () => problemOf(block, files[index] ?? '', prelude))
  return inParallel([problemOfTests, ...jobs], availableParallelism(), (job) => job())
}

mkdirSync(modulesFolder, { recursive: true })
const problems = await findProblems().finally(() => rmSync(modulesFolder, { recursive: true }))
const failures = problems.filter((problem) => problem !== undefined)
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exitCode = 1
else console.log(`${blocks.length} guide blocks run with the mock.`)
