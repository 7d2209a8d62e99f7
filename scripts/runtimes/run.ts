import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { consumerFolder, install, pack } from '../package/pack'
import { root, step } from '../package/step'
import { bundleOf, bundleWorkers } from './bundle'
import { commandOf, installTool } from './install'
import { MSW, NODE_OF_MINIFLARE, RUNTIMES, type Runtime } from './runtimes'
import { type Outcome, PARTS, tableOf, unexpectedNames, withTable } from './table'

// Packs the package, installs the tarball and runs the scenario of the consumer on every runtime of the matrix. Writes the
// table of docs/guides/runtimes.md if everything passed. With `--check`, it only compares the names in that table.

const LOADERS = { ESM: 'import', CJS: 'require' } as const
type Loader = keyof typeof LOADERS
const EXTENSIONS = { ESM: 'mjs', CJS: 'cjs' } as const
const guide = join(root, 'docs/guides/runtimes.md')
const failures: string[] = []

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

/** Runs a file of `folder`, or the bundled worker, and returns its output. */
function runOn({ name, package: from, version, args }: Runtime, folder: string, file: string, loader: Loader): string {
  const tools = installTool(from, version)
  const title = `${name} ${version}: ${file}`
  if (from !== 'miniflare') return step(title, folder, commandOf(tools, from), [...args, file])
  const host = RUNTIMES.find((runtime) => runtime.name === NODE_OF_MINIFLARE)
  if (!host) throw new Error(`The matrix has no ${NODE_OF_MINIFLARE}, which runs miniflare.`)
  const node = commandOf(installTool(host.package, host.version), 'node')
  return step(title, folder, node, ['run.cjs', bundleOf(loader), tools])
}

function partsPassed(runtime: Runtime, folder: string, loader: Loader): string[] {
  const file = `${LOADERS[loader]}.${EXTENSIONS[loader]}`
  const output = attempt(() => runOn(runtime, folder, file, loader))
  if (output === undefined) return []
  const passed: string[] = JSON.parse(output)
  if (runtime.package !== 'miniflare') attempt(() => runOn(runtime, folder, `zod.${EXTENSIONS[loader]}`, loader))
  // A process may exit with code 0 before it has run every part.
  const missing = PARTS.filter((part) => !passed.includes(part))
  if (missing.length > 0) failures.push(`${runtime.name}: ${file} did not run ${missing.join(', ')}.`)
  return passed
}

function worksWithMsw(runtime: Runtime, folder: string): boolean {
  const files = (['ESM', 'CJS'] as const).map(
    (loader) => [loader, `${LOADERS[loader]}-msw.${EXTENSIONS[loader]}`] as const,
  )
  return files
    .map(([loader, file]) => attempt(() => runOn(runtime, folder, file, loader)))
    .every((out) => out !== undefined)
}

function runAll(folder: string): Outcome[] {
  step('build', root, 'npm', ['run', 'build', '--', '--silent'])
  install('the tarball and zod', folder, [pack(folder), 'zod@4'])
  bundleWorkers(folder)
  const outcomes = RUNTIMES.map((runtime) => ({
    runtime,
    ESM: partsPassed(runtime, folder, 'ESM'),
    CJS: partsPassed(runtime, folder, 'CJS'),
  }))
  const withPeer = new Map<Runtime, string[]>(RUNTIMES.map((runtime) => [runtime, []]))
  for (const version of Object.values(MSW)) {
    install(`msw ${version}`, folder, [`msw@${version}`])
    for (const runtime of RUNTIMES.filter(({ msw }) => msw.includes(version))) {
      if (worksWithMsw(runtime, folder)) withPeer.get(runtime)?.push(version)
    }
  }
  return outcomes.map((outcome) => ({ ...outcome, msw: withPeer.get(outcome.runtime) ?? [] }))
}

function run(): void {
  const folder = consumerFolder()
  try {
    const table = tableOf(runAll(folder))
    console.log(`\n${table}\n`)
    if (failures.length === 0) writeFileSync(guide, withTable(readFileSync(guide, 'utf8'), table))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv.includes('--check')) {
  failures.push(...unexpectedNames(readFileSync(guide, 'utf8'), RUNTIMES))
  console.log(
    failures.length > 0
      ? 'docs/guides/runtimes.md is out of date: run `npm run runtimes`.'
      : 'docs/guides/runtimes.md is up to date.',
  )
} else attempt(run)
for (const failure of failures) console.error(failure)
process.exitCode = failures.length > 0 ? 1 : 0
