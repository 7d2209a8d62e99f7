import { describe, expect, test } from 'vitest'
import { anchorsOf, brokenLinks, type Lookup, linksOf } from '../../scripts/docs/links'

describe('links of a text', () => {
  test('they are those of Markdown, of references and of HTML', () => {
    const text = '[a](one.md) and ![b](two.png "Two")\n[c]: three.md\n<img src="four.png"><source srcset="five.png 2x">'
    expect(linksOf(text)).toEqual([
      { line: 1, target: 'one.md' },
      { line: 1, target: 'two.png' },
      { line: 2, target: 'three.md' },
      { line: 3, target: 'four.png' },
      { line: 3, target: 'five.png' },
    ])
  })

  test('code contains no links', () => {
    expect(linksOf('`[a](b)`\n```ts\ncall[0](one)\n```\n[c](d)')).toEqual([{ line: 5, target: 'd' }])
  })
})

describe('anchors of a text', () => {
  test('anchors are the headings in lower case, with hyphens and without punctuation', () => {
    expect(anchorsOf('# B. Login\n## What `a_b` is?\n### Two  – words')).toEqual([
      'b-login',
      'what-a_b-is',
      'two---words',
    ])
  })

  test('the anchors of equal headings are numbered', () => {
    expect(anchorsOf('# A\n## A\n```sh\n# A\n```\n## A')).toEqual(['a', 'a-1', 'a-2'])
  })
})

describe('broken links', () => {
  const files = new Map<string, string | true>([
    ['docs/guides/errors.md', '# Errors\n## Forms'],
    ['examples', true],
  ])
  const lookup: Lookup = (path) => files.get(path)
  const broken = (target: string) => brokenLinks('docs/interface.md', `# Here\n[a](${target})`, lookup)

  test.each(['guides/errors.md', 'guides/errors.md#forms', '#here', '../examples', 'https://example.test/#x'])(
    'a link to %s is valid',
    (target) => {
      expect(broken(target)).toEqual([])
    },
  )

  test.each([
    ['errors.md', 'which does not exist'],
    ['guides/errors.md#form', 'which has no such heading'],
    ['#there', 'which has no such heading'],
    ['../examples#a', 'which has no headings'],
    ['../../docs/errors.md', 'which does not exist'],
  ])('a link to %s is reported: %s', (target, why) => {
    expect(broken(target)).toEqual([`docs/interface.md:2 links to ${target}, ${why}`])
  })
})
