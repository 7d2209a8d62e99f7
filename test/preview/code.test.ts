import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './render'

/** Returns the code of a fence with each token in brackets, after the first letter of its kind. */
const tokens = (language: string, code: string): string =>
  renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``)
    .replace(/^<pre tabindex="0"><code>(.*)<\/code><\/pre>$/s, '$1')
    .replace(/<span class="rp-(.)[a-z]+">(.*?)<\/span>/gs, '$1[$2]')
    .replace(/&#(\d+);/g, (_, number) => String.fromCharCode(number))

test.each([
  ['ts', "const a = 'it\\'s' // \"b\"", "k[const] a = s['it\\'s'] c[// \"b\"]"],
  ['js', '`a\n$1` /* if\nb */ if (x1 === 0x1F) {}', 's[`a\n$1`] c[/* if\nb */] k[if] (x1 === n[0x1F]) {}'],
  ['json', '{ "a": [1.5e3, true, null] }', '{ s["a"]: [n[1.5e3], k[true], k[null]] }'],
  ['py', "def f(a):  # it's\n  return a // 2", "k[def] f(a):  c[# it's]\n  k[return] a // n[2]"],
  ['sql', "SELECT a FROM b -- 'c'", "k[SELECT] a k[FROM] b c[-- 'c']"],
  ['sh', 'curl https://x.test/a # b', 'curl https://x.test/a c[# b]'],
  ['go', 'func main() { go run(&x) }', 'k[func] main() { go run(&x) }'],
  ['html', '<!-- a --><p class="b">it is</p>', 'c[<!-- a -->]<p k[class]=s["b"]>it k[is]</p>'],
  ['rust', "fn f<'a>(x: i32)", "k[fn] f<'a>(x: i32)"],
  ['ts', 'const größe = über1', 'k[const] größe = über1'],
])('in %s, the code %j has the tokens %j', (language, code, expected) => {
  expect(tokens(language, code)).toBe(expected)
})

test.each(['', 'text', 'txt', 'plain', 'md', 'log', 'diff', 'TEXT'])(
  'code in the language %j has no colours',
  (language) => {
    expect(tokens(language, "if 'a' // 1")).toBe("if 'a' // 1")
  },
)

test.each(['"a', "'a", '`a', '/* a', '// a', "'\\", '"\\'])(
  'the token %j that does not end loses no character',
  (code) => {
    expect(tokens('js', code).replace(/[sc]\[(.*)\]/s, '$1')).toBe(code)
  },
)

describe('text of emoji only', () => {
  const isLarge = (content: string) => / class="rp-text rp-large"/.test(renderAll(content))
  const renderAll = (content: string) => toHtml([{ type: 10, content }], { css: false })

  test.each([
    '👍',
    ' 🎉🎉\n🔥 ',
    '<:wave:1>',
    '<a:party:2> 👍',
    '👍🏽',
    '✌🏽',
    '👩‍⚕️',
    '👨‍👩‍👧‍👦',
    '🇩🇪',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '1️⃣',
    '❤️‍🔥',
    '☺️',
  ])('it is enlarged: %j', (content) => expect(isLarge(content)).toBe(true))

  test.each([
    'a',
    '👍 a',
    '1',
    '#',
    '',
    ' ',
    '**👍**',
    '<@1>',
    '<:wave:>',
    '\u200d',
    '©',
    ':wave:',
    `${'👍'.repeat(300)}`,
  ])('the text %j is not enlarged', (content) => expect(isLarge(content)).toBe(false))

  test('the content of a legacy message is enlarged, too', () => {
    expect(toHtml({ content: '🎉' }, { css: false })).toContain('rp-large')
  })
})
