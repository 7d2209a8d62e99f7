import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../../scripts/package/step'
import { RUNTIMES } from '../../scripts/runtimes/runtimes'
import { PARTS, tableOf, unexpectedNames, withTable } from '../../scripts/runtimes/table'

const outcomes = RUNTIMES.map((runtime) => ({ runtime, ESM: PARTS, CJS: PARTS, msw: runtime.msw }))
const guide = (table: string) => withTable('# Name\n<!-- runtimes -->\n<!-- /runtimes -->\n', table)

it('the table of the runtimes guide names the runtimes of the matrix', () => {
  expect(unexpectedNames(readFileSync(`${root}docs/guides/runtimes.md`, 'utf8'), RUNTIMES)).toEqual([])
})

it('a runtime that is missing in the table or has another version there is reported', () => {
  const [first, second] = RUNTIMES
  const other = outcomes.slice(1).map((outcome, index) => {
    return index === 0 ? { ...outcome, runtime: { ...outcome.runtime, version: '1.2.3' } } : outcome
  })
  expect(unexpectedNames(guide(tableOf(other)), RUNTIMES)).toEqual([
    `not in the matrix: | ${second?.name} 1.2.3`,
    `not in the table: | ${first?.name} ${first?.version}`,
    `not in the table: | ${second?.name} ${second?.version}`,
  ])
})

it('a part that failed with one module format is marked, and so is that format', () => {
  const [outcome] = outcomes.map((each) => ({ ...each, CJS: ['HTTP'], msw: [] }))
  const cells = tableOf(outcome ? [outcome] : [])
    .split('\n')[2]
    ?.split(' | ')
    .slice(2)
  expect(cells).toEqual(['✓', '✗', '✓', '✗', '✗', '✗', '– |'])
})

it('a guide without the markers is an error', () => {
  expect(() => withTable('# Name\n', '')).toThrow('<!-- runtimes -->')
})
