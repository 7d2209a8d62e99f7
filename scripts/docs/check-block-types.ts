import ts from 'typescript'
import { addedLines, modulePath, moduleText } from './block-module'
import { guideBlocks, root, sourceBlocks } from './sources'

// Type-checks every `ts` block of the guides and of the TSDoc comments, all in one program.

const blocks = [...guideBlocks(), ...sourceBlocks()]
const modules = new Map(blocks.map((block) => [modulePath(block), { block, text: moduleText(block) }]))

const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
const host = ts.createCompilerHost(options)
const { fileExists, readFile, getSourceFile } = host
host.fileExists = (path) => modules.has(path) || fileExists(path)
host.readFile = (path) => modules.get(path)?.text ?? readFile(path)
host.getSourceFile = (path, target) => {
  const text = modules.get(path)?.text
  return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target)
}

// An augmentation holds for the whole program, so each block that has one is a program of its own.
const [own, shared] = [true, false].map((augments) =>
  [...modules].filter(([, { text }]) => /^declare module/m.test(text) === augments).map(([path]) => path),
)
const program = ts.createProgram(shared ?? [], options, host)
const programOf = (path: string) => (own?.includes(path) ? ts.createProgram([path], options, host, program) : program)
const problems = [...modules].flatMap(([path, { block }]) => {
  const program = programOf(path)
  const source = program.getSourceFile(path)
  if (!source) throw new Error(`${block.file}:${block.line} is not in the program`)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
    const line = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line - addedLines + block.line
    return `${block.file}:${line} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`
  })
})

for (const problem of problems) console.error(problem)
if (blocks.length === 0) console.error('No block was found.')
if (problems.length > 0 || blocks.length === 0) process.exitCode = 1
else console.log(`${blocks.length} documentation blocks compile.`)
