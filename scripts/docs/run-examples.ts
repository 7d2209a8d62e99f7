import { availableParallelism } from 'node:os'
import { inParallel, runTypeScript } from './run-child'
import { filesIn } from './sources'

// Runs every file of examples/ (its folders contain helpers). Each starts its own mock and must exit with code 0.

const examples = filesIn('examples', '.ts').filter((file) => file.split(/[\\/]/).length === 2)

const runs = await inParallel(examples, availableParallelism(), async (file) => ({
  file,
  run: await runTypeScript(file),
}))
for (const { file, run } of runs) {
  console.log(`${run.failed ? 'FAIL' : 'ok  '} ${file} (${run.milliseconds} ms)`)
  if (run.failed) console.error(run.stdout + run.stderr)
}
if (examples.length === 0) console.error('No example was found.')
if (examples.length === 0 || runs.some(({ run }) => run.failed)) process.exitCode = 1
