import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const NAME = resolve('test/components/edited.ts')
const HEAD = "import * as C from '../../src/components/index'; const b = C.button.primary('b');"

/** Calls with the cursor at `|`, and names that an editor offers there. */
const LITERALS: readonly (readonly [code: string, names: readonly string[]])[] = [
  ['C.row({ | })', ['type', 'style', 'custom_id', 'options']],
  ['C.row({ type: 2, style: 5, | })', ['url', 'label', 'emoji', 'disabled', 'id']],
  ['C.row(b, { | })', ['type', 'style', 'custom_id']],
  ['C.row([{ type: 3, | }])', ['custom_id', 'options', 'placeholder']],
  ['C.container({ | })', ['type', 'content', 'components', 'accessory']],
  ["C.container('a', { type: 14, | })", ['divider', 'spacing', 'id']],
  ["C.container('a').addComponents({ type: 10, | })", ['content', 'id']],
  ['C.section({ | })', ['type', 'content', 'id']],
  ['C.mediaGallery({ | })', ['media', 'description', 'spoiler']],
  ["C.stringSelect('s', { | })", ['label', 'value', 'description', 'emoji', 'default']],
  ["C.radioGroup('r', { | })", ['label', 'value', 'description', 'default']],
  ['C.messageV2({ | })', ['flags', 'type', 'content']],
  ['C.messageV2({ flags: 64, | })', ['allowed_mentions']],
  ['C.messageV2({ allowed_mentions: {}, | })', ['flags']],
  ['C.messageV2({ type: 10, | })', ['content', 'id']],
  ["C.messageV2('a', { type: 1, components: [{ type: 2, | }] })", ['style', 'custom_id', 'label', 'url']],
  ['C.messageLegacy({ | })', ['content', 'embeds', 'flags']],
  ['C.messageLegacy({}, { | })', ['type', 'components', 'id']],
  ["C.modal('m', 'M', { | })", ['type', 'label', 'component', 'content']],
  ["C.label('a', { type: 4, | })", ['custom_id', 'style', 'max_length', 'placeholder']],
  ["C.label('a', C.checkbox('a')).withComponent({ type: 23, | })", ['custom_id', 'default', 'id']],
  ['C.container({ type: 9, | })', ['components', 'accessory', 'id']],
  ['C.container({ type: 9, components: [{ | }] })', ['type', 'content', 'id']],
  ["C.messageV2('a', { type: 9, components: [], | })", ['accessory', 'id']],
  ['C.messageV2([{ type: 9, components: [{ type: 10, | }] }])', ['content', 'id']],
  ['C.messageV2({ type: 9, components: [], accessory: { type: 11, | } })', ['media', 'description', 'spoiler']],
  ["C.section('a').withAccessory({ type: 2, style: 5, | })", ['url', 'label', 'emoji', 'disabled']],
  ['C.container({ type: 12, items: [{ media: { | } }] })', ['url']],
  ['C.messageLegacy({}, { type: 1, components: [{ type: 3, options: [{ | }] }] })', ['label', 'value', 'emoji']],
  ["C.modal('m', 'M', { type: 18, label: 'a', component: { type: 21, options: [{ | }] } })", ['label', 'value']],
]

/** Calls with the cursor at `|`, and the parameters that an editor shows there. */
const CALLS: readonly (readonly [code: string, parameters: readonly RegExp[]])[] = [
  ['C.row(|)', [/^\.\.\.items: readonly C.Child<C.ButtonInput \| .*C.SelectInput<"message">/]],
  ['C.container(|)', [/: C.Child<string \| C.ContainerChildInput>$/, /^\.\.\.components/]],
  ['C.section(|)', [/: C.Child<string \| C.TextDisplayInput>$/, /^\.\.\.texts/]],
  ['C.mediaGallery(|)', [/: C.Child<string \| C.GalleryItemInput>$/, /^\.\.\.items/]],
  ["C.stringSelect('s', |)", [/^customId/, /^\.\.\.options: readonly C.Child<C.SelectOptionInput>\[\]$/]],
  [
    "C.radioGroup('s', |)",
    [/^customId/, /: C.Child<C.GroupOptionInput>$/, /: C.Child<C.GroupOptionInput>$/, /^\.\.\./],
  ],
  [
    'C.messageV2(|)',
    [/^first\?: C.MessageV2Fields \| C.Child<string \| C.MessageComponentInput>$/, /^\.\.\.components/],
  ],
  ['C.messageLegacy({}, |)', [/^body/, /^\.\.\.rows: readonly C.Child<C.ActionRowInput>\[\]$/]],
  ["C.modal('m', 'M', |)", [/^customId/, /^title/, /^\.\.\.components: readonly C.Child<string \| C.ModalComp/]],
  ["C.label('a', |)", [/^labelText/, /^component: C.LabelChildInput$/]],
]

const edited = { text: HEAD, version: 0 }
const read = (path: string) => (path === NAME ? edited.text : readFileSync(path, 'utf8'))
const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    strict: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }),
  getScriptFileNames: () => [NAME],
  getScriptVersion: (path) => (path === NAME ? `${edited.version}` : '0'),
  getScriptSnapshot: (path) =>
    path === NAME || existsSync(path) ? ts.ScriptSnapshot.fromString(read(path)) : undefined,
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === NAME || existsSync(path),
  readFile: read,
})

/** Opens code in the editor and returns the position of its cursor. */
function open(code: string): number {
  edited.text = `${HEAD}${code.replace('|', '')}`
  edited.version += 1
  return HEAD.length + code.indexOf('|')
}

/** Names that an editor offers at the cursor, without those of the whole program. */
function namesAt(code: string): readonly string[] {
  const completions = service.getCompletionsAtPosition(NAME, open(code), {})
  return completions?.isGlobalCompletion ? [] : (completions?.entries.map(({ name }) => name) ?? [])
}

/** Parameters that an editor shows at the cursor, by signature. */
function parametersAt(code: string): readonly (readonly string[])[] {
  const { items = [] } = service.getSignatureHelpItems(NAME, open(code), {}) ?? {}
  return items.map(({ parameters }) => parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts)))
}

// Here and not in the tests: the first one waits for the compiler.
const completed = LITERALS.map(([code, names]) => ({ code, names, offered: namesAt(code) }))
const helped = CALLS.map(([code, parameters]) => ({ code, parameters, shown: parametersAt(code) }))

test.each(completed)('an editor completes the fields of the literal in $code', ({ names, offered }) => {
  expect(offered).toEqual(expect.arrayContaining([...names]))
})

test.each(helped)('an editor shows what may be passed to $code', ({ parameters, shown }) => {
  expect(shown).toEqual([parameters.map((parameter) => expect.stringMatching(parameter))])
})
