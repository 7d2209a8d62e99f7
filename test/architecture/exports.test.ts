import { expect, test } from 'vitest'
import { typeDocstrings } from './docstrings'
import { sources, textOf } from './sources'

// Rows, schemas and rules are how the package works, not what it promises.
const INTERNAL = /^src\/contract\/(?:endpoint|validate|index)\.ts$/
const entry = textOf('src/index.ts')
const types = sources('src/contract')
  .filter(({ path }) => !INTERNAL.test(path))
  .flatMap(typeDocstrings)
  .map(({ name }) => name.split(' ')[1] ?? '')
  .filter((name) => /^\w+$/.test(name) && name !== 'Schema')

test('the contract has many types', () => {
  expect(types.length).toBeGreaterThan(90)
})

test.each(types)('%s can be imported by name', (name) => {
  expect(entry).toMatch(new RegExp(`\\b${name}\\b`))
})
