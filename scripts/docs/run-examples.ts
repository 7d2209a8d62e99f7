import { availableParallelism } from 'node:os'
import { inParallel, runTypeScript } from './run-child'
import { filesIn } from './sources'

// Runs every file of examples/ (folders inside it hold their helpers). Each brings its own mock, so each must end well by itself.

const examples = filesIn('examples', '.ts').filter((file) => file.split(/[\\/]/).length === 2)

const runs = await inParallel(examples, availableParallelism(), async (file) => ({
  file,
  run: await runTypeScript(file),
}))
for (const { file, run } of runs) {
  console.log(`${run.failed ? 'FAIL' : 'ok  '} ${file} (${run.milliseconds} ms)`)
  if (run.failed) console.error(run.stdout + run.stderr)
}
if (examples.length === 0) console.error('There is no example.')
if (examples.length === 0 || runs.some(({ run }) => run.failed)) process.exitCode = 1
