import { readFile } from 'node:fs/promises'
import type { Options } from 'tsup'
import ts from 'typescript'

/** Removes the documentation of members from the mocks; `pureCalls` does so for `src/`. */
export const docComments: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'doc-comments',
  setup(build) {
    build.onLoad({ filter: /\/mocks\/.*\.ts$/ }, async ({ path }) => ({
      contents: removeDocComments(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/**
 * Removes the documentation of the members of classes and objects, which esbuild copies to every module format. The
 * declarations have it, and editors read it there.
 */
export function removeDocComments(source: string): string {
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest)
  const removed: ts.CommentRange[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isClassElement(node) || ts.isObjectLiteralElement(node)) {
      const comments = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []
      removed.push(...comments.filter(({ pos }) => source.startsWith('/**', pos)))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return removed.reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end), source)
}
