import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, freeNames } from './blocks'
import { root } from './sources'

/** Where blocks become modules: inside the project, so that their imports resolve as those of any file here. */
export const modulesFolder = join(root, 'scripts/docs/.blocks')

const given = readFileSync(join(root, 'scripts/docs/given.ts'), 'utf8')
const givenNames = [...given.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name)

/** Lines that `moduleText` puts before a block's first line. */
export const addedLines = 1

/** Whether a block is a test file as a whole, which Vitest runs. */
export function isTestFile({ code }: Block): boolean {
  return /^import .* from 'vitest'$/m.test(code)
}

/** A path of its own for the module of a block. */
export function modulePath(block: Block): string {
  const ending = isTestFile(block) ? '.test.ts' : '.ts'
  return join(modulesFolder, `${block.file.replaceAll(/\W+/g, '-')}-${block.line}${ending}`)
}

/** The block as a module. What it uses and does not declare, it imports from `given.ts`. */
export function moduleText(block: Block): string {
  const names = freeNames(block.code, givenNames)
  if (names.length === 0) return `// Nothing is given.\n${block.code}\nexport {}\n`
  return `import { ${names.join(', ')} } from '../given'\n${block.code}\nexport {}\n`
}
