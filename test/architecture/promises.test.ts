import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './sources'

const promises = new URL('../../docs/promises.md', import.meta.url)
const text = readFileSync(promises, 'utf8')

test('docs/promises.md links at least one test file from every promise', () => {
  const items = text.split(/^(?=\d+\. )/m).slice(1)
  expect(items).toHaveLength(43 + 18)
  expect(items.filter((item) => !/\]\(\.\.\/test\/[^)]+\.test\.ts\)/.test(item))).toEqual([])
})

test('docs/promises.md links only files that exist', () => {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(new URL(link, promises)))).toEqual([])
})

test('no test title begins with the bare number of a promise', () => {
  const numbered = sources('test').filter(({ text }) =>
    /\b(?:it|test|describe)\b[^'"`\n]*\(\s*['"`]\d{1,2}\. /.test(text),
  )
  expect(numbered.map(({ path }) => path)).toEqual([])
})
