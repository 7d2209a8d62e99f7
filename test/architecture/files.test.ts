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

test('files are named in kebab-case, after what is in them', () => {
  const names = all.flatMap(({ path }) => path.split('/'))
  expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.ts)?$/.test(name))).toEqual([])
  expect(names.filter((name) => /^(?:utils?|helpers?|common|misc|shared)(?:\.ts)?$/.test(name))).toEqual([])
})

test('shared modules of tests clean up by onTestFinished, since a worker runs a hook of theirs for its first file only', () => {
  const shared = sources('test').filter(({ path }) => !/\.test\.ts$|^test\/clean-process\.ts$/.test(path))
  expect(shared.length).toBeGreaterThan(50)
  expect(shared.filter(({ text }) => /^(?:before|after)(?:Each|All)\(/m.test(text)).map(({ path }) => path)).toEqual([])
})

describe('no file has', () => {
  test.each([
    ['an enum: const objects and unions do', /^\s*(?:export )?(?:const )?enum\s/m],
    ['a namespace', /^\s*(?:export )?(?:declare )?namespace\s/m],
    ['a default export', /^export default\b/m],
    ['an `export *`: what is exported is named', /^export \*/m],
    ['`any`', /(?::|as|<|\||&)\s*any\b(?![-\w' ]*[a-z])/],
    ['a compiler error that is ignored', /@ts-(?:ignore|nocheck)/],
    ['a TODO', /\b(?:TODO|FIXME|XXX)\b/],
    ['a semicolon at the end of a line of code', /^(?!\s*(?:\*|\/\/)).*[^;];$/m],
  ])('%s', (_, pattern) => {
    expect(all.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([])
  })
})
