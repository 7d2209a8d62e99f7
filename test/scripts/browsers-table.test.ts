import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { summaryOf, tableIn, tableOf, withoutVersions, withTable } from '../../scripts/browsers/table'
import { root } from '../../scripts/package/step'
import { ENGINES } from '../browser/engines/engine'
import { type Proof, ROWS } from '../browser/engines/matrix'

const all = ENGINES.map((engine): Proof => ({ engine, version: '1.2', rows: ROWS }))
const cellsOf = (table: string) => table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))

it('the table of browsers in the runtimes guide has the rows of the tests and a column for each browser', () => {
  const [columns = [], , ...rows] = cellsOf(tableIn(readFileSync(`${root}docs/guides/runtimes.md`, 'utf8')))
  expect(columns.slice(2, -1).map((name) => name.split(' ')[0])).toEqual(ENGINES)
  expect(rows.slice(0, ROWS.length).map(([, name]) => name)).toEqual(ROWS)
  expect(rows.flat()).not.toContain('✗')
})

it('a row without a passed test is marked, and what an engine lacks is marked and explained', () => {
  const [first, second, third] = ROWS
  const table = tableOf([
    ...all.map((proof) => ({ ...proof, rows: ROWS.filter((row) => row !== first) })),
    { engine: 'Chromium', version: '1.2', rows: [first] },
    { engine: 'WebKitGTK', version: '1.2', rows: [second], lacks: 'no WebAuthn' },
  ])
  const rows = cellsOf(table)
  expect(rows[2]).toEqual(['', first, '✓', '✗', '✗', ''])
  expect(rows[3]).toEqual(['', second, '✓', '✓', '–', ''])
  expect(rows[4]).toEqual(['', third, '✓', '✓', '✓', ''])
  expect(table).toMatch(/\n\nWebKitGTK: no WebAuthn\.$/)
})

it('the table of browsers in the README has the rows in which the engines differ, with the reason', () => {
  const [first, second] = ROWS
  const proofs: Proof[] = [...all, { engine: 'WebKitGTK', version: '1.2', rows: [second], lacks: 'no WebAuthn' }]
  const [columns = [], , differing, others = [], ...more] = cellsOf(summaryOf(proofs))
  expect(columns.slice(2, -1)).toEqual(ENGINES.map((engine) => `${engine} 1.2`))
  expect(differing).toEqual(['', second, '✓', '✓', '– no WebAuthn', ''])
  expect(others[1]).toContain(`[${ROWS.length - 1} more](docs/guides/runtimes.md#browsers)`)
  expect([...others.slice(2), more]).toEqual(['✓', '✓', '✓', '', []])
  expect(cellsOf(summaryOf(proofs.slice(1)))[2]).toEqual(['', first, '✗', '✓', '✓', ''])

  // That of the README is of the same run as that of the guide.
  const read = (name: string) => cellsOf(tableIn(readFileSync(`${root}${name}`, 'utf8')))
  const [guide, summary] = [read('docs/guides/runtimes.md'), read('README.md')]
  expect(summary[0]).toEqual(guide[0])
  const lacking = guide.filter(([, , ...marks]) => marks.includes('–')).map(([, name]) => name)
  expect(summary.slice(2, -1).map(([, name]) => name)).toEqual(lacking)
})

it('tables that differ only in the versions of the browsers are the same', () => {
  const other = all.map((proof) => ({ ...proof, version: '1.2.34' }))
  expect(withoutVersions(tableOf(other))).toBe(withoutVersions(tableOf(all)))
  expect(withoutVersions(tableOf(other.slice(1)))).not.toBe(withoutVersions(tableOf(all)))
})

it('a guide without the markers of the table of browsers is an error', () => {
  expect(() => withTable('# Name\n', '')).toThrow('<!-- browsers -->')
})
