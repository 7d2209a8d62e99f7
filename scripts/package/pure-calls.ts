import { readFile } from 'node:fs/promises'
import type { Options } from 'tsup'
import ts from 'typescript'
import { removeDocComments } from './doc-comments'

/**
 * Marks the calls that compute the module-level constants of `src/` as `@__PURE__`, so that bundlers can remove those that
 * an app does not use. esbuild knows of `@__NO_SIDE_EFFECTS__` only within a file, so each call needs a mark.
 */
export const pureCalls: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'pure-calls',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: markPureCalls(removeDocComments(await readFile(path, 'utf8'))),
      loader: 'ts',
    }))
  },
}

/**
 * Marks every call outside of functions, except statements that are calls: those are made for their effect. Wraps classes
 * with static fields in a marked call, since bundlers keep them otherwise: rollup if a field names the class, Vite if it
 * names `this`.
 */
export function markPureCalls(source: string): string {
  const insertions = new Map<number, string>()
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest)
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isExpressionStatement(node)) return
    if (ts.isClassDeclaration(node) && hasStaticField(node)) wrap(node)
    // Of a chain of calls, which all start at one place, this marks the last.
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) insertions.set(node.getStart(file), '/*@__PURE__*/ ')
    ts.forEachChild(node, visit)
  }
  const wrap = (node: ts.ClassDeclaration): void => {
    const keyword = node.modifiers?.at(-1)?.end ?? node.getStart(file)
    insertions.set(keyword, ` const ${node.name?.text} = /*@__PURE__*/ (() =>`)
    insertions.set(node.end, ')();')
  }
  visit(file)
  let marked = ''
  let end = 0
  for (const [start, text] of [...insertions].sort(([one], [other]) => one - other)) {
    marked += source.slice(end, start) + text
    end = start
  }
  return marked + source.slice(end)
}

const hasStaticField = ({ members }: ts.ClassDeclaration): boolean =>
  members.some(
    (member) =>
      ts.isPropertyDeclaration(member) &&
      member.initializer !== undefined &&
      member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword),
  )
