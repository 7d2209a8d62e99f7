import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compiler, root, step } from './step'

/** Outside of `node_modules/`, whose files are external to a bundle. */
const folder = join(root, '.declarations')

/**
 * Writes the declarations of entries and of what they import, for tsup to bundle. With its own program of TypeScript 6, it
 * takes ten times as long. Returns the paths of the declarations by the names of the entries; they are gone with the process.
 */
export function emitDeclarations(entries: Readonly<Record<string, string>>): Record<string, string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const output = {
    noEmit: false,
    noEmitOnError: true,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
  }
  const compilerOptions = { ...output, rootDir: root, outDir: folder }
  const files = Object.values(entries).map((path) => join(root, path))
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  step('declarations', root, compiler(7), ['--project', folder])
  return Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [name, join(folder, path.replace(/ts$/, 'd.ts'))]),
  )
}
