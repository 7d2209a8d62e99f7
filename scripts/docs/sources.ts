import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, commentBlocks, markdownBlocks } from './blocks'

/** The project's folder, without a closing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Files below `folder` whose name ends in `ending`, as paths relative to the project; none when there is no such folder. */
export function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** The blocks of README.md and of the guides. */
export function guideBlocks(): Block[] {
  const guides = [...(existsSync(join(root, 'README.md')) ? ['README.md'] : []), ...filesIn('docs', '.md')]
  return guides.flatMap((file) => markdownBlocks(file, readFileSync(join(root, file), 'utf8')))
}

/** The blocks of the TSDoc comments in src/ and mocks/. */
export function sourceBlocks(): Block[] {
  const sources = [...filesIn('src', '.ts'), ...filesIn('mocks', '.ts')]
  return sources.flatMap((file) => commentBlocks(file, readFileSync(join(root, file), 'utf8')))
}
