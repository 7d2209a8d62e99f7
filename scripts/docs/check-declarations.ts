import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { LANGUAGES } from '../package/entries'
import { root } from './sources'

// Checks that the declarations in dist/ have the comments that an editor shows on hover.

const dist = join(root, 'dist')
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { import: { types: string } }>
}
/** The only entry with a wildcard is that of the languages. */
const typesOf = (path: string) => (path.includes('*') ? LANGUAGES.map((name) => path.replace('*', name)) : [path])
const files = Object.values(entries).flatMap((entry) =>
  typeof entry === 'string' ? [] : typesOf(entry.import.types).map((path) => join(root, path)),
)
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  skipLibCheck: true,
})
const checker = program.getTypeChecker()

const undocumented = new Set<string>()
let documented = 0

function readComment(name: string, node: ts.NamedDeclaration): void {
  if (!node.name) return
  const symbol = checker.getSymbolAtLocation(node.name)
  const source = node.getSourceFile()
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
  if (symbol && [...symbol.getDocumentationComment(checker), ...symbol.getJsDocTags()].length > 0) documented += 1
  else undocumented.add(`${relative(root, source.fileName)}:${line} ${name} has no comment`)
}

function readMembers(name: string, members: readonly (ts.TypeElement | ts.ClassElement)[]): void {
  for (const member of members) {
    if (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) continue
    // A property that can only be `true`, such as `network: true`, needs no comment.
    const isFlag = ts.isPropertySignature(member) && member.type?.getText() === 'true'
    if (member.name && !ts.isPrivateIdentifier(member.name) && !isFlag)
      readComment(`${name}.${member.name.getText()}`, member)
  }
}

for (const file of files) {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  for (const exported of module ? checker.getExportsOfModule(module) : []) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    for (const declaration of symbol.declarations ?? []) {
      if (!declaration.getSourceFile().fileName.startsWith(dist)) continue
      if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) {
        readComment(symbol.name, declaration)
        readMembers(symbol.name, [...declaration.members])
      } else if (
        ts.isFunctionDeclaration(declaration) ||
        ts.isTypeAliasDeclaration(declaration) ||
        ts.isVariableDeclaration(declaration)
      ) {
        readComment(symbol.name, declaration)
      }
    }
  }
}

for (const line of undocumented) console.error(line)
if (documented === 0) console.error('No declaration was found: run `npm run build` first.')
if (undocumented.size > 0 || documented === 0) process.exitCode = 1
else console.log(`${documented} declarations of dist/*.d.ts keep their comments.`)
