import fc from 'fast-check'
import { toHtml } from 'rapport-sdk/preview'
import { expect, test } from 'vitest'
import { runs } from '../fuzz/arbitraries'
import { hostileEmbed, hostileText, hostileTree, PAYLOADS } from './hostile-input'
import { render, renderBody, renderMarkdown } from './render'

const ELEMENTS =
  'a|blockquote|br|button|code|details|div|em|fieldset|h1|h2|h3|hr|img|input|label|legend|li|ol|option|path|pre|rect|s|section|select|small|span|strong|summary|svg|textarea|time|u|ul'
const ATTRIBUTES =
  'alt|aria-describedby|aria-hidden|aria-label|checked|class|d|data-theme|datetime|dir|disabled|fill|for|form|height|href|id|loading|maxlength|minlength|multiple|name|placeholder|referrerpolicy|rel|required|rows|selected|size|src|start|tabindex|target|title|type|value|viewBox|width'
/** An allowed tag with allowed attributes, each in double quotes. */
const TAG = new RegExp(`</?(?:${ELEMENTS})(?: (?:${ATTRIBUTES})="[^"<>]*")*>`, 'g')

/** Returns HTML without its allowed tags. */
const removeTags = (html: string): string => html.replace(TAG, '')

/** Whether each tag is closed in the element in which it was opened. */
function isWellNested(html: string): boolean {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)/g)) {
    if (/^(?:br|hr|img|input)$/.test(name)) continue
    if (!slash) open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}

test('a preview of hostile components has only allowed tags, and text without brackets and quotes', () => {
  fc.assert(
    fc.property(hostileTree, hostileText, hostileText, (tree, name, avatarUrl) => {
      const author = { name, avatarUrl }
      expectSafe(toHtml(tree, { css: false, attachmentUrl: (name) => name, author }))
    }),
    runs(2),
  )
})

/** Expects allowed tags only, text without brackets and quotes, and links and pictures with allowed URLs. */
function expectSafe(html: string): void {
  expect(removeTags(html)).not.toMatch(/[<>"'\0]/)
  expect(isWellNested(html)).toBe(true)
  for (const [, name = '', value = ''] of html.matchAll(/([\w-]+)="([^"]*)"/g)) {
    // A colour is the `fill` of a bar; nothing of the input is a class or part of a style.
    expect(`${name}=${value}`).not.toMatch(
      /^(?:style=|href=(?!https?:\/\/)|src=(?!https?:\/\/|data:image\/)|fill=(?!#[0-9a-f]{6}$)|class=(?!(?:rapport-preview|rp-[\w-]+(?: rp-[\w.+-]*)*)$))/i,
    )
  }
}

test('a preview of hostile embeds has only allowed tags, classes, colours and URLs', () => {
  fc.assert(
    fc.property(hostileEmbed, (embed) =>
      expectSafe(toHtml({ embeds: [embed] }, { css: false, attachmentUrl: String })),
    ),
    runs(5),
  )
})

test('elements are well nested for any combination of Markdown marks', () => {
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
      const html = renderMarkdown(parts.join(''))
      expect(isWellNested(html)).toBe(true)
      expect(html).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<(?:a|details) /s)
    }),
    runs(30),
  )
})

test('a label decodes to the text that was passed', () => {
  fc.assert(
    fc.property(hostileText, (label) => {
      const html = render({ type: 2, style: 1, label: `a${label}a` })
      const text = /<span>(.*)<\/span>/s.exec(html)?.[1] ?? ''
      const decoded = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      expect(decoded).toBe(`a${label}a`.replaceAll('\0', '\ufffd'))
    }),
    runs(2),
  )
})

test.each(PAYLOADS)('an attachment with the name %j adds no tag and no link', (name) => {
  const file = render({ type: 13, file: { url: `attachment://${name}` } }, { attachmentUrl: String })
  expect(removeTags(file)).not.toMatch(/[<>"']/)
  expect(file).not.toMatch(/ href="(?!https?:\/\/)/i)
})

test.each(PAYLOADS)(
  'the payload %j is escaped in every field of an embed, as the author, and as a button of a modal',
  (payload) => {
    const part = { name: payload, value: payload, text: payload, url: payload, icon_url: payload, description: payload }
    const embed = {
      ...part,
      title: payload,
      color: payload,
      fields: [part],
      author: part,
      footer: part,
      timestamp: payload,
    }
    const options = { author: { name: payload, avatarUrl: payload } }
    expectSafe(renderBody({ embeds: [{ ...embed, image: part, thumbnail: part }, embed] }, options))
    expectSafe(renderBody({ title: payload, components: [] }, options))
  },
)

test.each(PAYLOADS)('the payload %j is escaped in code of every language', (payload) => {
  for (const language of ['js', 'py', 'sql', 'html', 'text', '']) {
    const html = renderMarkdown(`\`\`\`${language}\n${payload.replaceAll('`', '')}\n\`\`\``)
    expect(removeTags(html)).not.toMatch(/[<>"'\0]/)
    expect(isWellNested(html)).toBe(true)
  }
})

test.each(PAYLOADS)('the payload %j is escaped in every field', (payload) => {
  for (const field of ['content', 'label', 'placeholder', 'value', 'name', 'sku_id', 'description']) {
    for (const type of [2, 3, 4, 10, 13, 18]) {
      const component = { type: 3, custom_id: payload, options: [{ label: payload, value: payload }] }
      expect(removeTags(render({ type, style: 6, component, [field]: payload }))).not.toMatch(/[<>"']/)
    }
  }
})
