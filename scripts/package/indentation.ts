import type { Options } from 'tsup'
import ts from 'typescript'

/** Indents modules with tabs instead of esbuild's two spaces: half as many bytes, which are as readable. */
export const tabs: NonNullable<Options['plugins']>[number] = {
  name: 'tabs',
  renderChunk: (code) => ({ code: indentWithTabs(code) }),
}

/** Replaces the indentation of lines, except within template literals, where it is part of the value. */
export function indentWithTabs(source: string): string {
  const templates: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteralToken(node)) templates.push(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest))
  const isInTemplate = (at: number) => templates.some(({ pos, end }) => pos < at && at < end)
  return source.replace(/^(?: {2})+/gm, (spaces, at: number) => {
    return isInTemplate(at) ? spaces : '\t'.repeat(spaces.length / 2)
  })
}
