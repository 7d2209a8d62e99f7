import ts from 'typescript'
import { expect, test } from 'vitest'
import { assertionsOf } from './assertions'
import { sources } from './sources'

const all = ['src', 'mocks'].flatMap(sources).flatMap(assertionsOf)

/** Returns the assertions of a text, as a file of the project. */
function assertionsIn(text: string) {
  const file = ts.createSourceFile('one.ts', text, ts.ScriptTarget.ES2022, true)
  return assertionsOf({ path: 'one.ts', text, file, imports: [] })
}

test('src and mocks assert types in at most 151 places, a number that only falls', () => {
  expect(all.length).toBeGreaterThan(50)
  expect(all.length).toBeLessThanOrEqual(151)
})

test('each asserted type has a reason on the line above', () => {
  expect(all.filter(({ hasReason }) => !hasReason).map(({ place }) => place)).toEqual([])
})

test.each(['a as B', 'a!', '<B>a', 'let a: any', 'unsafeCast(a)', 'a satisfies B as C'])(
  '`%s` counts as an assertion',
  (text) => {
    expect(assertionsIn(text)).toHaveLength(1)
  },
)

test.each(['a as const', 'a satisfies B', '!a', "'a as B'", "import { b as c } from 'd'"])(
  '`%s` is no assertion',
  (text) => {
    expect(assertionsIn(text)).toEqual([])
  },
)

test('a reason is a comment on the line above the assertion, its statement or its member', () => {
  const hasReason = (text: string) => assertionsIn(text).map((assertion) => assertion.hasReason)
  expect(hasReason('// Why.\na as B')).toEqual([true])
  expect(hasReason('/** Why. */\nconst b = {\n  c: a as B,\n}')).toEqual([false])
  expect(hasReason('const b = {\n  // Why.\n  c: a as B,\n}')).toEqual([true])
  expect(hasReason('// Why.\nconst b = call(\n  a as B,\n)')).toEqual([true])
  expect(hasReason('// Why.\n\na as B')).toEqual([false])
  expect(hasReason('// Why.\nb()\na as B')).toEqual([false])
})
