import type { Runtime } from './runtimes'

/** Names of the parts of the scenario in scripts/package/consumer. */
export const PARTS = ['HTTP', 'step-up', 'gateway', 'components'] as const

/** Result of one runtime. */
export interface Outcome {
  readonly runtime: Runtime
  /** Parts that passed with `import`, and with `require`. */
  readonly ESM: readonly string[]
  readonly CJS: readonly string[]
  /** Versions of msw that passed with `import` and `require`. */
  readonly msw: readonly string[]
}

const COLUMNS = ['runtime', 'version', 'ESM', 'CJS', ...PARTS, 'msw']
const begin = '<!-- runtimes -->'
const end = '<!-- /runtimes -->'

/** Returns the table and its notes as Markdown. */
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

/** Returns the guide with the table between its markers. */
export function withTable(guide: string, table: string): string {
  const { from, to } = markersOf(guide)
  return `${guide.slice(0, from)}\n${table}\n${guide.slice(to)}`
}

/** Returns the differences between the table of the guide and the matrix: columns, runtimes and versions. */
export function unexpectedNames(guide: string, runtimes: readonly Runtime[]): string[] {
  const { from, to } = markersOf(guide)
  const lines = guide
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

function markersOf(guide: string): { from: number; to: number } {
  const from = guide.indexOf(begin) + begin.length
  const to = guide.indexOf(end)
  if (from < begin.length || to < from) throw new Error(`docs/guides/runtimes.md has no ${begin} … ${end}.`)
  return { from, to }
}
