import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tableOf, versionsOf, withTable } from '../../scripts/interop/table'
import { ASYNCAPI_PARSER, GENERATORS, PRISM, SPECTRAL, SWAGGER_PARSER } from '../../scripts/interop/tools'

const guide = readFileSync('docs/guides/other-tools.md', 'utf8')

test('the guide has a result of every tool, with the version that `npm run interop` installs', () => {
  for (const { packages } of [SPECTRAL, SWAGGER_PARSER, PRISM, ASYNCAPI_PARSER, ...GENERATORS]) {
    expect(guide).toContain(`| ${versionsOf(packages)} | `)
  }
})

test('the table names the packages of a tool once per version, and not the compiler', () => {
  const packages = { 'a-core': '1.0.0', 'a-cli': '1.0.0', 'a-fetch': '0.2.0', typescript: '5.9.3' }
  expect(tableOf([[{ name: 'a', packages }, 'works']])).toBe(
    '| tool | result |\n|---|---|\n| a-core 1.0.0, a-fetch 0.2.0 | works |',
  )
})

test('only the text between the markers of the guide is replaced', () => {
  const text = 'before\n<!-- interop -->\nold\n<!-- /interop -->\nafter'
  expect(withTable(text, 'new')).toBe('before\n<!-- interop -->\nnew\n<!-- /interop -->\nafter')
  expect(() => withTable('no markers', 'new')).toThrow('no <!-- interop -->')
})
