import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { sources } from './sources'

const all = ['src', 'mocks'].flatMap(sources)

test('no file is longer than 400 lines', () => {
  const long = [...all, ...['bench', 'examples', 'scripts', 'test'].flatMap(sources)].map(({ path, text }) => ({
    path,
    lines: text.trimEnd().split('\n').length,
  }))
  expect(long.filter(({ lines }) => lines > 400)).toEqual([])
})

test('file names are kebab-case and say what is in the file', () => {
  // Languages are named by their tags, such as `pt-BR`.
  const names = all.map(({ path }) => path.replace(/^src\/locales\/.*/, '')).flatMap((path) => path.split('/'))
  expect(names.filter((name) => name && !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.ts)?$/.test(name))).toEqual([])
  expect(names.filter((name) => /^(?:utils?|helpers?|common|misc|shared)(?:\.ts)?$/.test(name))).toEqual([])
})

test('a file of a name that other files have too opens with a line that says what it contains', () => {
  // In these folders, each file is what the folder says, of one area: `resources/relationships.ts`.
  const byArea = /^(?:src\/resources|mocks\/(?:state|routes|seed))\//
  const files = all.filter(({ path }) => !byArea.test(path) && !path.endsWith('/index.ts'))
  const count = (name: string) => files.filter(({ path }) => basename(path) === name).length
  const ambiguous = files.filter(({ path }) => count(basename(path)) > 1)
  expect(ambiguous.length).toBeGreaterThan(20)
  expect(ambiguous.filter(({ text }) => !/^(?:\/\/ |\/\*\*)/.test(text)).map(({ path }) => path)).toEqual([])
})

test('shared test modules clean up with onTestFinished, because their hooks run for the first file of a worker only', () => {
  const shared = sources('test').filter(({ path }) => !/\.test\.ts$|^test\/(?:clean-process|patience)\.ts$/.test(path))
  expect(shared.length).toBeGreaterThan(50)
  expect(shared.filter(({ text }) => /^(?:before|after)(?:Each|All)\(/m.test(text)).map(({ path }) => path)).toEqual([])
})

test.each([
  ['an enum, which a const object and a union replace', /^\s*(?:export )?(?:const )?enum\s/m],
  ['a namespace', /^\s*(?:export )?(?:declare )?namespace\s/m],
  ['a default export', /^export default\b/m],
  ['an `export *`, which hides the exported names', /^export \*/m],
  ['`any`', /(?::|as|<|\||&)\s*any\b(?![-\w' ]*[a-z])/],
  ['an ignored compiler error', /@ts-(?:ignore|nocheck)/],
  ['a TODO', /\b(?:TODO|FIXME|XXX)\b/],
  ['a semicolon at the end of a line of code', /^(?!\s*(?:\*|\/\/)).*[^;];$/m],
])('no source file has %s', (_, pattern) => {
  expect(all.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([])
})
