import { describe, expect, test } from 'vitest'
import { renderLine, renderMarkdown } from './render'

const REL = 'dir="auto" target="_blank" rel="noreferrer"'
const link = (url: string) => `<a href="${url.replaceAll('&', '&#38;')}" ${REL}>${url.replaceAll('&', '&#38;')}</a>`
const spoiler = (content: string) =>
  `<details class="rp-hidden"><summary>Spoiler</summary><span>${content}</span></details>`

describe('inline marks', () => {
  test.each([
    ['**bold**', '<strong>bold</strong>'],
    ['*italic*', '<em>italic</em>'],
    ['_italic_', '<em>italic</em>'],
    ['__underlined__', '<u>underlined</u>'],
    ['~~struck~~', '<s>struck</s>'],
    ['||hidden||', spoiler('hidden')],
    ['***both***', '<strong><em>both</em></strong>'],
    ['**a *b***', '<strong>a <em>b</em></strong>'],
    ['*a **b***', '<em>a <strong>b</strong></em>'],
    ['*a **b** c*', '<em>a <strong>b</strong> c</em>'],
    ['___both___', '<u><em>both</em></u>'],
    ['||**a** b||', spoiler('<strong>a</strong> b')],
    ['**a\nb**', '<strong>a<br>b</strong>'],
    ['`a *b* <c>`', '<code>a *b* &#60;c&#62;</code>'],
    ['``a ` b``', '<code>a ` b</code>'],
    ['one\ntwo\n\nthree', 'one<br>two<br><br>three'],
    ['** bold **', '<strong> bold </strong>'],
    ['__ under __', '<u> under </u>'],
    ['a__b__c', 'a<u>b</u>c'],
  ])('%j renders as %j', (text, html) => {
    expect(renderLine(text)).toBe(html)
  })

  test.each([
    ['2 * 3 * 4'],
    ['snake_case_name'],
    ['a **b'],
    ['a** b'],
    ['****'],
    ['||||'],
    ['a ` b'],
    [':wave: a@b.test'],
    ['a * b * c'],
    ['@everyones'],
    ['https://'],
    ['http:// a'],
    ['[text]'],
    ['[a](b c)'],
  ])('%j is rendered unchanged', (text) => {
    expect(renderLine(text)).toBe(text)
  })

  test('a backslash escapes a mark and nothing else', () => {
    expect(renderLine('\\*a\\* \\[b\\] \\\\ \\n')).toBe('*a* [b] \\ \\n')
  })

  test('a mark that is not closed within another mark is text', () => {
    expect(renderLine('**a *b** c*')).toBe('<strong>a *b</strong> c*')
  })
})

describe('links', () => {
  test('open a new page', () => {
    expect(renderLine('[a *b*](https://example.test/c)')).toBe(
      `<a href="https://example.test/c" ${REL}>a <em>b</em></a>`,
    )
  })

  test('the URL of a link may contain pairs of parentheses', () => {
    expect(renderLine('([a](http://x.test/b_(c)))')).toBe(`(<a href="http://x.test/b_(c)" ${REL}>a</a>)`)
  })

  test.each(['javascript:alert(1)', 'data:text/html,a', 'JAVASCRIPT:a', '//x.test', 'vbscript:a', '/a'])(
    '%j is not rendered as a link',
    (url) => {
      expect(renderLine(`[a](${url})`)).toBe(`[a](${url})`)
    },
  )

  test('a URL of 2048 characters is rendered as a link, and a longer one is not', () => {
    const url = `https://x.test/${'a'.repeat(2048 - 'https://x.test/'.length)}`
    expect(renderLine(`[a](${url})`)).toBe(`<a href="${url}" ${REL}>a</a>`)
    expect(renderLine(`[a](${url}b)`)).toBe(`[a](${url}b)`)
    expect(renderLine(url)).toBe(link(url))
    expect(renderLine(`${url}b`)).toBe(`${url}b`)
  })

  test.each([
    ['see https://x.test/a.', `see ${link('https://x.test/a')}.`],
    ['(https://x.test/b_(c))', `(${link('https://x.test/b_(c)')})`],
    ['"http://x.test", b', `&#34;${link('http://x.test')}&#34;, b`],
    ['<https://x.test/a>', link('https://x.test/a')],
    ['https://x.test/a_b_c*d?e=%20&f', link('https://x.test/a_b_c*d?e=%20&f')],
    ['**https://x.test/a**', `<strong>${link('https://x.test/a')}</strong>`],
    ['*b https://x.test*', `<em>b ${link('https://x.test')}</em>`],
    ['_b https://x.test/a_b_', `<em>b ${link('https://x.test/a_b')}</em>`],
    ['||https://x.test||', spoiler(link('https://x.test'))],
    ['[https://x.test]', `[${link('https://x.test')}]`],
    ['https://x.test<b>', `${link('https://x.test')}&#60;b&#62;`],
    ['`https://x.test`', '<code>https://x.test</code>'],
    ['\\https://x.test', `\\${link('https://x.test')}`],
  ])('the bare URL in %j is rendered as %j', (text, html) => {
    expect(renderLine(text)).toBe(html)
  })

  test('they are rendered if the URL is in angle brackets', () => {
    expect(renderLine('[a](<https://x.test/b_(c>) d')).toBe(`<a href="https://x.test/b_(c" ${REL}>a</a> d`)
    expect(renderLine('[a](<javascript:b>)')).toBe('[a](&#60;javascript:b&#62;)')
  })

  test('a URL as the text of a link to another URL shows both', () => {
    expect(renderLine('[https://x.test](https://y.test)')).toBe(
      `[${link('https://x.test')}](${link('https://y.test')})`,
    )
  })

  test('they are not rendered inside a link', () => {
    expect(renderLine('[a [b](https://x.test) c](https://y.test)')).toBe(
      `[a <a href="https://x.test" ${REL}>b</a> c](${link('https://y.test')})`,
    )
  })

  test('they are not rendered around a spoiler, but inside it', () => {
    expect(renderLine('[a ||b||](https://x.test)')).toBe(`[a ${spoiler('b')}](${link('https://x.test')})`)
    expect(renderLine('||[a](https://x.test)||')).toBe(spoiler(`<a href="https://x.test" ${REL}>a</a>`))
  })
})

test.each([
  ['# One', '<h1>One</h1>'],
  ['## *Two*', '<h2><em>Two</em></h2>'],
  ['### Three', '<h3>Three</h3>'],
  ['-# small', '<small>small</small>'],
  ['#### four', '<div>#### four</div>'],
  ['#none', '<div>#none</div>'],
  ['> a\n> b', '<blockquote><div>a<br>b</div></blockquote>'],
  ['> a\nb', '<blockquote><div>a</div></blockquote><div>b</div>'],
  ['> # a\n> - b\n> c', '<blockquote><h1>a</h1><ul><li>b</li></ul><div>c</div></blockquote>'],
  ['> ```\n> a\n> ```', '<blockquote><pre tabindex="0"><code>a</code></pre></blockquote>'],
  ['> > a', '<blockquote><div>&#62; a</div></blockquote>'],
  ['a\n>>> b\n\n# c\n> d', '<div>a</div><blockquote><div>b<br></div><h1>c</h1><div>&#62; d</div></blockquote>'],
  ['>_<', '<div>&#62;_&#60;</div>'],
  ['>a', '<div>&#62;a</div>'],
  ['>>>a', '<div>&#62;&#62;&#62;a</div>'],
  ['>> a', '<div>&#62;&#62; a</div>'],
  ['```js\na < b\n```', '<pre tabindex="0"><code>a &#60; b</code></pre>'],
  ['```\nif a\nend\n```', '<pre tabindex="0"><code>if a\nend</code></pre>'],
  ['```a```', '<pre tabindex="0"><code>a</code></pre>'],
  ['```\n# a\n- b\n```', '<pre tabindex="0"><code># a\n- b</code></pre>'],
  ['```\na', '<div>```<br>a</div>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['* a', '<ul><li>a</li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  ['- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  ['- a\n        - b', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['- a\n1. b', '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'],
  ['a\n\n- b', '<div>a<br></div><ul><li>b</li></ul>'],
  ['a\n# b\nc', '<div>a</div><h1>b</h1><div>c</div>'],
])('the block %j renders as %j', (text, html) => {
  expect(renderMarkdown(text)).toBe(html)
})
