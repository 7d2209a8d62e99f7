import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANYWHERE, type ComponentSpec, type Field, FORBIDDEN, MESSAGE, MODAL } from '../../src/components/schema'
import { SPECS, specOf } from '../../src/components/specs'
import { FACTORIES, factoryTable } from './component-factories'
import { root } from './sources'

// Writes the tables of docs/components.md from the specs that validation uses. With `--check`, only compares them.

const path = join(root, 'docs/components.md')
const marker = '<!-- Below: `npx tsx scripts/docs/component-tables.ts` -->'

const PLACES = ['received messages only', 'messages', 'modals', 'messages and modals']
const ONLY = ['received only', 'in messages only', 'in modals only']
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' }

function limitOf({ kind, min, max, values, prefix }: Field): string[] {
  if (values)
    return [
      Object.entries(values)
        .map(([name, value]) => `${value} ${name}`)
        .join(', '),
    ]
  const unit = UNITS[kind] ?? ''
  const bounds = min !== undefined ? [`${min} to ${max}${unit}`] : max !== undefined ? [`at most ${max}${unit}`] : []
  return [...bounds, ...(prefix ? [`\`${prefix}<filename>\``] : [])]
}

const namesOf = (types: readonly number[]): string => types.map((type) => specOf(type)?.name).join(', ')

/** Returns the type of a field as the tables show it. */
function typeOf({ kind, nullable, of, part }: Field): string {
  const name =
    kind === 'array' ? `array${of ? ` of ${typeOf(of)}` : ''}` : kind === 'value' ? 'any' : (part?.name ?? kind)
  return nullable ? `?${name}` : name
}

/** Returns the components that a field accepts, in messages and in modals. */
function acceptedBy(field: Field): string[] {
  if (field.of) return acceptedBy(field.of)
  const [message, modal] = ([MESSAGE, MODAL] as const).map((place) => namesOf(field.accepts?.[place] ?? []))
  return [...(message ? [`in messages: ${message}`] : []), ...(modal ? [`in modals: ${modal}`] : [])]
}

function line([name, field]: readonly [string, Field]): string {
  const { required, places } = field
  const fallback = field.default === undefined ? [] : [`default ${field.default}`]
  const only = places === ANYWHERE ? [] : [ONLY[places] ?? '']
  return `| \`${name}\`${required ? '' : '?'} | ${typeOf(field)} | ${[...limitOf(field), ...acceptedBy(field), ...fallback, ...only].join('; ')} |`
}

function section({ type, name, places, fields, styles }: ComponentSpec): string {
  const factory = FACTORIES[name] ? ` Factory: ${FACTORIES[name]}.` : ''
  const title = type > 0 ? `### ${name} (type ${type})\n\nIn ${PLACES[places]}.${factory}` : `### ${name}`
  // `type` and `id` are described once, above the tables.
  const lines = [...fields].filter(([field]) => type === 0 || (field !== 'type' && field !== 'id')).map(line)
  const variants = Object.entries(styles ?? {}).map(([style, spec]) => {
    const list = (isListed: (field: Field) => boolean) =>
      [...spec.fields].flatMap(([name, field]) => (isListed(field) ? [`\`${name}\``] : [])).join(', ')
    const needed = list((field) => field.required === true && ![...fields.values()].includes(field))
    return `\nStyle ${style} requires ${needed} and does not allow ${list((field) => field === FORBIDDEN)}.`
  })
  return `${title}\n\n| field | type | rules |\n|---|---|---|\n${[...lines, ...variants].join('\n')}`
}

/** Returns the parts of a row, recursively. */
function partsOf({ fields }: ComponentSpec): ComponentSpec[] {
  return [...fields.values()]
    .flatMap((field) => field.part ?? field.of?.part ?? [])
    .flatMap((part) => [part, ...partsOf(part)])
}

const rows = SPECS.filter(({ places }) => places > 0)
const parts = new Set(rows.flatMap(partsOf))
const text = readFileSync(path, 'utf8')

const written = `${text.slice(0, text.indexOf(marker))}${marker}\n\n${factoryTable([...rows, ...parts])}\n\n${[...rows, ...parts].map(section).join('\n\n')}\n`

if (!process.argv.includes('--check')) writeFileSync(path, written)
else if (written !== text) {
  console.error('The tables of docs/components.md are out of date: run `npx tsx scripts/docs/component-tables.ts`.')
  process.exitCode = 1
} else console.log(`${rows.length + parts.size} tables of docs/components.md are up to date.`)
