import ts from 'typescript'
import { filesIn, root } from '../docs/sources'

/** Comment of a property. */
export interface PropertyComment {
  readonly text: string
  /** Whether it has the tag `@deprecated`. */
  readonly isDeprecated: boolean
}

/** Comments of a type and of its properties. */
export interface TypeComment {
  readonly text: string
  /** Whether the type has an index signature: fields that are not shown are part of it. */
  readonly isOpen: boolean
  readonly properties: ReadonlyMap<string, PropertyComment>
}

const program = ts.createProgram(
  ['src/contract', 'src/resources', 'mocks/gateway', 'mocks/seed', 'mocks/control']
    .flatMap((folder) => filesIn(folder, '.ts'))
    .concat('mocks/faults.ts', 'mocks/policy.ts')
    .map((file) => `${root}/${file}`),
  { noResolve: true, noLib: true },
)
// Creating the checker sets the parents of nodes, which `getText` needs.
program.getTypeChecker()
const statements = program
  .getSourceFiles()
  .filter(({ fileName }) => fileName.startsWith(root) && !fileName.includes('node_modules'))
  .flatMap((file) => [...file.statements])

/** Comments of exported interfaces and types, by name. */
export const typeComments: ReadonlyMap<string, TypeComment> = new Map(
  statements.flatMap((statement): [string, TypeComment][] => {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return []
    const members = ts.isInterfaceDeclaration(statement) ? [...statement.members] : []
    const properties = members.flatMap((member): [string, PropertyComment][] =>
      member.name === undefined ? [] : [[member.name.getText(), propertyComment(member)]],
    )
    const isOpen = members.some(ts.isIndexSignatureDeclaration)
    return [[statement.name.text, { text: commentOf(statement), isOpen, properties: new Map(properties) }]]
  }),
)

/** Comments of the resource methods, by name: `Relationships.list`. Of overloads, one has the comment. */
export const methodComments: ReadonlyMap<string, string> = new Map(
  statements.filter(ts.isClassDeclaration).flatMap((owner) =>
    owner.members.filter(ts.isMethodDeclaration).flatMap((member): [string, string][] => {
      const text = commentOf(member)
      // `AuthSessionsResource` is not the object `AuthSessions`; the methods of `client.auth` are in four classes.
      const name = owner.name?.text
        .replace(/Resource$/, '')
        .replace(/^(SignIn|Passkeys|Registration|Recovery)$/, 'Auth')
      return text ? [[`${name}.${member.name.getText()}`, text]] : []
    }),
  ),
)

/** Returns the comment of a property, with its default: the keyword `default` would make generated types require it. */
function propertyComment(member: ts.Node): PropertyComment {
  const tags = ts.getJSDocTags(member)
  const tag = tags.find(({ tagName }) => tagName.text === 'default')
  const value = tag && ts.getTextOfJSDocComment(tag.comment)
  return {
    text: [commentOf(member), ...(value ? [`Default: \`${value}\`.`] : [])].join(' '),
    isDeprecated: tags.some(({ tagName }) => tagName.text === 'deprecated'),
  }
}

/** Returns a comment as Markdown, without its tags and with links as code. */
function commentOf(node: ts.Node): string {
  const [last] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1)
  const text = ts.getTextOfJSDocComment(last?.comment) ?? ''
  // Who sets a parameter in this package means nothing to other tools.
  const withoutMethods = text.replace(/ Set by `challenge\.verify`\.$/, '')
  return withoutMethods.replaceAll(/\{@link (?:[^|}]*\|)?\s*([^}]+)\}/g, '`$1`').trim()
}
