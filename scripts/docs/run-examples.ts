import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { bundle } from './bundle'
import { inParallel, runModule } from './run-child'
import { filesIn, root } from './sources'

// Runs every file of examples/ (its folders contain helpers). Each starts its own mock and must exit with code 0.

const examples = filesIn('examples', '.ts').filter((file) => file.split(/[\\/]/).length === 2)

const folder = join(root, 'node_modules/.cache/examples')
const bundles = await bundle(examples, folder)

const runs = await inParallel([...examples.entries()], availableParallelism(), async ([index, file]) => ({
  file,
  run: await runModule(bundles[index] ?? file),
})).finally(() => rmSync(folder, { recursive: true }))
for (const { file, run } of runs) {
  console.log(`${run.failed ? 'FAIL' : 'ok  '} ${file} (${run.milliseconds} ms)`)
  if (run.failed) console.error(run.stdout + run.stderr)
}
if (examples.length === 0) console.error('No example was found.')
if (examples.length === 0 || runs.some(({ run }) => run.failed)) process.exitCode = 1
