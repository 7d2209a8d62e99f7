import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources, textOf } from './sources'

const DOCUMENTS = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/evidence.md']
/** Whether a word is a path of the repository: below one of its folders, or with the ending of a file, but not of the package. */
const PATH =
  /^(?:(?:src|mocks|test|scripts|bench|docs|examples|\.ci|\.github|\.changeset)\/|(?!rapport-sdk\/|dist\/)[\w./-]+\.(?:md|json|ts|txt)$)/

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(textOf('package.json'))
const tests = sources('test').map(({ path }) => path)

const exists = (path: string): boolean => existsSync(new URL(`../../${path}`, import.meta.url))

/** Returns the code of a document: its spans, and the first words of the lines of its fences. */
function codeOf(text: string): string[] {
  const fences = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code = '']) => code)
  const prose = text.replace(/^```.*?^```/gms, '')
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [...spans, ...fences.flatMap((code) => code.split('\n').map((line) => line.replace(/ {2,}.*/, '')))]
}

/** Returns why a piece of code names something that does not exist, or nothing. */
function missingIn(code: string): string[] {
  const [, script] = /^npm run (?:--silent )?([\w-]+)/.exec(code) ?? []
  if (script !== undefined && scripts[script] === undefined) return [`no script ${script}`]
  const [, filters] = /^npm test -- (.+)/.exec(code) ?? []
  const unknown = filters
    ?.split(' ')
    .filter((word) => !word.startsWith('-') && !tests.some((path) => path.includes(word)))
  if (filters !== undefined) return unknown?.map((word) => `no test ${word}`) ?? []
  return code
    .split(' ')
    .filter((word) => PATH.test(word))
    .filter((path) => !exists(path))
    .map((path) => `no file ${path}`)
}

test.each(DOCUMENTS)('the files, scripts and tests that %s names exist', (document) => {
  const code = codeOf(textOf(document))
  expect(code.length).toBeGreaterThan(5)
  expect(code.flatMap(missingIn)).toEqual([])
})

test('workflows run scripts that exist, and every night those that are too slow for CI', () => {
  const files = ['ci', 'nightly', 'release'].map((name) => textOf(`.github/workflows/${name}.yml`))
  const commands = files.flatMap((text) =>
    [...text.matchAll(/(?:run|command): (.+)$/gm)].map(([, command = '']) => command),
  )
  expect(commands.flatMap(missingIn)).toEqual([])
  expect(commands).toEqual(
    expect.arrayContaining(['soak', 'runtimes', 'interop', 'frameworks', 'mutation'].map((name) => `npm run ${name}`)),
  )
})

test.each([
  ['src/transport/nothing.ts', 'no file src/transport/nothing.ts'],
  ['npx tsx scripts/nothing.ts --check', 'no file scripts/nothing.ts'],
  ['npm run nothing', 'no script nothing'],
  ['npm test -- test/nothing', 'no test test/nothing'],
])('the check of documents reports `%s`', (code, problem) => {
  expect(codeOf(`\`${code}\``).flatMap(missingIn)).toEqual([problem])
  expect(codeOf(`\`\`\`text\n${code}    what it is\n\`\`\``).flatMap(missingIn)).toEqual([problem])
})
