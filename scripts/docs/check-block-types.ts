import { basename, join, relative } from 'node:path'
import { addedLines, modulePath, moduleText } from './block-module'
import { compile } from './compile'
import { guideBlocks, root, sourceBlocks } from './sources'

// Type-checks every `ts` block of the guides and of the TSDoc comments. With `--project`, also the whole project, in the program of
// most blocks: each alone reads all sources.

// Their imports are those of the modules that `run-guide-blocks.ts` writes next to it, maybe at the same time.
const folder = join(root, 'scripts/docs/.block-types')

const blocks = new Map([...guideBlocks(), ...sourceBlocks()].map((block) => [basename(modulePath(block)), block]))
const modules = [...blocks].map(([path, block]) => [path, moduleText(block)] as const)

// An augmentation holds for the whole program, so each block that has one is a program of its own.
const augments = ([, text]: readonly [string, string]) => /^declare module/m.test(text)
const errors = [
  ...compile(folder, new Map(modules.filter((module) => !augments(module))), process.argv.includes('--project')),
  ...modules.filter(augments).flatMap((module) => compile(folder, new Map([module]))),
]

for (const { module, line, message } of errors) {
  const block = blocks.get(module)
  if (block) console.error(`${block.file}:${line - addedLines + block.line - 1} ${message}`)
  else console.error(`${relative(root, join(folder, module))}:${line} ${message}`)
}
if (blocks.size === 0) console.error('No block was found.')
if (errors.length > 0 || blocks.size === 0) process.exitCode = 1
else console.log(`${blocks.size} documentation blocks compile.`)
