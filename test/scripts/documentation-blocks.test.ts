import { describe, expect, test } from 'vitest'
import { commentBlocks, freeNames, markdownBlocks } from '../../scripts/docs/blocks'
import { expectedOutput } from '../../scripts/docs/expected-output'

const fenced = (info: string, ...lines: string[]) => [`\`\`\`${info}`, ...lines, '```'].join('\n')

describe('blocks of a guide', () => {
  test('they are its ts fences, with the number of their first line', () => {
    const text = ['# Title', '', fenced('sh', 'npm ci'), '', fenced('ts', 'const a = 1', 'a')].join('\n')
    expect(markdownBlocks('README.md', text)).toEqual([
      { language: 'ts', file: 'README.md', line: 8, code: 'const a = 1\na', output: undefined, runs: true },
    ])
  })

  test('a block may contain JSX', () => {
    expect(markdownBlocks('README.md', fenced('tsx', '<b>{user.id}</b>'))).toMatchObject([{ language: 'tsx' }])
    expect(freeNames('<b>{user.id}</b>', ['user', 'b'], 'tsx')).toContain('user')
  })

  test('a block has the output fence that directly follows it', () => {
    const text = `${fenced('ts', 'console.log(1)')}\n\n${fenced('text output', '1')}`
    expect(markdownBlocks('README.md', text)).toMatchObject([{ code: 'console.log(1)', output: '1' }])
  })

  test('a block after the comment "browser only" does not run', () => {
    const text = `<!-- browser only -->\n\n${fenced('ts', 'document.title')}\n\n${fenced('ts', '1')}`
    expect(markdownBlocks('README.md', text).map((block) => block.runs)).toEqual([false, true])
  })

  test.each(['ts no-check', 'typescript', 'js', 'jsx'])('a code fence "%s" is rejected', (info) => {
    expect(() => markdownBlocks('README.md', fenced(info, '1'))).toThrow(`README.md:1 is fenced as "${info}"`)
  })

  test('an output fence without a block directly above is rejected', () => {
    const text = `${fenced('ts', '1')}\nIt prints:\n${fenced('text output', '1')}`
    expect(() => markdownBlocks('README.md', text)).toThrow('README.md:5 is an output without a block directly above')
  })

  test('a fence that is not closed is rejected', () => {
    expect(() => markdownBlocks('README.md', '```ts\n1')).toThrow('README.md:1 opens a block that is not closed')
  })
})

describe('blocks of a source file', () => {
  test('they are the fences of its TSDoc comments, with their lines', () => {
    const text = [
      'const before = 1',
      '/**',
      ' * Lists.',
      ' *',
      ' * @example',
      ' * ```ts',
      ' * list(',
      ' *   1,',
      ' * )',
    ]
    expect(commentBlocks('src/list.ts', [...text, ' * ```', ' */'].join('\n'))).toMatchObject([
      { file: 'src/list.ts', line: 7, code: 'list(\n  1,\n)' },
    ])
  })

  test('an @example without a fence is a block', () => {
    const text = '/**\n * Lists.\n * @example\n * list(`1`)\n * @returns all\n */\n/** @example list(2) */'
    expect(commentBlocks('src/list.ts', text)).toMatchObject([
      { file: 'src/list.ts', line: 3, code: '\nlist(`1`)\n' },
      { file: 'src/list.ts', line: 7, code: ' list(2) ' },
    ])
  })
})

test('the free names of a block are those it uses and does not declare', () => {
  expect(freeNames('await client.list(user)', ['client', 'user', 'service'])).toEqual(['client', 'user'])
  expect(freeNames('const client = create()\nclient.user', ['client', 'user'])).toEqual([])
  expect(freeNames("import { user } from 'users'\nuser", ['user'])).toEqual([])
  expect(freeNames('send({ user: 1, client })', ['client', 'user'])).toEqual(['client'])
})

test('an expected output matches itself, and … matches anything within a line', () => {
  expect(expectedOutput('a (b)\nc').test('a (b)\nc\n')).toBe(true)
  expect(expectedOutput('took … ms').test('took 12.5 ms')).toBe(true)
  expect(expectedOutput('took … ms').test('took 1\n2 ms')).toBe(false)
  expect(expectedOutput('a').test('a\nb')).toBe(false)
})
