import ts from 'typescript'
import { expect, test } from 'vitest'
import type { Source } from './sources'
import { sources } from './sources'

/** A place where the code asserts a type that the compiler cannot check. */
interface Assertion {
  /** Path, line and source text. */
  readonly place: string
  /** Whether a comment ends on the line above it, or above the statement or member that contains it. */
  readonly hasReason: boolean
}

function isAssertion(node: ts.Node): boolean {
  if (ts.isAsExpression(node)) return !ts.isConstTypeReference(node.type)
  if (ts.isCallExpression(node)) return node.expression.getText() === 'unsafeCast'
  return ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node) || node.kind === ts.SyntaxKind.AnyKeyword
}

/** Returns every `as` except `as const`, `!`, `any` and call of `unsafeCast` in a file. */
function assertionsOf({ path, text, file }: Source): Assertion[] {
  const lines = text.split('\n')
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart()).line
  const found: Assertion[] = []
  /** `starts` are the first lines of the assertion's statement or member. */
  const visit = (node: ts.Node, start: number): void => {
    const isOwnPlace = ts.isStatement(node) || ts.isClassElement(node) || ts.isObjectLiteralElementLike(node)
    const first = isOwnPlace && !ts.isBlock(node) ? lineOf(node) : start
    if (isAssertion(node)) {
      const line = lineOf(node)
      const hasReason = [line, first].some((at) => /^\s*\/\/ |\*\/$/.test(lines[at - 1] ?? ''))
      found.push({ place: `${path}:${line + 1} ${lines[line]?.trim()}`, hasReason })
    }
    ts.forEachChild(node, (child) => visit(child, first))
  }
  visit(file, -1)
  return found
}

const all = ['src', 'mocks'].flatMap(sources).flatMap(assertionsOf)

/** Returns the assertions of a text, as a file of the project. */
function assertionsIn(text: string) {
  const file = ts.createSourceFile('one.ts', text, ts.ScriptTarget.ES2022, true)
  return assertionsOf({ path: 'one.ts', text, file, imports: [] })
}

test('src and mocks assert types in at most 130 places, a number that only falls', () => {
  expect(all.length).toBeGreaterThan(50)
  expect(all.length).toBeLessThanOrEqual(130)
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
  '`%s` is not an assertion',
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
