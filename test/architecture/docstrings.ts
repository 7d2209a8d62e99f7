import ts from 'typescript'
import type { Source } from './sources'

/** The doc comment of a declaration. */
export interface Docstring {
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
