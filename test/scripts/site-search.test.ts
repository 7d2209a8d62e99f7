import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createIndex, find, type Row, readIndex } from '../../scripts/docs/site/find'
import { firstSentences, keywordsIn, plainText, sectionsOf } from '../../scripts/docs/site/markdown'
import { NAVIGATION, PLAYGROUND, pagesOf } from '../../scripts/docs/site/navigation'
import { HELD_OUT, LATER_SEARCHES, SEARCHES } from '../../scripts/docs/site/search-words'
import { OF_FIELDS } from '../../scripts/docs/site/search-words-of-fields'
import { OF_OTHERS } from '../../scripts/docs/site/search-words-of-others'

const row = (title: string, more: Partial<Row> = {}): Row => ({
  title,
  url: title,
  where: '',
  kind: 'guide',
  about: '',
  weight: 1,
  ...more,
})

const index = createIndex([
  row('Sign in with a password', { keywords: 'login, log on, basic auth' }),
  row('Requests: cancelling', {
    url: 'requests#cancelling',
    keywords: 'abort, rate-limit',
    text: 'Pass a signal to end a call.',
  }),
  row('Languages', { keywords: 'i18n, translate', text: 'All texts for users.' }),
  row('TanStack Query', { code: 'useQuery(queries.relationships.list())' }),
  row('Errors', { headings: 'Stacks. Logs' }),
  row('Token stores', { text: 'Where a token is kept, over a WebSocket as well.' }),
  row('WebStorage', { name: 'WebStorage', kind: 'interface', weight: 0.3 }),
  row('Client', { name: 'Client', kind: 'class', weight: 0.3 }),
  row('A client of parts', { text: 'A client with less.' }),
])
const first = (search: string) => find(index, search)[0]?.title

describe('the search of the documentation site', () => {
  test.each([
    ['cancel', 'Requests: cancelling', 'another ending of a word'],
    ['abort', 'Requests: cancelling', 'a keyword'],
    ['login', 'Sign in with a password', 'another keyword'],
    ['log in', 'Sign in with a password', 'two words for a keyword'],
    ['log-on', 'Sign in with a password', 'a hyphen for a space'],
    ['ratelimits', 'Requests: cancelling', 'one word for a keyword with a hyphen, in another number'],
    ['pasword reset', 'Sign in with a password', 'a misspelt word next to another'],
    ['naïve i18n', 'Languages', 'a word with an accent next to a keyword'],
    ['how do I translate it?', 'Languages', 'a question'],
    ['useQuery', 'TanStack Query', 'a name in code'],
    ['storage', 'WebStorage', 'a part of a name'],
    ['websock', 'Token stores', 'the start of a word'],
    ['pasword', 'Sign in with a password', 'a word with a spelling error'],
    ['tokenstores', 'Token stores', 'two words for one'],
    ['kepttoken', 'Token stores', 'two words for one, of a text'],
    ['basic', 'Sign in with a password', 'the start of a keyword'],
    ['Client', 'Client', 'the exact name of a class'],
    ['client', 'A client of parts', 'a word that is also the name of a class'],
    ['stack trace', 'Errors', 'a word that is also a part of a product name'],
  ])('"%s" finds "%s" first: %s', (search, title) => {
    expect(first(search)).toBe(title)
  })

  test('a search of no words, of unknown words and of stop words finds nothing or little, and throws nothing', () => {
    expect(['', ' ', '?!', 'qqqqqqqq'].flatMap((search) => find(index, search))).toEqual([])
    expect(() => find(index, 'the')).not.toThrow()
    expect(() => find(index, 'constructor __proto__ toString')).not.toThrow()
  })

  test('an index that was written as JSON finds the same', () => {
    const read = readIndex(JSON.parse(JSON.stringify(index)))
    expect(find(read, 'sign in')).toEqual(find(index, 'sign in'))
  })

  test('no list of searches has one twice', () => {
    const words = [...SEARCHES, ...LATER_SEARCHES, ...HELD_OUT, ...OF_FIELDS, ...OF_OTHERS].map(([search]) => search)
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    expect([SEARCHES.length, LATER_SEARCHES.length, HELD_OUT.length]).toEqual([100, 40, 40])
  })
})

test('the menu has eight groups, from the start to the reference', () => {
  expect(NAVIGATION.map(({ title }) => title)).toEqual([
    'Start',
    'Sign-in',
    'Live data',
    'Components',
    'Testing',
    'Servers',
    'Operating',
    'Reference',
  ])
  const names = pagesOf().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(NAVIGATION.flatMap(({ playground = [] }) => playground).sort()).toEqual(Object.keys(PLAYGROUND).sort())
})

test('the plugin and the theme of the site have at most 400 lines', () => {
  const files = ['typedoc-plugin.js', 'site/theme.js']
  const lines = files.flatMap((file) =>
    readFileSync(new URL(`../../scripts/docs/${file}`, import.meta.url), 'utf8').split('\n'),
  )
  expect(lines.length).toBeLessThanOrEqual(400)
})

test('a Markdown text is split at its headings, and fences are code', () => {
  expect(sectionsOf('# One\ntext\n```sh\n# no heading\n```\n## Two')).toEqual([
    { level: 1, heading: '', text: '', code: '' },
    { level: 1, heading: 'One', text: 'text\n', code: '# no heading\n' },
    { level: 2, heading: 'Two', text: '', code: '' },
  ])
})

test('the keywords of a page and of its sections are below the same headings, and may have several lines', () => {
  expect([...keywordsIn('# Sign-in\n\nlog in,\nlog on\n\n## `a` code\n\ntotp\n')]).toEqual([
    ['Sign-in', 'log in, log on'],
    ['`a` code', 'totp'],
  ])
})

test('the prose of a Markdown text has no marks, links and comments', () => {
  expect(plainText('<!-- a --> **Bold** [`code`](x.md), {@link Client | the client}')).toBe('Bold code, the client')
})

test('a description is the first paragraph, cut at a sentence or at a word', () => {
  expect(firstSentences('```ts\ncode.\n```\n\nOne sentence.\n\nAnother.')).toBe('One sentence.')
  expect(firstSentences('| name | unit. |\n|---|---|\n\nBelow the table.')).toBe('Below the table.')
  const long = 'A sentence that has more than forty characters in it. And a second one, which is too long.'
  expect(firstSentences(long, 60)).toBe('A sentence that has more than forty characters in it.')
  expect(firstSentences(`${'word '.repeat(30)}.`, 22)).toBe('word word word word…')
})
