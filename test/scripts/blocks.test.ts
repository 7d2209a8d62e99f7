import { describe, expect, test } from 'vitest'
import { commentBlocks, freeNames, markdownBlocks } from '../../scripts/docs/blocks'
import { expectedOutput } from '../../scripts/docs/expected-output'

const fenced = (info: string, ...lines: string[]) => [`\`\`\`${info}`, ...lines, '```'].join('\n')

describe('the blocks of a guide', () => {
  test('are the ts fences, with the line of their first line of code', () => {
    const text = ['# Title', '', fenced('sh', 'npm ci'), '', fenced('ts', 'const a = 1', 'a')].join('\n')
    expect(markdownBlocks('README.md', text)).toEqual([
      { file: 'README.md', line: 8, code: 'const a = 1\na', output: undefined, runs: true },
    ])
  })

  test('carry the output that follows directly', () => {
    const text = `${fenced('ts', 'console.log(1)')}\n\n${fenced('text output', '1')}`
    expect(markdownBlocks('README.md', text)).toMatchObject([{ code: 'console.log(1)', output: '1' }])
  })

  test('do not run when a comment says that they are for a browser only', () => {
    const text = `<!-- browser only -->\n\n${fenced('ts', 'document.title')}\n\n${fenced('ts', '1')}`
    expect(markdownBlocks('README.md', text).map((block) => block.runs)).toEqual([false, true])
  })

  test.each(['ts no-check', 'typescript', 'js', 'tsx'])('cannot escape as "%s"', (info) => {
    expect(() => markdownBlocks('README.md', fenced(info, '1'))).toThrow(`README.md:1 is fenced as "${info}"`)
  })

  test('cannot have an output without a block right above', () => {
    const text = `${fenced('ts', '1')}\nIt prints:\n${fenced('text output', '1')}`
    expect(() => markdownBlocks('README.md', text)).toThrow('README.md:5 is the output of no block')
  })

  test('cannot be left open', () => {
    expect(() => markdownBlocks('README.md', '```ts\n1')).toThrow('README.md:1 opens a block that nothing closes')
  })
})

describe('the blocks of a source file', () => {
  test('are found in its TSDoc comments, with their lines', () => {
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

  test('are the examples that are code as a whole', () => {
    const text = '/**\n * Lists.\n * @example\n * list(`1`)\n * @returns all\n */\n/** @example list(2) */'
    expect(commentBlocks('src/list.ts', text)).toMatchObject([
      { file: 'src/list.ts', line: 3, code: '\nlist(`1`)\n' },
      { file: 'src/list.ts', line: 7, code: ' list(2) ' },
    ])
  })
})

describe('the names that a block is given', () => {
  test('are those it uses and does not declare', () => {
    expect(freeNames('await client.list(user)', ['client', 'user', 'service'])).toEqual(['client', 'user'])
    expect(freeNames('const client = create()\nclient.user', ['client', 'user'])).toEqual([])
    expect(freeNames("import { user } from 'users'\nuser", ['user'])).toEqual([])
    expect(freeNames('send({ user: 1, client })', ['client', 'user'])).toEqual(['client'])
  })
})

describe('an expected output', () => {
  test('matches itself, and … anything within a line', () => {
    expect(expectedOutput('a (b)\nc').test('a (b)\nc\n')).toBe(true)
    expect(expectedOutput('took … ms').test('took 12.5 ms')).toBe(true)
    expect(expectedOutput('took … ms').test('took 1\n2 ms')).toBe(false)
    expect(expectedOutput('a').test('a\nb')).toBe(false)
  })
})
