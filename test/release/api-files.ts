// The reports of a package's folder: as they follow from its build, and as they are kept in docs/api.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiReports, type Entry } from './api-report'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | Readonly<Record<Format, { readonly types: string }>>>>
}
type Format = 'import' | 'require'

/** Writes the report of every entry to `docs/api`, and removes those of entries that are no more. */
export function keepReports(root: string): void {
  write(join(root, 'docs/api'), built(root, 'import'))
}

/** What the kept reports and the build do not agree on, as lines to print; empty where they are the same. */
export function reportFaults(root: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'api-report-'))
  const [kept, modules, commonJs] = [join(root, 'docs/api'), join(folder, 'import'), join(folder, 'require')]
  try {
    mkdirSync(kept, { recursive: true })
    write(modules, built(root, 'import'))
    write(commonJs, built(root, 'require'))
    const changed = difference(kept, modules)
    const apart = difference(modules, commonJs)
    return [
      ...(changed ? ['The public surface is not what docs/api says:', changed, hint] : []),
      ...(apart ? ['What `require` gets is typed otherwise than what `import` gets:', apart] : []),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hint = 'Where this is meant, run `npm run api`, commit docs/api, and say so under [Unreleased] in CHANGELOG.md.'

function built(root: string, format: Format): Map<string, string> {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries(exports).flatMap(([path, entry]): Entry[] =>
    typeof entry === 'string' ? [] : [{ name: `${name}${path.slice(1)}`, file: join(root, entry[format].types) }],
  )
  const reports = apiReports(join(root, 'dist'), entries)
  return new Map([...reports].map(([entry, text]) => [fileName(entry.slice(name.length + 1)), text]))
}

/** `mocks/node` → `mocks-node.txt` */
function fileName(path: string): string {
  return `${path.replaceAll('/', '-') || 'index'}.txt`
}

function write(folder: string, reports: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of reports) writeFileSync(join(folder, file), text)
}

/** The lines that differ, each group below the declaration it is in; empty where none does. */
function difference(before: string, after: string): string {
  const args = ['diff', '--no-index', '--no-color', '--no-ext-diff', '--unified=0', '--', before, after]
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status === 0) return ''
  if (status !== 1) throw new Error(`git diff failed: ${stderr}`)
  const lines = stdout.split('\n').filter((line) => /^([+-](?!(--|\+\+) )|@@)/.test(line))
  const shown = lines.slice(0, 40).map((line) => line.replace(/^@@.*@@ ?/, '  '))
  if (lines.length > shown.length) shown.push(`  … and ${lines.length - shown.length} lines more`)
  return shown.join('\n')
}
