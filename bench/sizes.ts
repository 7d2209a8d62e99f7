// Prints the bundle sizes of `.size-limit.json`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// Exits with 1 if a bundle is over budget, which does not matter here.
const measured = spawnSync(`${root}node_modules/.bin/size-limit`, ['--json'], { cwd: root, encoding: 'utf8' })
const sizes = JSON.parse(measured.stdout) as { name: string; size: number; sizeLimit: number }[]
console.log('Bundles, minified and gzipped')
console.table(sizes.map(({ name, size, sizeLimit }) => ({ name, bytes: size, budget: sizeLimit })))
