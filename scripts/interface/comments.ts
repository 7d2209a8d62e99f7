import ts from 'typescript'
import { filesIn, root } from '../docs/sources'

/** Comments of a type and of its properties. */
export interface TypeComment {
  readonly text: string
  readonly properties: ReadonlyMap<string, string>
}

const program = ts.createProgram(
  ['src/contract', 'src/resources'].flatMap((folder) => filesIn(folder, '.ts')).map((file) => `${root}/${file}`),
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
    const properties = members.flatMap((member): [string, string][] =>
      member.name === undefined ? [] : [[member.name.getText(), commentOf(member)]],
    )
    return [[statement.name.text, { text: commentOf(statement), properties: new Map(properties) }]]
  }),
)

/** Comments of the resource methods, by name: `Relationships.list`. */
export const methodComments: ReadonlyMap<string, string> = new Map(
  statements.filter(ts.isClassDeclaration).flatMap((owner) =>
    owner.members.filter(ts.isMethodDeclaration).map((member): [string, string] => {
      return [`${owner.name?.text}.${member.name.getText()}`, commentOf(member)]
    }),
  ),
)

/** Returns a comment as Markdown, without its tags and with links as code. */
function commentOf(node: ts.Node): string {
  const [last] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1)
  const text = ts.getTextOfJSDocComment(last?.comment) ?? ''
  return text.replaceAll(/\{@link (?:[^|}]*\|)?\s*([^}]+)\}/g, '`$1`').trim()
}
