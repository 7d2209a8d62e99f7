import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../../scripts/package/step'
import { RUNTIMES } from '../../scripts/runtimes/runtimes'
import { PARTS, strangeNames, tableOf, withTable } from '../../scripts/runtimes/table'

const outcomes = RUNTIMES.map((runtime) => ({ runtime, ESM: PARTS, CJS: PARTS, msw: runtime.msw }))
const readme = (table: string) => withTable('# Name\n<!-- runtimes -->\n<!-- /runtimes -->\n', table)

it('the table of the runtimes guide names the runtimes of the matrix', () => {
  expect(strangeNames(readFileSync(`${root}docs/guides/runtimes.md`, 'utf8'), RUNTIMES)).toEqual([])
})

it('a runtime that the table lacks, or has in another version, is told', () => {
  const [first, second] = RUNTIMES
  const other = outcomes.slice(1).map((outcome, index) => {
    return index === 0 ? { ...outcome, runtime: { ...outcome.runtime, version: '1.2.3' } } : outcome
  })
  expect(strangeNames(readme(tableOf(other)), RUNTIMES)).toEqual([
    `not in the matrix: | ${second?.name} 1.2.3`,
    `not in the table: | ${first?.name} ${first?.version}`,
    `not in the table: | ${second?.name} ${second?.version}`,
  ])
})

it('a part that did not pass by one way to load it is marked, and so is that way', () => {
  const [outcome] = outcomes.map((each) => ({ ...each, CJS: ['HTTP'], msw: [] }))
  const cells = tableOf(outcome ? [outcome] : [])
    .split('\n')[2]
    ?.split(' | ')
    .slice(2)
  expect(cells).toEqual(['✓', '✗', '✓', '✗', '✗', '✗', '– |'])
})

it('a README without the markers is an error', () => {
  expect(() => withTable('# Name\n', '')).toThrow('<!-- runtimes -->')
})
