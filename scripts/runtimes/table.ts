import type { Runtime } from './runtimes'

/** The parts of the scenario of scripts/package/consumer, by their names there. */
export const PARTS = ['HTTP', 'step-up', 'gateway', 'components'] as const

/** What one runtime did. */
export interface Outcome {
  readonly runtime: Runtime
  /** The parts that passed with the package loaded by `import`, and by `require`. */
  readonly ESM: readonly string[]
  readonly CJS: readonly string[]
  /** The versions of msw that passed, loaded both ways. */
  readonly msw: readonly string[]
}

const COLUMNS = ['runtime', 'version', 'ESM', 'CJS', ...PARTS, 'msw']
const begin = '<!-- runtimes -->'
const end = '<!-- /runtimes -->'

/** The table and its notes, as Markdown. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const notes = outcomes.flatMap(({ runtime: { name, note } }) => (note ? [`${name}: ${note}`] : []))
  return [row(COLUMNS), `|${'---|'.repeat(COLUMNS.length)}`, ...outcomes.map(line), '', notes.join('<br>\n')].join('\n')
}

function line({ runtime, ESM, CJS, msw }: Outcome): string {
  const all = (passed: readonly string[]) => mark(PARTS.every((part) => passed.includes(part)))
  const parts = PARTS.map((part) => mark(ESM.includes(part) && CJS.includes(part)))
  return row([runtime.name, runtime.version, all(ESM), all(CJS), ...parts, msw.join(', ') || '–'])
}

const mark = (passed: boolean): string => (passed ? '✓' : '✗')
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The guide with the new table between the markers. */
export function withTable(readme: string, table: string): string {
  const { from, to } = block(readme)
  return `${readme.slice(0, from)}\n${table}\n${readme.slice(to)}`
}

/** What the table of the guide names other than the matrix does: its columns, its runtimes and their versions. */
export function unexpectedNames(readme: string, runtimes: readonly Runtime[]): string[] {
  const { from, to } = block(readme)
  const lines = readme
    .slice(from, to)
    .split('\n')
    .filter((text) => text.startsWith('| '))
  const [columns = '', ...rows] = lines
  const names = rows.map((text) => text.split(' | ').slice(0, 2).join(' '))
  const expected = runtimes.map(({ name, version }) => `| ${name} ${version}`)
  return [
    ...(columns === row(COLUMNS) ? [] : [`columns: ${columns}`]),
    ...names.filter((name) => !expected.includes(name)).map((name) => `not in the matrix: ${name}`),
    ...expected.filter((name) => !names.includes(name)).map((name) => `not in the table: ${name}`),
  ]
}

function block(readme: string): { from: number; to: number } {
  const from = readme.indexOf(begin) + begin.length
  const to = readme.indexOf(end)
  if (from < begin.length || to < from) throw new Error(`docs/guides/runtimes.md has no ${begin} … ${end}.`)
  return { from, to }
}
