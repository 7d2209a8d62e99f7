import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { conventions } from '../../src/doctor/conventions'
import { root } from './sources'

// Writes the table of conventions into docs/guides/the-real-service.md. A test compares it.

const [START, END] = ['<!-- conventions: `npx tsx scripts/docs/conventions.ts` -->', '<!-- end of conventions -->']

const code = (path: string | null, none: string): string => (path === null ? none : `\`${path}\``)

/** Returns the table of the guide. */
function conventionTable(): string {
  const rows = conventions.map(
    ({ name, assumed, silent, option, policy, seenBy }) =>
      `| \`${name}\` | ${assumed} | ${silent} | ${code(option, 'not replaceable')} | ${code(policy, '–')} | ${seenBy} |`,
  )
  return [
    '| name | assumed | the document is silent in | option | policy | seen by |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Returns the guide with the current table. */
export function withConventions(guide: string): string {
  const [before, after] = [guide.indexOf(START) + START.length, guide.indexOf(END)]
  if (before < START.length || after < before) throw new Error('The guide lacks the place of the table.')
  return `${guide.slice(0, before)}\n\n${conventionTable()}\n\n${guide.slice(after)}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = join(root, 'docs/guides/the-real-service.md')
  writeFileSync(path, withConventions(readFileSync(path, 'utf8')))
}
