import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tableIn, tableOf, withoutVersions, withTable } from '../../scripts/browsers/table'
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

it('tables that differ only in the versions of the browsers are the same', () => {
  const other = all.map((proof) => ({ ...proof, version: '1.2.34' }))
  expect(withoutVersions(tableOf(other))).toBe(withoutVersions(tableOf(all)))
  expect(withoutVersions(tableOf(other.slice(1)))).not.toBe(withoutVersions(tableOf(all)))
})

it('a guide without the markers of the table of browsers is an error', () => {
  expect(() => withTable('# Name\n', '')).toThrow('<!-- browsers -->')
})
