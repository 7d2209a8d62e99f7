import fc from 'fast-check'
import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { runs } from '../fuzz/runs'
import { marked, shown } from './body'
import { hostileText, hostileTree, PAYLOADS } from './hostile-trees'

const ELEMENTS =
  'a|blockquote|br|button|code|details|div|em|fieldset|h1|h2|h3|hr|img|input|label|legend|li|ol|option|path|pre|rect|s|section|select|small|span|strong|summary|svg|textarea|u|ul'
const ATTRIBUTES =
  'alt|aria-describedby|aria-hidden|aria-label|checked|class|d|data-theme|dir|disabled|fill|for|form|height|href|id|loading|maxlength|minlength|multiple|name|placeholder|referrerpolicy|rel|required|rows|selected|size|src|start|tabindex|target|type|value|viewBox|width'
/** A tag that a preview may have, with attributes that it may have, each in double quotes. */
const TAG = new RegExp(`</?(?:${ELEMENTS})(?: (?:${ATTRIBUTES})="[^"<>]*")*>`, 'g')

/** What is left of HTML when all tags that may be there are taken out. */
const leftOf = (html: string): string => html.replace(TAG, '')

/** Closed in the order in which they were opened, as a parser wants them. */
function isNested(html: string): boolean {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)/g)) {
    if (/^(?:br|hr|img|input)$/.test(name)) continue
    if (!slash) open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}

test('hostile trees become tags that may be there, and text without a bracket or a quote', () => {
  fc.assert(
    fc.property(hostileTree, (tree) => {
      const html = toHtml(tree, { css: false, attachmentUrl: (name) => name })
      expect(leftOf(html)).not.toMatch(/[<>"'\0]/)
      expect(isNested(html)).toBe(true)
      const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, url = '']) => url)
      expect(links.filter((url) => !/^(?:https?:\/\/|data:image\/)/i.test(url))).toEqual([])
      expect([...html.matchAll(/ href="(?!https?:\/\/)/gi)]).toEqual([])
    }),
    runs(2),
  )
})

test('whatever marks a text has, elements end within those in which they began', () => {
  const marks = [
    '*',
    '**',
    '_',
    '__',
    '~~',
    '||',
    '`',
    '[',
    '](https://x.test)',
    '\n',
    ' ',
    'a',
    '\n- ',
    '\n  - ',
    '\n# ',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 20 }), (parts) => {
      const html = marked(parts.join(''))
      expect(isNested(html)).toBe(true)
      expect(html).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<(?:a|details) /s)
    }),
    runs(30),
  )
})

test('a text stays the text that it was, where Markdown has no say', () => {
  fc.assert(
    fc.property(hostileText, (label) => {
      const html = shown({ type: 2, style: 1, label: `a${label}a` })
      const text = /<span>(.*)<\/span>/s.exec(html)?.[1] ?? ''
      const back = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      expect(back).toBe(`a${label}a`.replaceAll('\0', '\ufffd'))
    }),
    runs(2),
  )
})

test.each(PAYLOADS)('an attachment of the name %j leads nowhere else', (name) => {
  const file = shown({ type: 13, file: { url: `attachment://${name}` } }, { attachmentUrl: String })
  expect(leftOf(file)).not.toMatch(/[<>"']/)
  expect(file).not.toMatch(/ href="(?!https?:\/\/)/i)
})

describe('no payload gets through', () => {
  test.each(PAYLOADS)('%j', (payload) => {
    for (const field of ['content', 'label', 'placeholder', 'value', 'name', 'sku_id', 'description']) {
      for (const type of [2, 3, 4, 10, 13, 18]) {
        const component = { type: 3, custom_id: payload, options: [{ label: payload, value: payload }] }
        expect(leftOf(shown({ type, style: 6, component, [field]: payload }))).not.toMatch(/[<>"']/)
      }
    }
  })
})
