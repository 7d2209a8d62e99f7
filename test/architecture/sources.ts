import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** An import or a re-export of a source file. */
export interface Import {
  /** Path relative to the project, or the name of a package. */
  readonly target: string
  /** Whether it imports only types. */
  readonly isTypeOnly: boolean
  /** Source text of the bound names: `* as z`, `createServer`. */
  readonly binding: string
}

/** A source file of the project. */
export interface Source {
  /** Path relative to the project. */
  readonly path: string
  readonly text: string
  readonly file: ts.SourceFile
  readonly imports: readonly Import[]
}

/** Returns the TypeScript files below a folder of the project. */
export function sources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join(ROOT, folder, name)))
}

/** Returns the content of a text file of the project. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function read(path: string): Source {
  const text = readFileSync(path, 'utf8')
  // Parsed only on demand: most tests read only the text.
  let file: ts.SourceFile | undefined
  let imports: Import[] | undefined
  return {
    path: relative(ROOT, path),
    text,
    get file() {
      file ??= ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
      return file
    },
    get imports() {
      imports ??= importsOf(path, this.file)
      return imports
    },
  }
}

function importsOf(path: string, file: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean, binding: string) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    const { text } = specifier
    const target = text.startsWith('.') ? relative(ROOT, resolve(dirname(path), text)) : text
    found.push({ target, isTypeOnly, binding })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause
      const isTypeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || areTypes(clause?.namedBindings)
      add(node.moduleSpecifier, isTypeOnly, clause?.getText() ?? '')
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly || areTypes(node.exportClause), node.exportClause?.getText() ?? '*')
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, 'import()')
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, 'import type')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Whether every name in braces is a type import. */
function areTypes(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return false
  return bindings.elements.length > 0 && bindings.elements.every(({ isTypeOnly }) => isTypeOnly)
}

/** The doc comment of a declaration. */
interface Docstring {
  /** File and name: `src/resources/auth.ts Auth.login`. */
  readonly name: string
  /** Empty if there is no comment. */
  readonly text: string
}

/** Returns the docstrings of the public methods of exported classes. Overloads share the docstring of the first one. */
export function methodDocstrings({ path, file }: Source): Docstring[] {
  return file.statements.filter(ts.isClassDeclaration).flatMap((owner) => {
    const texts = new Map<string, string>()
    for (const member of owner.members.filter(isPublicMethod)) {
      const name = `${path} ${owner.name?.text}.${member.name.getText()}`
      texts.set(name, texts.get(name) || docstring(member))
    }
    return Array.from(texts, ([name, text]) => ({ name, text }))
  })
}

/** Returns the docstrings of exported interfaces and types, and of the properties of interfaces. */
export function typeDocstrings({ path, file }: Source): Docstring[] {
  return file.statements.filter(isExported).flatMap((statement): Docstring[] => {
    if (ts.isTypeAliasDeclaration(statement)) {
      return [{ name: `${path} ${statement.name.text}`, text: docstring(statement) }]
    }
    if (!ts.isInterfaceDeclaration(statement)) return []
    const name = `${path} ${statement.name.text}`
    const properties = statement.members.filter(
      (member) => ts.isPropertySignature(member) || ts.isMethodSignature(member),
    )
    return [
      { name, text: docstring(statement) },
      ...properties.map((property) => ({ name: `${name}.${property.name.getText()}`, text: docstring(property) })),
    ]
  })
}

/** Returns the sections of the API document that a text cites, such as `API, "A" and "B"`. */
export function citedSections(text: string): string[] {
  const flat = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
  return Array.from(flat.matchAll(/API, ((?:"[^"]+"(?:, (?=")| and (?=")|))+)/g)).flatMap(([, list = '']) =>
    Array.from(list.matchAll(/"([^"]+)"/g), ([, section = '']) => section),
  )
}

function docstring(node: ts.Node): string {
  const [last] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1)
  return last?.getText() ?? ''
}

function isPublicMethod(member: ts.ClassElement): member is ts.MethodDeclaration {
  if (!ts.isMethodDeclaration(member) || ts.isPrivateIdentifier(member.name)) return false
  return (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false
}
