import ts from 'typescript'

/** What a report calls things: by the names that users see, whatever a bundler called them in a chunk. */
export class Names {
  readonly #checker: ts.TypeChecker
  readonly #folder: string
  readonly #names = new Map<ts.Symbol, string>()
  readonly #taken = new Set<string>()
  /** Names that come from other packages, each with the package. */
  readonly packages = new Map<string, string>()

  constructor(checker: ts.TypeChecker, folder: string, exported: ReadonlyMap<string, ts.Symbol>) {
    this.#checker = checker
    this.#folder = folder
    for (const [name, symbol] of exported) {
      this.#taken.add(name)
      if (!this.#names.has(symbol)) this.#names.set(symbol, name)
    }
  }

  /** All that was named so far, in the order in which it was first met. */
  get symbols(): Iterable<ts.Symbol> {
    return this.#names.keys()
  }

  /** What an identifier of a declaration stands for, where that is a declaration of the build's own at a file's top level. */
  symbol(identifier: ts.Identifier): ts.Symbol | undefined {
    const local = this.#checker.getSymbolAtLocation(identifier)
    if (!local) return undefined
    this.#noteImport(local)
    const symbol = target(this.#checker, local)
    const declaration = symbol.declarations?.[0]
    const own = declaration?.getSourceFile().fileName.startsWith(this.#folder)
    return own && isTopLevel(declaration) ? symbol : undefined
  }

  /** The name of a declaration. A bundler's suffix (`Issue$1`) depends on the order of files, so it is given anew. */
  name(symbol: ts.Symbol): string {
    const known = this.#names.get(symbol)
    if (known) return known
    const plain = symbol.name.replace(/\$\d+$/, '')
    let name = plain
    for (let count = 2; this.#taken.has(name); count += 1) name = `${plain}$${count}`
    this.#taken.add(name)
    this.#names.set(symbol, name)
    return name
  }

  /** What a namespace gives, by name. A bundler writes `type names_Item = Item` for each, which is looked through. */
  members(node: ts.ModuleDeclaration): Map<string, ts.Symbol> {
    const namespace = this.#checker.getSymbolAtLocation(node.name)
    const members = namespace ? this.#checker.getExportsOfModule(namespace) : []
    return new Map(
      members.map((member) => [member.name, this.#unwrapped(target(this.#checker, member), `${node.name.text}_`)]),
    )
  }

  #unwrapped(symbol: ts.Symbol, prefix: string): ts.Symbol {
    const [declaration] = symbol.declarations ?? []
    if (!declaration || !(ts.isTypeAliasDeclaration(declaration) || ts.isVariableDeclaration(declaration)))
      return symbol
    const { type } = declaration
    const name =
      type && (ts.isTypeReferenceNode(type) ? type.typeName : ts.isTypeQueryNode(type) ? type.exprName : type)
    return (symbol.name.startsWith(prefix) && name && ts.isIdentifier(name) && this.symbol(name)) || symbol
  }

  #noteImport(local: ts.Symbol): void {
    const statement = local.declarations?.[0] && ts.findAncestor(local.declarations[0], ts.isImportDeclaration)
    if (!statement || !ts.isStringLiteral(statement.moduleSpecifier)) return
    if (!statement.moduleSpecifier.text.startsWith('.')) this.packages.set(local.name, statement.moduleSpecifier.text)
  }
}

/** What a name stands for, through all imports and exports. */
export function target(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function isTopLevel(declaration: ts.Declaration | undefined): boolean {
  if (!declaration || ts.isSourceFile(declaration)) return false
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return ts.isSourceFile(statement.parent)
}
