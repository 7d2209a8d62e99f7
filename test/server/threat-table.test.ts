import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const folders = ['test/server', 'test/browser/engines']
const guide = readFileSync('docs/guides/cookie-sessions.md', 'utf8')
const [, table = ''] = /\| threat \| protection \| test \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? []
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const files = new Map(
  folders.flatMap((folder) =>
    readdirSync(folder).map((name) => [basename(name).replace(/(?:\.test)?\.ts$/, ''), join(folder, name)]),
  ),
)

/** Returns the tests that a cell names, which are `file: "title …", "title …", file: "title …"`. */
function testsIn(cell: string) {
  const found: { readonly file: string; readonly title: string }[] = []
  for (const [, file = found.at(-1)?.file ?? '', title = ''] of cell.matchAll(/(?:([\w-]+): )?"([^"]+)"/g))
    found.push({ file, title })
  return found
}

/** Whether a file has a test with a title; each `…` stands for any text. */
function hasTest(file: string, title: string): boolean {
  const path = files.get(file)
  if (path === undefined) return false
  const pattern = title
    .split('…')
    .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`['"\`]${pattern}`).test(readFileSync(path, 'utf8'))
}

test('the guide has a table of threats, each with a protection and a test', () => {
  expect(rows.length).toBeGreaterThan(10)
  expect(
    rows.filter(([, threat, protection, tests = '']) => !threat || !protection || testsIn(tests).length === 0),
  ).toEqual([])
})

test.each(rows.flatMap(([, threat = '', , cell = '']) => testsIn(cell).map((named) => ({ threat, ...named }))))(
  'the test of $file that the guide names for “$threat” exists',
  ({ file, title }) => {
    expect(hasTest(file, title), `${file}: ${title}`).toBe(true)
    expect(hasTest(file, `${title.replaceAll('…', '')} and something else`)).toBe(false)
  },
)
