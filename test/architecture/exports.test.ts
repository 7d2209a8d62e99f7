import { expect, test } from 'vitest'
import { sources, textOf, typeDocstrings } from './sources'

// Endpoint rows, schemas and rules are internal.
const INTERNAL = /^src\/contract\/(?:endpoint|validate|index)\.ts$/
const INTERNAL_TYPES = ['Schema', 'OptionalSchema', 'Fields', 'Definition', 'ValueOfSchema']
const entry = textOf('src/index.ts')
const types = sources('src/contract')
  .filter(({ path }) => !INTERNAL.test(path))
  .flatMap(typeDocstrings)
  .map(({ name }) => name.split(' ')[1] ?? '')
  .filter((name) => /^\w+$/.test(name) && !INTERNAL_TYPES.includes(name))

test('the contract has more than 90 public types', () => {
  expect(types.length).toBeGreaterThan(90)
})

test.each(types)('the package exports the type %s', (name) => {
  expect(entry).toMatch(new RegExp(`\\b${name}\\b`))
})
