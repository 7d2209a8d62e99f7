// What an entry exports, as text: every name with its signature, and what those mention without exporting it.
import ts from 'typescript'
import { Names, target } from './api-names'

/** An entry of the package, by the name that users import and the file of its declarations. */
export interface Entry {
  readonly name: string
  readonly file: string
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })

/**
 * The report of each entry, in their order. What an earlier entry exports is named by a later one, not written again.
 * @param folder Where the declarations are; what they import from elsewhere is named, not read.
 */
export function apiReports(folder: string, entries: readonly Entry[]): Map<string, string> {
  // Without `lib`, names such as `Promise` stay what they are, and a program takes a tenth of the time.
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { noLib: true, types: [], module: ts.ModuleKind.Preserve, moduleResolution: ts.ModuleResolutionKind.Bundler },
  )
  const checker = program.getTypeChecker()
  const owners = new Map<ts.Symbol, string>()
  const exports = entries.map(({ name, file }) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} has no declarations. Run \`npm run build\` first.`)
    const exported = new Map(
      checker
        .getExportsOfModule(module)
        .map((symbol): [string, ts.Symbol] => [symbol.name, target(checker, symbol)])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    for (const symbol of exported.values()) if (!owners.has(symbol)) owners.set(symbol, name)
    return { name, exported }
  })
  return new Map(
    exports.map((entry) => [
      entry.name,
      entryReport(entry, exports, owners, new Names(checker, folder, entry.exported)),
    ]),
  )
}

interface Exports {
  readonly name: string
  readonly exported: ReadonlyMap<string, ts.Symbol>
}

function entryReport(
  { name: entry, exported }: Exports,
  entries: readonly Exports[],
  owners: ReadonlyMap<ts.Symbol, string>,
  names: Names,
): string {
  const blocks = [`${entry}: the public surface, as \`npm run api\` writes it`]
  for (const [name, symbol] of exported) {
    const owner = owners.get(symbol)
    const first = owner === entry && names.name(symbol) === name
    blocks.push(first ? signature(symbol, names, entries) : `export ${alias(names.name(symbol), name)} from '${owner}'`)
  }
  const hidden: [string, string][] = []
  const imports: string[] = []
  const written = new Set(exported.values())
  // Writing a signature names what it mentions, which makes this list longer as it is read.
  for (const symbol of names.symbols) {
    if (written.has(symbol)) continue
    const owner = owners.get(symbol)
    if (!owner) hidden.push([names.name(symbol), signature(symbol, names, entries)])
    else imports.push(`import ${alias(symbol.name.replace(/\$\d+$/, ''), names.name(symbol))} from '${owner}'`)
  }
  hidden.sort(([a], [b]) => (a < b ? -1 : 1))
  if (hidden.length > 0) blocks.push('== Mentioned above, not exported', ...hidden.map(([, text]) => text))
  for (const [name, module] of names.packages) imports.push(`import { ${name} } from '${module}'`)
  if (imports.length > 0) blocks.push('== Mentioned above, from elsewhere', imports.sort().join('\n'))
  return `${blocks.join('\n\n')}\n`
}

function alias(theirs: string, ours: string): string {
  return theirs === ours ? `{ ${ours} }` : `{ ${theirs} as ${ours} }`
}

/** All declarations of a name: overloads, and a type beside a constant. */
function signature(symbol: ts.Symbol, names: Names, entries: readonly Exports[]): string {
  const texts = (symbol.declarations ?? []).map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
    return ts.isModuleDeclaration(node) ? namespace(node, names, entries) : print(node, names)
  })
  return texts.join('\n')
}

function print(node: ts.Node, names: Names): string {
  const visitor = (context: ts.TransformationContext) => (root: ts.Node) => {
    const visit = (child: ts.Node): ts.Node | undefined => {
      if (ts.isClassElement(child) && ts.getCombinedModifierFlags(child) & ts.ModifierFlags.Private) return undefined
      const symbol = ts.isIdentifier(child) ? names.symbol(child) : undefined
      if (symbol) return context.factory.createIdentifier(names.name(symbol))
      const visited = ts.visitEachChild(child, visit, context)
      return ts.isTupleTypeNode(visited) ? ts.setEmitFlags(visited, ts.EmitFlags.SingleLine) : visited
    }
    return ts.visitEachChild(root, visit, context)
  }
  const { transformed } = ts.transform(node, [visitor])
  const [text = ''] = transformed.map((root) => printer.printNode(ts.EmitHint.Unspecified, root, node.getSourceFile()))
  return text.replace(/^(export )?(declare )?/, '')
}

/** A namespace that is an entry, in a line; any other one member by member. */
function namespace(node: ts.ModuleDeclaration, names: Names, entries: readonly Exports[]): string {
  const members = names.members(node)
  const same = entries.find(({ exported }) => {
    return exported.size === members.size && [...members].every(([name, symbol]) => exported.get(name) === symbol)
  })
  if (same) return `namespace ${node.name.text}: all of '${same.name}'`
  const lines = [...members].map(([name, symbol]) => `    ${name}: ${names.name(symbol)};`)
  return `namespace ${node.name.text} {\n${lines.sort().join('\n')}\n}`
}
