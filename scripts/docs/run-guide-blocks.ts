import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isTestFile, modulePath, modulesFolder, moduleText } from './block-module'
import { expectedOutput } from './expected-output'
import { inParallel, runTestFile, runTypeScript } from './run-child'
import { guideBlocks } from './sources'

// Runs every `ts` block of the guides with the mock of `prelude.ts`, and compares its output with the `text output` block below it.

const blocks = guideBlocks().filter((block) => block.runs)

mkdirSync(modulesFolder, { recursive: true })
const problems = await inParallel(blocks, availableParallelism(), async (block) => {
  const path = modulePath(block)
  writeFileSync(path, moduleText(block))
  const run = await (isTestFile(block) ? runTestFile(path) : runTypeScript(path, ['./scripts/docs/prelude.ts']))
  const where = `${block.file}:${block.line}`
  if (run.failed) return `${where} fails:\n${run.stderr}${isTestFile(block) ? run.stdout : ''}`
  if (block.output !== undefined && !expectedOutput(block.output).test(run.stdout)) {
    return `${where} prints:\n${run.stdout}\ninstead of:\n${block.output}`
  }
  return undefined
}).finally(() => rmSync(modulesFolder, { recursive: true }))

const failures = problems.filter((problem) => problem !== undefined)
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exitCode = 1
else console.log(`${blocks.length} guide blocks run with the mock.`)
