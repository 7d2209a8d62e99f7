import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { library } from './entries'

// Writes the declarations of the ES modules in `dist/`: those of the CommonJS modules again, which both formats may import.
// Only an entry that imports types of a package repeats its own, since such types may differ by the format of who imports them.
// Both are indented with tabs.

/**
 * Names the file of the components instead of listing them in the client's declarations: the bundler of declarations takes the
 * types among them, which are in another file, for values.
 */
function shareComponents(text: string): string {
  const [found] = /^declare namespace components \{.*?^\}\n/ms.exec(text) ?? []
  if (found === undefined) return text
  const rest = text.replace(found, '').replace(/^(?:declare const|type) components_.*;\n/gm, '')
  return rest.replace('\n', "\nimport * as components from './components/index.cjs';\n")
}

const tabs = (spaces: string): string => '\t'.repeat(spaces.length / 4)

const entries = Object.keys(library).map((name) => `${name}.d.cts`)
const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
for (const file of files.filter((name) => name.endsWith('.d.cts'))) {
  const text = shareComponents(readFileSync(join('dist', file), 'utf8')).replace(/^(?: {4})+/gm, tabs)
  writeFileSync(join('dist', file), text)
  const [firstLine] = text.split('\n')
  const importsPackage = /^import .* from '(?!\.|node:)/m.test(text)
  const isEntry = entries.includes(file)
  if (importsPackage && !isEntry) throw new Error(`dist/${file} imports a package: only entries may.`)
  const again = `${firstLine}\nexport * from './${basename(file, '.d.cts')}.cjs'\n`
  if (isEntry) writeFileSync(join('dist', file.replace(/cts$/, 'ts')), importsPackage ? text : again)
}
