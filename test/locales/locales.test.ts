import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client, explain } from 'rapport-sdk'
import type { Locale } from 'rapport-sdk/locales/de'
import { mfaPrompt } from 'rapport-sdk/node'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../scripts/package/entries'
import { CODE, serveStepUp } from '../servers/step-up-service'

const sourceOf = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')

/** Returns the texts of the constant `ENGLISH` or `WORDS` of a file. */
function englishTexts(path: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text)
    ts.forEachChild(ts.isPropertyAssignment(node) ? node.initializer : node, visit)
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) texts.push(node.initializer.text)
  }
  const file = ts.createSourceFile(path, sourceOf(path), ts.ScriptTarget.ES2022, true)
  for (const statement of file.statements.filter(ts.isVariableStatement))
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer && /^(?:ENGLISH|WORDS)$/.test(name.getText())) visit(initializer)
  return texts
}

const wordsOf = (text: string): string[] =>
  text
    .replace('{limit}', '')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

/** Every word of the English texts. */
const english = new Set(
  ['dialog/words.ts', 'errors/explain.ts', 'node/prompt-words.ts'].flatMap(englishTexts).flatMap(wordsOf),
)

/** Endpoints whose operations have an English text. */
const [, operations = ''] = /^ {2}operations: \{\n([^}]*)/m.exec(sourceOf('dialog/words.ts')) ?? []
const OPERATIONS = [...operations.matchAll(/'([^']+)': /g)].map(([, endpoint]) => endpoint)

/** Words of a language that are also English ones, or names that it keeps. */
const SHARED: Readonly<Record<string, string>> = {
  ar: '',
  de: 'an app authenticator browser code in offline passkey passkeys s sms widget',
  es: 'a en no s sms widget',
  fr: 'a code en s service sms widget',
  ja: 'sms',
  ko: 'enter sms',
  pl: 'do enter go problem s sms to',
  'pt-BR': 'a do enter no s sms use widget',
  tr: 'en enter sms',
  'zh-CN': '',
}

const COUNTS = [0, 1, 2, 3, 11, 100]

/** Returns all texts of a language by their paths, those of functions with several values. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'object')
    return Object.entries(value ?? {}).flatMap(([name, each]) => textsOf(each, `${path}.${name}`))
  if (typeof value !== 'function') return []
  const reasons = ['login', 'password_reset', 'elevation'].map((reason) => [{ reason, endpoint: '#' }])
  // Only the time to wait may be unknown.
  const counts = path.includes('mfaFailed') ? COUNTS : [undefined, ...COUNTS]
  const details = counts.map((count) => [
    { detail: '', count, when: (locale: string) => (count === undefined ? count : inHours(count, locale)) },
  ])
  const numbers = COUNTS.map((count) => [path.endsWith('.sent') ? `+** ${count}` : count, count])
  const waits = COUNTS.map((count) => [inHours(count, 'pl')])
  const calls = path.endsWith('.title')
    ? reasons
    : path.endsWith('.message')
      ? details
      : /^\.dialog\.\w+In$/.test(path)
        ? waits
        : numbers
  return calls.map((args) => [path, value(...args)])
}

const inHours = (count: number, locale: string) => new Intl.RelativeTimeFormat(locale).format(count, 'hour')

async function load(name: string): Promise<Locale> {
  const module: Record<string, Locale> = await import(`rapport-sdk/locales/${name}`)
  const locale = module[name.replace('-', '')]
  if (!locale) throw new Error(`${name} has no export of its name.`)
  return locale
}

it('each language has a file, and each is an entry', () => {
  const files = readdirSync(new URL('../../src/locales', import.meta.url)).map((file) => basename(file, '.ts'))
  expect(files.filter((name) => name !== 'locale').sort()).toEqual([...LANGUAGES].sort())
  for (const word of ['verify', 'attempts', 'unavailable', 'authenticator']) expect(english).toContain(word)
})

describe.each(LANGUAGES)('the language %s', async (name) => {
  const locale = await load(name)
  const texts = textsOf(locale).filter(([path]) => !/\.(?:lang|dir)$/.test(path))

  it(`${name} says its tag and its direction, and that no native speaker has reviewed it`, () => {
    expect(locale.dialog.lang).toBe(name)
    expect(locale.dialog.dir).toBe(name === 'ar' ? 'rtl' : 'ltr')
    expect(sourceOf(`locales/${name}.ts`).match(/Not reviewed by a native speaker\./g)).toHaveLength(2)
  })

  it(`no English word is left in ${name}`, () => {
    const shared = new Set(SHARED[name]?.split(' '))
    const left = texts.flatMap(([path, text]) =>
      wordsOf(text).flatMap((word) => (english.has(word) && !shared.has(word) ? `${path}: ${word}` : [])),
    )
    expect(new Set(left)).toEqual(new Set())
    expect(texts.length).toBeGreaterThan(200)
    expect(Object.keys(locale.dialog.operations)).toEqual(OPERATIONS)
    expect(OPERATIONS).toContain('Create Handoff Token')
    expect(texts.filter(([, text]) => text.trim() === '' || /undefined|NaN|\[object/.test(text))).toEqual([])
  })

  it(`${name} shows the limit of a field, and the numbers of functions`, () => {
    for (const [code, field] of Object.entries(locale.errors.fields))
      expect(field.includes('{limit}'), code).toBe(/^too_(?!deep)/.test(code))
    const { sendAgainIn, verifyIn, digits, attemptsLeft, sent } = locale.dialog
    for (const format of [digits, attemptsLeft]) expect(format(30)).toContain('30')
    for (const format of [sendAgainIn, verifyIn]) expect(format('30 s')).toContain('30 s')
    expect(sent('+** 42')).toContain('+** 42')
  })

  it(`${name} says when to try again after a limit, and not when that is unknown`, () => {
    const { message } = locale.errors.rateLimited
    const [known, unknown] = [2, undefined].map((count) =>
      Reflect.apply(Object(message), undefined, [
        { detail: '', when: (locale: string) => (count === undefined ? count : inHours(count, locale)) },
      ]),
    )
    expect(known).toContain(inHours(2, `${name}-u-nu-latn`).replace('خلال', 'بعد'))
    expect(unknown).not.toMatch(/\d|undefined/)
  })

  it(`explain and the prompt in the terminal speak ${name}`, async () => {
    const { url } = await serveStepUp()
    const input = new PassThrough()
    const output = new PassThrough()
    input.write('1\n000000\n')
    const client = new Client({
      baseUrl: url,
      token: 'ada',
      onMfaRequired: mfaPrompt({ input, output, words: locale.prompt }),
    })
    client.on('response', ({ status }) => {
      if (status === 400) input.write(`${CODE}\n`)
    })
    await client.relationships.list()
    output.end()
    const printed = await text(output)
    expect(printed).toContain(locale.prompt.attemptsLeft(2))
    expect(printed).toContain(locale.errors.codeRefused.message)
    expect(explain(new DOMException('', 'TimeoutError'), { words: locale.errors })).toMatchObject(locale.errors.timeout)
  })
})
