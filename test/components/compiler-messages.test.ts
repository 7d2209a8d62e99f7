import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const MISTAKES: readonly (readonly [mistake: string, code: string, reason: string])[] = [
  ['six buttons in a row', 'C.row(b, b, b, b, b, b)', 'at most 5'],
  ['six buttons of an array', 'C.row([b, b, b, b, b, b])', 'at most 5'],
  ['two selects in a row', "C.row(C.userSelect('a'), C.userSelect('b'))", 'at most 1'],
  ['a button beside a select', "C.row(b, C.userSelect('a'))", 'a row holds buttons alone, or one select'],
  ['a required select in a row', "C.row(C.userSelect('a').withRequired())", 'is for modals: put it in a label'],
  ['four texts in a section', "C.section('a', 'b', 'c', 'd')", 'at most 3'],
  ['a gallery of nothing', 'C.mediaGallery()', 'Expected at least 1 arguments'],
  ['a gallery of an empty array', 'C.mediaGallery([])', 'at least 1'],
  ['a group of one option', "C.radioGroup('r', C.groupOption('a', 'a'))", 'at least 2'],
  ['a field without a label', "C.modal('m', 'M', C.userSelect('a'))", 'a field of a modal is put in a label'],
  [
    'fields without labels',
    "C.modal('m', 'M', [C.checkbox('a'), C.fileUpload('b')])",
    'a field of a modal is put in a label',
  ],
  [
    'rows in the body',
    "C.messageLegacy({ content: 'a', components: [C.row(b)] })",
    'the rows are given after the body',
  ],
]

/** What the compiler says of each line of a file. */
function messagesOf(lines: readonly string[]): readonly string[] {
  const name = resolve('test/components/mistakes.ts')
  const head = "import * as C from '../../src/components/index'; const b = C.button.primary('b')"
  const text = [head, ...lines].join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => path === name || fileExists(path)
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest)
  const program = ts.createProgram([name], options, host)
  const file = program.getSourceFile(name)
  const said = lines.map(() => '')
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(file)) {
    const line = text.slice(0, start).split('\n').length - 2
    said[line] += ts.flattenDiagnosticMessageText(messageText, '\n')
  }
  return said
}

const said = messagesOf(MISTAKES.map(([, code]) => code))

test.each(MISTAKES.map(([mistake, , reason], index) => [mistake, reason, said[index]] as const))(
  'the compiler says what is wrong with %s',
  (_, reason, message) => {
    expect(message).toContain(reason)
    expect(message).not.toContain("type 'never'")
  },
)
