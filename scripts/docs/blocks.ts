import ts from 'typescript'

/** A fenced `ts` or `tsx` block of a guide or of a TSDoc comment. */
export interface Block {
  readonly language: 'ts' | 'tsx'
  readonly file: string
  /** Line of the first line of code in `file`, from 1. */
  readonly line: number
  readonly code: string
  /** Expected output: the `text output` fence directly below the block. */
  readonly output: string | undefined
  /** False when `<!-- browser only -->` or `<!-- needs Redis -->` precedes the fence. */
  readonly runs: boolean
}

const fence = /^(?<indent> *)```(?<info>[^`]*)$/
const notRun = ['<!-- browser only -->', '<!-- needs Redis -->']

/** Returns the `ts` blocks of a Markdown text. Throws for a fence that the checks would miss. */
export function markdownBlocks(file: string, text: string, firstLine = 1): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let lastProse = ''
  for (let at = 0; at < lines.length; at += 1) {
    const open = fence.exec(lines[at] ?? '')?.groups
    if (!open) {
      lastProse = lines[at]?.trim() || lastProse
      continue
    }
    const where = `${file}:${firstLine + at}`
    const close = lines.findIndex((line, index) => index > at && line.trim() === '```')
    if (close < 0) throw new Error(`${where} opens a block that is not closed`)
    const code = lines.slice(at + 1, close).map((line) => line.slice(open.indent?.length))
    const info = open.info?.trim()
    if (info === 'ts' || info === 'tsx') {
      blocks.push({
        language: info,
        file,
        line: firstLine + at + 1,
        code: code.join('\n'),
        output: undefined,
        runs: !notRun.includes(lastProse),
      })
    } else if (info === 'text output') {
      const last = blocks.pop()
      if (!last || !/^```tsx?$/.test(lastProse)) throw new Error(`${where} is an output without a block directly above`)
      blocks.push({ ...last, output: code.join('\n') })
    } else if (/^(ts|tsx|typescript|js|jsx|javascript)\b/.test(info ?? '')) {
      throw new Error(`${where} is fenced as "${info}": use "ts" or "tsx", so that the code is checked`)
    }
    lastProse = `\`\`\`${info}`
    at = close
  }
  return blocks
}

/** Returns the blocks of all TSDoc comments of a source text: `ts` fences, and each `@example` without a fence. */
export function commentBlocks(file: string, text: string): Block[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) => {
    const firstLine = lineAt(text, comment.index)
    const prose = comment[0].replace(/^[ \t]*\/?\*+[ /]?/gm, '').replace(/\*\/$/, '')
    const bare: Block[] = [...prose.matchAll(/^@example\b(?<code>(?:(?!```)[\s\S])*?)(?=^@\w|$(?![\s\S]))/gm)].map(
      (example) => {
        const code = example.groups?.code ?? ''
        return {
          language: 'ts',
          file,
          line: firstLine + lineAt(prose, example.index) - 1,
          code,
          output: undefined,
          runs: false,
        }
      },
    )
    return [...markdownBlocks(file, prose, firstLine), ...bare]
  })
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Returns those of `names` that `code` uses and does not declare. */
export function freeNames(code: string, names: readonly string[], language: Block['language'] = 'ts'): string[] {
  const used = new Set<string>()
  const declared = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node
      const isKey = ts.isPropertyAssignment(parent) || ts.isPropertyAccessExpression(parent)
      const declares =
        ts.isVariableDeclaration(parent) ||
        ts.isBindingElement(parent) ||
        ts.isParameter(parent) ||
        ts.isImportSpecifier(parent) ||
        ts.isFunctionDeclaration(parent)
      if (declares && parent.name === node) declared.add(node.text)
      else if (!(isKey && parent.name === node)) used.add(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(`block.${language}`, code, ts.ScriptTarget.Latest, true))
  return names.filter((name) => used.has(name) && !declared.has(name))
}
