import { readFile } from 'node:fs/promises'
import type { Options } from 'tsup'
import ts from 'typescript'

/**
 * Marks the calls that compute the module-level constants of `src/` as `@__PURE__`, so that bundlers can remove those that
 * an app does not use. esbuild knows of `@__NO_SIDE_EFFECTS__` only within a file, so each call needs a mark.
 */
export const pureCalls: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'pure-calls',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: markPureCalls(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** Marks every call outside of functions, except statements that are calls: those are made for their effect. */
export function markPureCalls(source: string): string {
  const marks = new Set<number>()
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest)
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isExpressionStatement(node)) return
    // Of a chain of calls, which all start at one place, this marks the last.
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) marks.add(node.getStart(file))
    ts.forEachChild(node, visit)
  }
  visit(file)
  let marked = ''
  let end = 0
  for (const start of [...marks].sort((one, other) => one - other)) {
    marked += `${source.slice(end, start)}/*@__PURE__*/ `
    end = start
  }
  return marked + source.slice(end)
}
