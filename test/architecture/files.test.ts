import { describe, expect, test } from 'vitest'
import { sources } from './sources'

const all = ['src', 'mocks'].flatMap(sources)

test('no file is longer than 400 lines', () => {
  const long = [...all, ...['examples', 'test', 'bench'].flatMap(sources)].map(({ path, text }) => ({
    path,
    lines: text.trimEnd().split('\n').length,
  }))
  expect(long.filter(({ lines }) => lines > 400)).toEqual([])
})

test('file names are kebab-case and say what is in the file', () => {
  const names = all.flatMap(({ path }) => path.split('/'))
  expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.ts)?$/.test(name))).toEqual([])
  expect(names.filter((name) => /^(?:utils?|helpers?|common|misc|shared)(?:\.ts)?$/.test(name))).toEqual([])
})

test('shared test modules clean up with onTestFinished, because their hooks run for the first file of a worker only', () => {
  const shared = sources('test').filter(({ path }) => !/\.test\.ts$|^test\/(?:clean-process|patience)\.ts$/.test(path))
  expect(shared.length).toBeGreaterThan(50)
  expect(shared.filter(({ text }) => /^(?:before|after)(?:Each|All)\(/m.test(text)).map(({ path }) => path)).toEqual([])
})

describe('forbidden syntax', () => {
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
})
