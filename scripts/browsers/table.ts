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
  const rows = ROWS.map((name) => row([name, ...ENGINES.map((engine) => mark(proofs, name, engine))]))
  return [...headOf(proofs), ...rows, '', notes.join('<br>\n')].join('\n')
}

/** Returns the table of the README: the rows in which the engines differ, with the reason, and the number of the others. */
export function summaryOf(proofs: readonly Proof[]): string {
  const differing = ROWS.filter((name) => ENGINES.some((engine) => mark(proofs, name, engine) !== '✓'))
  const cell = (name: Row, engine: EngineName) => {
    const { lacks } = proofs.find((each) => each.engine === engine && each.rows.includes(name) && each.lacks) ?? {}
    return [mark(proofs, name, engine), lacks].filter(Boolean).join(' ')
  }
  const rows = differing.map((name) => row([name, ...ENGINES.map((engine) => cell(name, engine))]))
  const others = `[${ROWS.length - differing.length} more](docs/guides/runtimes.md#browsers): sign-in, gateway, storage, workers, frames, policies, dialog, …`
  return [...headOf(proofs), ...rows, row([others, ...ENGINES.map(() => '✓')])].join('\n')
}

/** Returns the first lines of a table: the engines and their versions. */
function headOf(proofs: readonly Proof[]): string[] {
  const columns = ENGINES.map((engine) => {
    const { version = '' } = proofs.find((proof) => proof.engine === engine) ?? {}
    return `${engine} ${version}`.trim()
  })
  return [row(['smoke tests', ...columns]), `|${'---|'.repeat(columns.length + 1)}`]
}

function mark(proofs: readonly Proof[], name: Row, engine: EngineName): string {
  const found = proofs.filter((proof) => proof.engine === engine && proof.rows.includes(name))
  if (found.length === 0) return '✗'
  return found.some(({ lacks }) => lacks !== undefined) ? '–' : '✓'
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Returns a document with the table between its markers. */
export function withTable(document: string, table: string): string {
  const { from, to } = markersOf(document)
  return `${document.slice(0, from)}\n${table}\n${document.slice(to)}`
}

/** Returns a table without the versions of the browsers. */
export function withoutVersions(table: string): string {
  return table.replaceAll(new RegExp(`(${ENGINES.join('|')}) [\\d.]+`, 'g'), '$1')
}

/** Returns the table of a document. */
export function tableIn(document: string): string {
  const { from, to } = markersOf(document)
  return document.slice(from, to).trim()
}

function markersOf(document: string): { from: number; to: number } {
  const from = document.indexOf(begin) + begin.length
  const to = document.indexOf(end)
  if (from < begin.length || to < from) throw new Error(`The document has no ${begin} … ${end}.`)
  return { from, to }
}
