// `npm run check`: everything except the tests, in parallel, one line per step; `npm run check -- lint types` runs some steps.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './package/step'

interface Step {
  readonly name: string
  readonly command: string
  /** Whether it reads dist/. */
  readonly needsBuild?: boolean
  /** Whether another step does the same and more, so that it runs only by name. */
  readonly isPart?: boolean
}

const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const packs = join(root, 'node_modules/.cache/package')
mkdirSync(packs, { recursive: true })

const STEPS: readonly Step[] = [
  {
    name: 'build',
    command: `npm run build --silent && npm pack --silent --ignore-scripts --pack-destination ${packs}`,
  },
  // The longest steps first, so that none of them runs alone at the end. The step `types` checks the same files.
  { name: 'docs', command: 'typedoc --skipErrorChecking && tsx scripts/docs/check-site.ts' },
  { name: 'types', command: 'tsx scripts/docs/check-block-types.ts --project' },
  { name: 'lint', command: 'biome check --error-on-warnings' },
  { name: 'package', command: 'tsx scripts/package/run.ts', needsBuild: true },
  { name: 'publish', command: 'tsx scripts/package/publish.ts', needsBuild: true },
  { name: 'apps', command: 'tsx scripts/package/apps.ts', needsBuild: true },
  { name: 'examples', command: 'tsx scripts/docs/run-examples.ts' },
  { name: 'guides', command: 'tsx scripts/docs/run-guide-blocks.ts' },
  { name: 'blocks', command: 'tsx scripts/docs/check-block-types.ts', isPart: true },
  { name: 'sizes', command: 'size-limit', needsBuild: true },
  { name: 'bundles', command: 'tsx scripts/package/bundles.ts', needsBuild: true },
  {
    name: 'interface',
    command:
      'redocly lint --config scripts/interface/redocly.yaml dist/openapi.json dist/asyncapi.json dist/control.openapi.json',
    needsBuild: true,
  },
  { name: 'api', command: 'tsx scripts/api.ts --check', needsBuild: true },
  { name: 'declarations', command: 'tsx scripts/docs/check-declarations.ts', needsBuild: true },
  { name: 'links', command: 'tsx scripts/docs/check-links.ts', needsBuild: true },
  { name: 'tables', command: 'tsx scripts/docs/component-tables.ts --check' },
  { name: 'llms', command: 'tsx scripts/docs/llms.ts --check' },
  { name: 'pictures', command: 'tsx test/browser/pictures/run.ts --check' },
  { name: 'workflows', command: 'tsx scripts/workflows.ts' },
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !STEPS.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}. Steps: ${STEPS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const waiting = STEPS.filter(({ name, isPart }) => (names.length === 0 ? !isPart : names.includes(name)))
let building = waiting.some(({ name }) => name === 'build')
/** What is built is packed once. */
const env = { ...process.env, ...(building && { RAPPORT_TARBALL: join(packs, `rapport-sdk-${version}.tgz`) }) }
const failed: string[] = []

function run({ name, command }: Step): Promise<void> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
      if (code !== 0) {
        failed.push(name)
        console.error(output)
      }
      if (name === 'build') building = false
      resolve()
    })
  })
}

const running = new Set<Promise<void>>()
for (;;) {
  const next = waiting.findIndex((step) => !(step.needsBuild && building))
  if (next >= 0 && running.size < availableParallelism()) {
    const [step] = waiting.splice(next, 1)
    if (step === undefined) break
    const done = run(step).finally(() => running.delete(done))
    running.add(done)
  } else if (running.size > 0) await Promise.race(running)
  else break
}
console.log(failed.length === 0 ? 'All steps passed.' : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
