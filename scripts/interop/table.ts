import type { Tool } from './tools'

const begin = '<!-- interop -->'
const end = '<!-- /interop -->'

/** Returns the tools, their versions and outcomes as a Markdown table. */
export function tableOf(outcomes: readonly (readonly [Tool, string])[]): string {
  const rows = outcomes.map(([{ packages }, outcome]) => {
    return `| ${versionsOf(packages)} | ${outcome} |`
  })
  return ['| tool | result |', '|---|---|', ...rows].join('\n')
}

/** Returns the packages with their versions, and only the first of those that are released together. */
export function versionsOf(packages: Tool['packages']): string {
  const entries = Object.entries(packages).filter(([name]) => name !== 'typescript')
  const versions = Object.values(packages)
  const first = entries.filter(([, version], index) => versions.indexOf(version) === index)
  return first.map(([name, version]) => `${name} ${version}`).join(', ')
}

/** Returns a guide with the table between its markers. */
export function withTable(guide: string, table: string): string {
  const [from, to] = [guide.indexOf(begin), guide.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The guide has no ${begin} … ${end}.`)
  return `${guide.slice(0, from + begin.length)}\n${table}\n${guide.slice(to)}`
}
