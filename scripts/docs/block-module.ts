import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, freeNames } from './blocks'
import { root } from './sources'

/** Folder of the modules of blocks; inside the project, so that their imports resolve as in any other file. */
export const modulesFolder = join(root, 'scripts/docs/.blocks')

const prelude = readFileSync(join(root, 'scripts/docs/prelude.ts'), 'utf8')
const preludeNames = [...prelude.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name)

/** Number of lines that `moduleText` adds before the first line of a block. */
export const addedLines = 1

/** Whether a block is a complete test file, which Vitest runs. */
export function isTestFile({ code }: Block): boolean {
  return /^import .* from 'vitest'$/m.test(code)
}

/** Returns the path of the module of a block. */
export function modulePath(block: Block): string {
  const ending = `${isTestFile(block) ? '.test' : ''}.${block.language}`
  return join(modulesFolder, `${block.file.replaceAll(/\W+/g, '-')}-${block.line}${ending}`)
}

/** Returns the block as a module that imports what it does not declare from `prelude.ts`. */
export function moduleText(block: Block): string {
  const names = freeNames(block.code, preludeNames, block.language)
  // `tsx` does not apply `tsconfig.json` in a folder with a dot.
  const runtime = block.language === 'tsx' ? '/* @jsxRuntime automatic */ ' : ''
  if (names.length === 0) return `${runtime}// Imports nothing of the prelude.\n${block.code}\nexport {}\n`
  return `${runtime}import { ${names.join(', ')} } from '../prelude'\n${block.code}\nexport {}\n`
}
