import { expect, test } from 'vitest'
import { areas } from '../../scripts/mutation/areas'

test('every folder of src with code has tests that run against its mutants', () => {
  // Importing the areas throws if a test that they name was renamed.
  expect(areas.map(({ folder }) => folder)).toEqual(expect.arrayContaining(['src', 'src/transport', 'mocks/state']))
  expect(areas.filter(({ tests }) => tests.length < 3)).toEqual([])
})
