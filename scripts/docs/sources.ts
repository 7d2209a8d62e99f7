import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, commentBlocks, markdownBlocks } from './blocks'

/** Path of the project, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Returns the files below `folder` whose names end in `ending`, relative to the project; none if the folder does not exist. */
export function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Returns the blocks of README.md and `docs/`, without the generated API reports. */
export function guideBlocks(): Block[] {
  const documents = filesIn('docs', '.md').filter((file) => !file.endsWith('.api.md'))
  return ['README.md', ...documents].flatMap((file) => markdownBlocks(file, readFileSync(join(root, file), 'utf8')))
}

/** Returns the blocks of the TSDoc comments in src/ and mocks/. */
export function sourceBlocks(): Block[] {
  const sources = [...filesIn('src', '.ts'), ...filesIn('mocks', '.ts')]
  return sources.flatMap((file) => commentBlocks(file, readFileSync(join(root, file), 'utf8')))
}
