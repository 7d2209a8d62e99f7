import { ENGINES, type EngineName } from '../../test/browser/engines/engine'
import { type Proof, ROWS, type Row } from '../../test/browser/engines/matrix'

const begin = '<!-- browsers -->'
const end = '<!-- /browsers -->'

/** Returns the table of what the tests have proved, and its notes, as Markdown. */
export function tableOf(proofs: readonly Proof[]): string {
  const notes = ENGINES.flatMap((engine) => {
    const lacks = proofs.filter((proof) => proof.engine === engine && proof.lacks !== undefined)
    return lacks.length > 0 ? [`${engine}: ${lacks.map((proof) => proof.lacks).join(', ')}.`] : []
  })
  const columns = ENGINES.map((engine) => {
    const { version = '' } = proofs.find((proof) => proof.engine === engine) ?? {}
    return `${engine} ${version}`.trim()
  })
  const rows = ROWS.map((name) => row([name, ...ENGINES.map((engine) => mark(proofs, name, engine))]))
  return [row(['', ...columns]), `|${'---|'.repeat(columns.length + 1)}`, ...rows, '', notes.join('<br>\n')].join('\n')
}

function mark(proofs: readonly Proof[], name: Row, engine: EngineName): string {
  const found = proofs.filter((proof) => proof.engine === engine && proof.rows.includes(name))
  if (found.length === 0) return '✗'
  return found.some(({ lacks }) => lacks !== undefined) ? '–' : '✓'
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Returns the guide with the table between its markers. */
export function withTable(guide: string, table: string): string {
  const { from, to } = markersOf(guide)
  return `${guide.slice(0, from)}\n${table}\n${guide.slice(to)}`
}

/** Returns a table without the versions of the browsers. */
export function withoutVersions(table: string): string {
  return table.replaceAll(new RegExp(`(${ENGINES.join('|')}) [\\d.]+`, 'g'), '$1')
}

/** Returns the table of the guide. */
export function tableIn(guide: string): string {
  const { from, to } = markersOf(guide)
  return guide.slice(from, to).trim()
}

function markersOf(guide: string): { from: number; to: number } {
  const from = guide.indexOf(begin) + begin.length
  const to = guide.indexOf(end)
  if (from < begin.length || to < from) throw new Error(`docs/guides/runtimes.md has no ${begin} … ${end}.`)
  return { from, to }
}
