import { toHtml } from 'rapport-sdk/preview'
import { test } from 'vitest'
import { expectLinearTime } from '../cpu-time'

/** Strings that could make a parser slow if they are repeated. */
const PIECES = [
  ...['*', '**', '**a', '*a ', ' *a', 'a*', '_', '__a', 'a_', '~~', '||', '||a', '`', '`a``b```c', '\\', '\\*'],
  ...[
    '[',
    '](',
    '[a](',
    '[a](https://x.test/',
    '](https://x.test/',
    '[a](https://x.test)',
    '[(',
    '(',
    '[||',
    '||[a](b)',
  ],
  ...['\n', '\n\n', '# a\n', '#', '-# \n', '> ', '> a\n', '- a\n', '- ', '  - a\n', '- a\n  - a\n1. a\n', '1. a\n'],
  ...['```', '```\n', '\n```a', '```a``', '````', '***a**', '**a *b', '<', '&', '"', ' ', '\0', '😀', '\ud83d', '@'],
  ...[
    '<',
    '<@',
    '<@1',
    '<@1>',
    '<t:1',
    '<t:1:R>',
    '<:a:',
    '<:a:1>',
    '</a',
    '</a:1>',
    '<https://a',
    '<https://a>',
    '@here ',
  ],
  ...[
    'https://',
    'https://a',
    'https://a ',
    'https://a)',
    'https://a(',
    '**https://a',
    '[https://a',
    '[https://a](https://b) ',
  ],
  ...['👍', '👍🏽', '\u200d', '\ufe0f', '1\ufe0f\u20e3', '👩\u200d', '🇩', '👍a', '\u{1f3fd}'],
  ...['[a](<https://', '[a](<https://a>)', '>>> ', '>>> a\n', '> # a\n', '> ```\n', '>>> ```\n', '** a ', '__a'],
]

const run = (content: string) => toHtml({ type: 10, content })
const sizes = { small: 1_000, large: 30_000 }

/** Returns runs of backticks of every length. */
function backticks(length: number): string {
  let text = ''
  for (let run = 1; text.length < length; run++) text += `${'`'.repeat(run)} `
  return text
}

test.each(PIECES)('toHtml takes linear time for %j repeated', (piece) =>
  expectLinearTime({ make: (length) => piece.repeat(Math.ceil(length / piece.length)), run, ...sizes }),
)

test.each([
  ...[
    '"',
    "'",
    '`',
    "'\\",
    '"\\',
    '`\\',
    '/*',
    '*/',
    '//',
    '<!--',
    '#',
    '--',
    'a',
    'if ',
    '1',
    '1.',
    'a://',
    '$',
    'ü',
    '\n',
    "\\'a",
    "'a\n",
  ],
])('toHtml takes linear time for %j repeated in code', (piece) =>
  expectLinearTime({
    make: (length) => piece.repeat(Math.ceil(length / piece.length)).replaceAll('```', '` `'),
    run: (code) => ['js', 'py', 'sql'].map((language) => run(`\`\`\`${language}\n${code}\n\`\`\``)).join(''),
    ...sizes,
  }),
)

test('toHtml takes linear time for runs of backticks of every length', () =>
  expectLinearTime({ make: backticks, run, ...sizes }))
