import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS } from '../../src/components/registry'
import { ANYWHERE, type Field, MESSAGE, MODAL, type Row } from '../../src/components/schema'
import { FACTORIES, factoryTable } from './component-factories'
import { root } from './sources'

// Writes the tables of docs/components.md from the table that the checks read; with `--check` it only compares.

const path = join(root, 'docs/components.md')
const marker = '<!-- Below: `npx tsx scripts/docs/component-tables.ts` -->'

const PLACES = ['received alone', 'messages', 'modals', 'messages and modals']
const ONLY = ['received only', 'in messages only', 'in modals only']
const UNITS: Readonly<Record<string, string>> = { string: ' characters', list: ' items' }

function limitOf({ kind, min, max, values, prefix }: Field): string[] {
  if (values)
    return [
      Object.entries(values)
        .map(([name, value]) => `${value} ${name}`)
        .join(', '),
    ]
  const unit = UNITS[kind] ?? ''
  const bounds = min > -Infinity ? [`${min} to ${max}${unit}`] : max < Infinity ? [`at most ${max}${unit}`] : []
  return [...bounds, ...(prefix ? [`\`${prefix}<filename>\``] : [])]
}

const namesOf = (rows: readonly Row[]): string => rows.map(({ name }) => name).join(', ')

/** What a field takes: components in messages and in modals, or the parts of a list. */
function takenOf(field: Field): string[] {
  if (field.of) return takenOf(field.of)
  if (field.part) return [`each as ${field.part.name}`]
  const [message, modal] = [field.takes[MESSAGE], field.takes[MODAL]].map(namesOf)
  return [...(message ? [`in messages: ${message}`] : []), ...(modal ? [`in modals: ${modal}`] : [])]
}

function line([name, field]: readonly [string, Field]): string {
  const { kind, required, nullable, places, of } = field
  const type = `${nullable ? '?' : ''}${kind}${of && kind === 'list' ? ` of ${of.kind}` : ''}`
  const fallback = field.default === undefined ? [] : [`default ${field.default}`]
  const only = places === ANYWHERE ? [] : [ONLY[places] ?? '']
  return `| \`${name}\`${required ? '' : '?'} | ${type} | ${[...limitOf(field), ...takenOf(field), ...fallback, ...only].join('; ')} |`
}

function section({ type, name, places, fields, styles }: Row): string {
  const made = FACTORIES[name] ? ` Made by ${FACTORIES[name]}.` : ''
  const title = type > 0 ? `### ${name} (type ${type})\n\nIn ${PLACES[places]}.${made}` : `### ${name}`
  // What all components have is told once, above.
  const lines = [...fields].filter(([field]) => type === 0 || (field !== 'type' && field !== 'id')).map(line)
  const variants = Object.entries(styles ?? {}).map(([style, [needed, ...refused]]) => {
    return `\nStyle ${style} needs \`${needed}\` and has no ${refused.map((field) => `\`${field}\``).join(', ')}.`
  })
  return `${title}\n\n| field | type | rules |\n|---|---|---|\n${[...lines, ...variants].join('\n')}`
}

/** The parts of a row, once each. */
function partsOf({ fields }: Row): Row[] {
  return [...fields.values()]
    .flatMap((field) => field.part ?? field.of?.part ?? [])
    .flatMap((part) => [part, ...partsOf(part)])
}

const rows = ROWS.filter(({ places }) => places > 0)
const parts = new Set(rows.flatMap(partsOf))
const text = readFileSync(path, 'utf8')
const written = `${text.slice(0, text.indexOf(marker))}${marker}\n\n${factoryTable([...rows, ...parts])}\n\n${[...rows, ...parts].map(section).join('\n\n')}\n`

if (!process.argv.includes('--check')) writeFileSync(path, written)
else if (written !== text) {
  console.error(
    'docs/components.md has other tables than src/components: run `npx tsx scripts/docs/component-tables.ts`.',
  )
  process.exitCode = 1
} else console.log(`${rows.length + parts.size} tables of docs/components.md are those of the checks.`)
