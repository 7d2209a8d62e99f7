/** A report of API Extractor. */
export interface Report {
  /** Module specifier of the entry. */
  readonly entry: string
  readonly text: string
}

interface Declaration {
  readonly entry: string
  readonly name: string
  /** Text without `export`, the same in the reports of all entries that contain the symbol. */
  readonly text: string
  readonly isExported: boolean
  /** Whether the entry exports only the type: `export type Issue = Issue_2`. */
  readonly isTypeOnly: boolean
}

const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|enum|namespace) ([\w$]+)/m
const ALIAS = /^\/\/ @\w+.*\nexport type (\w+) = \1_\d+;$/

/** Returns the paragraphs of the code of a report. */
function paragraphs({ text }: Report): string[] {
  const [, code = ''] = /^```ts\n(.*)^```/ms.exec(text) ?? []
  return code.split(/\n{2,}/).map((paragraph) => paragraph.trim())
}

function declarationsOf(report: Report): Declaration[] {
  const all = paragraphs(report)
  // API Extractor numbers a symbol that a namespace exports again, and the entry then exports an alias of the same name.
  const aliases = new Set(all.flatMap((paragraph) => ALIAS.exec(paragraph)?.[1] ?? []))
  return all
    .filter((paragraph) => !ALIAS.test(paragraph))
    .flatMap((paragraph) => {
      const text = paragraph.replace(/\b(\w+)_\d+\b/g, (numbered, name) => (aliases.has(name) ? name : numbered))
      const [, name] = DECLARED.exec(text) ?? []
      if (name === undefined) return []
      const isTypeOnly = aliases.has(name)
      const isExported = isTypeOnly || /^export /m.test(text)
      return [{ entry: report.entry, name, text: text.replace(/^export (?!\{)/m, ''), isExported, isTypeOnly }]
    })
}

/** Returns the imports of a report that its remaining code needs. */
function importsOf(report: Report, code: string): string[] {
  const lines = paragraphs(report).flatMap((paragraph) => paragraph.split('\n'))
  return lines.filter((line) => {
    const [, name] = /^import (?:type )?(?:\* as |\{ (?:\w+ as )?)?(\w+)/.exec(line) ?? []
    return name !== undefined && new RegExp(`\\b${name}\\b`).test(code)
  })
}

/**
 * Returns the reports with each symbol declared in only one of them: the first one that exports it, or else the first one that
 * mentions it. The others export it again by name.
 */
export function shareDeclarations(reports: readonly Report[]): Report[] {
  const declarations = reports.flatMap(declarationsOf)
  const owners = new Map<string, Declaration>()
  for (const declaration of declarations) {
    const owner = owners.get(declaration.text)
    if (owner === undefined || (declaration.isExported && !owner.isExported)) owners.set(declaration.text, declaration)
  }
  return reports.map((report) => {
    const own: string[] = []
    const elsewhere = new Map<string, Set<string>>()
    for (const declaration of declarations) {
      const { entry, name, text, isExported, isTypeOnly } = declaration
      if (entry !== report.entry) continue
      const owner = owners.get(text)
      if (owner === undefined || owner.entry === entry) {
        own.push(isExported && !/^export /m.test(text) ? text.replace(/^(?!\/\/)/m, 'export ') : text)
      } else if (isExported) {
        elsewhere.set(owner.entry, (elsewhere.get(owner.entry) ?? new Set()).add(isTypeOnly ? `type ${name}` : name))
      }
    }
    const reexports = [...elsewhere].map(([entry, names]) => `export { ${[...names].join(', ')} } from '${entry}'`)
    const code = [importsOf(report, own.join('\n')).join('\n'), ...own, ...reexports].filter(Boolean).join('\n\n')
    return { entry: report.entry, text: `# ${report.entry}\n\n\`\`\`ts\n${code}\n\`\`\`\n` }
  })
}
