import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { sources, textOf } from './sources'

const docstrings = sources('src').flatMap(({ text }) => text.match(/@example[\s\S]*?\*\//g) ?? [])
const guides = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
const examples = [
  ...sources('examples').map(({ text }) => text),
  ...docstrings,
  textOf('README.md'),
  ...guides.map((name) => textOf(`docs/${name}`)),
].join('\n')

test.each(ENDPOINT_TABLE)('the endpoint $name has an example', ({ call }) => {
  const method = call.replace('client', '')
  expect(examples.includes(`${method}(`), `no example calls ${call}`).toBe(true)
})
