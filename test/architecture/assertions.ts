import ts from 'typescript'
import type { Source } from './sources'

/** A place where the code asserts a type that the compiler cannot check. */
export interface Assertion {
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
export function assertionsOf({ path, text, file }: Source): Assertion[] {
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
