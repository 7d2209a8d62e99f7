import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const MISTAKES: readonly (readonly [mistake: string, code: string, reason: string])[] = [
  ['six buttons in a row', 'C.row(b, b, b, b, b, b)', 'at most 5'],
  ['an array of six buttons in a row', 'C.row([b, b, b, b, b, b])', 'at most 5'],
  ['two selects in a row', "C.row(C.userSelect('a'), C.userSelect('b'))", 'at most 1'],
  ['a button next to a select', "C.row(b, C.userSelect('a'))", 'a row contains only buttons, or one select'],
  [
    'a required select in a row',
    "C.row(C.userSelect('a').withRequired())",
    'is only allowed in modals: put it in a label',
  ],
  ['four texts in a section', "C.section('a', 'b', 'c', 'd')", 'at most 3'],
  ['a gallery without items', 'C.mediaGallery()', 'Expected at least 1 arguments'],
  ['a gallery of an empty array', 'C.mediaGallery([])', 'at least 1'],
  ['a group of one option', "C.radioGroup('r', C.groupOption('a', 'a'))", 'at least 2'],
  ['a field without a label', "C.modal('m', 'M', C.userSelect('a'))", 'put a form control in a label'],
  ['fields without labels', "C.modal('m', 'M', [C.checkbox('a'), C.fileUpload('b')])", 'put a form control in a label'],
  ['rows in the body', "C.messageLegacy({ content: 'a', components: [C.row(b)] })", 'pass the rows after the body'],
  ['an array of eleven components in a container', `C.container([${Array(11).fill("C.text('a')")}])`, 'at most 10'],
  ['a container without components', 'C.container()', 'Expected at least 1 arguments'],
  ['a container of an empty array', 'C.container([])', 'at least 1'],
  ['a button as a message', 'C.messageV2(b)', 'put a button in a row'],
  ['an array with a button as a message', 'C.messageV2([b])', 'put a button in a row'],
  ['a button after a text', "C.messageV2(C.text('a'), b)", 'put a button in a row'],
  ['a select as a message', "C.messageV2(C.userSelect('a'))", 'put a select in a row'],
  ['a thumbnail as a message', "C.messageV2(C.thumbnail('a'))", 'put a thumbnail next to a section'],
  ['a label as a message', "C.messageV2(C.label('a', C.checkbox('c')))", 'only allowed in modals'],
  ['a section without an accessory', "C.messageV2(C.section('a'))", 'a section needs withAccessory(…)'],
  [
    'a section without an accessory in an array',
    "C.messageV2([C.text('a'), C.section('b')])",
    'a section needs withAccessory(…)',
  ],
  ['a section without an accessory in a container', "C.container(C.section('a'))", 'a section needs withAccessory(…)'],
  ['an array with a button in a container', 'C.container([b])', 'put a button in a row'],
  [
    'a container in a container',
    "C.container(C.container(C.text('a')))",
    'put a container at the top level of the message',
  ],
  ['a text input in a message', "C.messageV2(C.row(C.textInput.small('t')))", 'a text input is only allowed in modals'],
  [
    'a text input in a container',
    "C.container(C.row(C.textInput.small('t')))",
    'a text input is only allowed in modals',
  ],
  [
    'a text input in a legacy message',
    "C.messageLegacy({}, C.row(C.textInput.small('t')))",
    'a text input is only allowed in modals',
  ],
  ['a container in a legacy message', "C.messageLegacy({}, C.container('a'))", 'needs the components flag'],
  ['a container in a modal', "C.modal('m', 'M', C.container('a'))", 'only allowed in messages'],
  ['a button in a modal', "C.modal('m', 'M', b)", 'only allowed in messages'],
  ['a button in a label', "C.label('a', b)", 'a button is only allowed in messages: put it in a row'],
  ['a button set as the field of a label', "C.label('a', C.checkbox('c')).withComponent(b)", 'put it in a row'],
  ['a button added to a container', "C.container('a').addComponents(b)", 'put a button in a row'],
  ['a button added to a section', "C.section('a').addComponents(b)", 'put a button next to the texts'],
  ['a conditional button as a message', 'C.messageV2(Math.random() > 0.5 && b)', 'put a button in a row'],
  ['a nested array with a button as a message', "C.messageV2(['a', [b]])", 'put a button in a row'],
  ['six buttons in nested arrays', 'C.row([b, b, b], [b, b, b])', 'at most 5'],
  ['a container of nothing', 'C.container(null, [false])', 'at least 1'],
  ['a text in a row', "C.row(C.text('a'))", 'a row contains only buttons, or one select'],
  [
    'components among the fields of a message',
    "C.messageV2({ components: [C.text('a')] })",
    'pass the components after the fields',
  ],
  [
    'an accessory of the wrong type',
    "C.messageV2({ type: 9, components: [], accessory: C.text('a') })",
    "not assignable to type 'ButtonInput | ThumbnailInput'",
  ],
  ['a misspelt field in a row', "C.row({ type: 2, style: 1, custom_id: 'a', lable: 'A' })", "'lable' does not exist"],
  ['a misspelt required field in a row', "C.row({ type: 2, style: 1, custom: 'a' })", "'custom' does not exist"],
  [
    'a misspelt field in an array',
    "C.row([{ type: 5, custom_id: 'a', placehold: 'A' }])",
    "'placehold' does not exist",
  ],
  ['a misspelt field in a container', "C.container({ type: 10, contnt: 'a' })", "Did you mean to write 'content'?"],
  ['a misspelt optional field in a container', 'C.container({ type: 14, spaceing: 2 })', "'spaceing' does not exist"],
  ['a misspelt field that is added', "C.container('a').addComponents({ type: 14, idd: 1 })", "'idd' does not exist"],
  ['a misspelt field in a section', "C.section({ type: 10, content: 'a', idd: 1 })", "'idd' does not exist"],
  ['a misspelt field in a gallery', "C.mediaGallery({ media: { url: 'a' }, spoil: true })", "'spoil' does not exist"],
  ['a misspelt field in media', "C.mediaGallery({ media: { url: 'a', urls: 'b' } })", "'urls' does not exist"],
  [
    'a misspelt field in an option',
    "C.stringSelect('s', { label: 'a', value: 'a', emojy: {} })",
    "'emojy' does not exist",
  ],
  ['a misspelt field in a message', "C.messageV2({ type: 10, content: 'a', idd: 1 })", "'idd' does not exist"],
  ['a misspelt field after the fields', 'C.messageV2({ flags: 64 }, { type: 14, idd: 1 })', "'idd' does not exist"],
  [
    'a misspelt field in a legacy message',
    'C.messageLegacy({}, { type: 1, components: [], idd: 1 })',
    "'idd' does not exist",
  ],
  [
    'a misspelt field in a button of a row in a container',
    "C.container({ type: 1, components: [{ type: 2, style: 1, custom_id: 'a', lable: 'A' }] })",
    "'lable' does not exist in type 'InteractiveButtonInput'",
  ],
  [
    'a misspelt field in a button of a row in a container in a message',
    "C.messageV2({ type: 17, components: [{ type: 1, components: [{ type: 2, style: 5, url: 'a', lable: 'A' }] }] })",
    "'lable' does not exist in type 'LinkButtonInput'",
  ],
  [
    'a misspelt field in a button of a row in a legacy message',
    "C.messageLegacy({}, { type: 1, components: [{ type: 2, style: 6, sku_id: 'a', skuid: 'A' }] })",
    "'skuid' does not exist in type 'PremiumButtonInput'",
  ],
  [
    'a misspelt field in the second button of a row in a container',
    "void C.container({ type: 1, components: [b, { type: 2, style: 1, custom_id: 'a', lable: 'A' }] })",
    "'lable' does not exist in type 'InteractiveButtonInput'",
  ],
  [
    'a misspelt field in an option of a select of a row in a container',
    "C.container({ type: 1, components: [{ type: 3, custom_id: 'a', options: [{ label: 'a', value: 'b', emojy: {} }] }] })",
    "'emojy' does not exist in type 'SelectOptionInput'",
  ],
  [
    'a misspelt field in the accessory of a section in a container',
    "C.container({ type: 9, components: [], accessory: { type: 11, media: { url: 'a' }, alt: 'b' } })",
    "'alt' does not exist in type 'ThumbnailInput'",
  ],
  [
    'a misspelt field in an option of a group in a modal',
    "C.modal('m', 'M', { type: 18, label: 'a', component: { type: 21, custom_id: 'a', options: [{ lable: 'a', value: 'b' }] } })",
    "Did you mean to write 'label'?",
  ],
  [
    'two selects in a literal of a row',
    'void C.container({ type: 1, components: [u, u] })',
    "is not assignable to type 'readonly ButtonInput[] | readonly [",
  ],
  [
    'a literal of a section without an accessory',
    'void C.container({ type: 9, components: [] })',
    "Property 'accessory' is missing",
  ],
  [
    'a text among the fields of a message',
    "C.messageV2({ flags: 64, content: 'a' }, 'b')",
    'not assignable to type \'""\'',
  ],
  ['a button or a text in a row', "C.row(flag ? b : C.text('a'))", 'a row contains only buttons, or one select'],
  ['a button or a select next to a button', "C.row(flag ? b : C.userSelect('a'), b)", 'a row contains only buttons'],
  [
    'a button or a text input in a message',
    "C.messageV2(C.row(flag ? b : C.textInput.small('a')))",
    'only allowed in modals',
  ],
  [
    'a button of any kind as a message',
    'void (<T extends C.ButtonInput>(x: T) => C.messageV2(x))',
    "parameter of type 'MessageV2Fields | Child<",
  ],
  [
    'a select of any kind next to a button',
    "void (<T extends C.SelectInput<'message'>>(x: T) => C.row(b, x))",
    "parameter of type 'Child<ButtonInput>'",
  ],
  [
    'a button of any kind in a label',
    "void (<T extends C.ButtonInput>(x: T) => C.label('a', x))",
    "parameter of type 'LabelChildInput'",
  ],
]

/** Compiles lines as one file, and returns the messages of the compiler for each. */
function compile(lines: readonly string[]): readonly string[] {
  const name = resolve('test/components/mistakes.ts')
  const head =
    "import * as C from '../../src/components/index'; const b = C.button.primary('b'); const flag = Math.random() > 0.5; const u: C.StringSelectInput<'message'> = { type: 3, custom_id: 'u', options: [] }"
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
  const messages = lines.map(() => '')
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(file)) {
    const line = text.slice(0, start).split('\n').length - 2
    messages[line] += ts.flattenDiagnosticMessageText(messageText, '\n')
  }
  return messages
}

const messages = compile(MISTAKES.map(([, code]) => code))

test.each(MISTAKES.map(([mistake, , reason], index) => [mistake, reason, messages[index]] as const))(
  'the compiler message for %s names the cause',
  (_, reason, message) => {
    expect(message).toContain(reason)
    expect(message).not.toContain("type 'never'")
  },
)

test.each(
  MISTAKES.flatMap(([mistake, code, reason], index) =>
    /^C.(messageV2|container|modal|label|messageLegacy)\(/.test(code)
      ? [[mistake, reason, messages[index]?.split('\n')[0]]]
      : [],
  ),
)('the first line of the compiler message for %s names the cause', (_, reason, line) => {
  expect(line).toContain(reason)
})
