import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Proof } from '../../test/browser/engines/matrix'
import { root, tool } from '../package/step'
import { summaryOf, tableIn, tableOf, withoutVersions, withTable } from './table'

// Runs the smoke tests in all browsers, and writes the tables of README.md and docs/guides/runtimes.md if all passed. With
// `--check`, it fails if one of them differs in more than versions.

interface Report {
  readonly success: boolean
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly meta: { readonly proof?: Proof } }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'rapport-browsers-'))
try {
  const file = join(folder, 'report.json')
  spawnSync(
    tool('vitest'),
    ['run', '--project=engines', '--reporter=default', '--reporter=json', `--outputFile=${file}`],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, RAPPORT_BROWSER: 'required' },
    },
  )
  const { success, testResults }: Report = JSON.parse(readFileSync(file, 'utf8'))
  const proofs = testResults.flatMap(({ assertionResults }) => assertionResults.flatMap(({ meta }) => meta.proof ?? []))
  const table = tableOf(proofs)
  console.log(`\n${table}\n`)
  const isCheck = process.argv.includes('--check')
  process.exitCode = success ? 0 : 1
  for (const [name, next] of [
    ['docs/guides/runtimes.md', table],
    ['README.md', summaryOf(proofs)],
  ] as const) {
    const path = join(root, name)
    const text = readFileSync(path, 'utf8')
    if (!isCheck) {
      if (success) writeFileSync(path, withTable(text, next))
    } else if (withoutVersions(tableIn(text)) !== withoutVersions(next)) {
      console.error(`${name} is out of date: run \`npx tsx scripts/browsers/run.ts\`.`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
