import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'

const SMALL = 10_000
const LARGE = 1_000_000
/** Linear is 100, quadratic 10 000. */
const MOST = 1500

/** Pieces that keep something busy when there are many of them. */
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
]

/** How long a preview takes: the best of some runs. */
function timeOf(content: string, times: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let index = 0; index < times; index++) {
    const startedAt = performance.now()
    toHtml({ type: 10, content })
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}

describe('a text of a million characters takes about a hundred times as long as one of ten thousand:', () => {
  test.each(PIECES)('%j', { timeout: 60_000 }, (piece) => {
    const textOf = (length: number) => piece.repeat(Math.ceil(length / piece.length))
    timeOf(textOf(SMALL), 1)
    const small = Math.max(0.1, timeOf(textOf(SMALL), 5))
    expect(timeOf(textOf(LARGE), 1) / small).toBeLessThan(MOST)
  })

  test('runs of backticks of every length', { timeout: 60_000 }, () => {
    const textOf = (length: number) => {
      let text = ''
      for (let run = 1; text.length < length; run++) text += `${'`'.repeat(run)} `
      return text
    }
    const small = Math.max(0.1, timeOf(textOf(SMALL), 5))
    expect(timeOf(textOf(LARGE), 1) / small).toBeLessThan(MOST)
  })
})
