import { describe, expect, test } from 'vitest'
import { renderBody } from './render'

const render = (...embeds: unknown[]) => renderBody({ embeds })

const full = {
  title: 'Release 2.0',
  description: '**Passkeys**',
  url: 'https://example.test/notes',
  color: 0x3366ff,
  fields: [
    { name: 'Fixed', value: '- one', inline: true },
    { name: 'Known', value: '`two`' },
  ],
  author: { name: 'Ada', url: 'https://example.test/ada', icon_url: 'https://example.test/ada.png' },
  footer: { text: 'Engines', icon_url: 'https://example.test/e.png' },
  image: { url: 'https://example.test/i.png', description: 'The dialog' },
  thumbnail: { url: 'https://example.test/t.png', description: 'A key' },
  timestamp: '2026-05-01T12:00:00.000Z',
}

const LINK = 'dir="auto" target="_blank" rel="noreferrer"'
const avatar = (name: string) =>
  `<img class="rp-avatar" src="https://example.test/${name}.png" alt="" referrerpolicy="no-referrer">`
const picture = (name: string, alt: string) =>
  `<img src="https://example.test/${name}.png" alt="${alt}" loading="lazy" referrerpolicy="no-referrer">`

test('an embed shows all of the usual fields in their order', () => {
  expect(render(full)).toBe(
    [
      '<div class="rp-stack"><div class="rp-container"><svg class="rp-bar" aria-hidden="true">',
      '<rect width="100%" height="100%" fill="#3366ff"></rect></svg><div class="rp-stack">',
      '<div class="rp-section"><div class="rp-embed">',
      `<div class="rp-line">${avatar('ada')}<a href="https://example.test/ada" ${LINK}>Ada</a></div>`,
      `<h3><a href="https://example.test/notes" ${LINK}>Release 2.0</a></h3>`,
      '<div class="rp-text" dir="auto"><div><strong>Passkeys</strong></div></div>',
      '<div class="rp-inline"><strong dir="auto">Fixed</strong>',
      '<div class="rp-text" dir="auto"><ul><li>one</li></ul></div></div>',
      '<div class="rp-wide"><strong dir="auto">Known</strong>',
      '<div class="rp-text" dir="auto"><div><code>two</code></div></div></div>',
      `</div><div class="rp-thumbnail">${picture('t', 'A key')}</div></div>`,
      `<div class="rp-gallery"><div class="rp-picture">${picture('i', 'The dialog')}</div></div>`,
      `<div class="rp-line">${avatar('e')}<span dir="auto">Engines</span><span aria-hidden="true">·</span>`,
      '<time class="rp-time" datetime="2026-05-01T12:00:00.000Z">2026-05-01 12:00 UTC</time></div>',
      '</div></div></div>',
    ].join(''),
  )
})

test.each([{}, null, 'text', { video: {} }, { fields: [] }, { color: 1 }, { url: 'https://x.test' }])(
  'an embed without any of the usual content, %j, is a box',
  (embed) => {
    expect(render(embed)).toContain('<div class="rp-box">Embed</div>')
  },
)

test('a picture of an attachment has the URL that the option returns, and else its description or its name', () => {
  const embed = { image: { url: 'attachment://a.png' }, thumbnail: { url: 'attachment://b.png', description: 'B' } }
  expect(render(embed)).toMatch(/<div class="rp-box">B<\/div>.*<div class="rp-box">a\.png<\/div>/)
  const shown = renderBody({ embeds: [embed] }, { attachmentUrl: (name) => `/${name}` })
  expect(shown).toMatch(/src="\/b\.png" alt="B".*src="\/a\.png"/)
})

test('the time of an embed is shown as an option says', () => {
  const options = { resolve: { time: (date: Date, style: string) => `${style} ${date.getUTCFullYear()}` } }
  expect(renderBody({ embeds: [{ timestamp: '2026-05-01' }] }, options)).toContain('>f 2026</time>')
})

describe('values that an embed must not have', () => {
  test.each(['javascript:alert(1)', ' https://x.test', 'data:text/html,a', 'vbscript:a', '//x.test', 'attachment://a'])(
    'the URL %j is not linked to and not loaded',
    (url) => {
      const part = { name: 'A', text: 'A', url, icon_url: url }
      const html = render({ title: 'T', url, author: part, footer: part, image: { url }, thumbnail: { url } })
      expect(html).not.toMatch(/<a |<img /)
      expect(html).toContain('<h3><span dir="auto">T</span></h3>')
    },
  )

  test.each(['red', '#f00', 'red;background:url(//x.test)', -1, 0x1000000, 1.5, Number.NaN, '3368703', [1], {}])(
    'the colour %j is not shown',
    (color) => {
      expect(render({ title: 'T', color })).not.toContain('<svg')
    },
  )

  test.each(['soon', '', '2026-99-99T00:00:00Z', '99999999', 0, Number.NaN, {}])(
    'the time %j is not shown',
    (timestamp) => {
      expect(render({ title: 'T', timestamp })).not.toContain('<time')
    },
  )
})

test('names with direction controls are isolated from the text after them', () => {
  const html = render({
    title: '\u202eT',
    author: { name: '\u202eA' },
    footer: { text: '\u2067F' },
    timestamp: '2026-05-01',
  })
  expect(html.match(/<span dir="auto">[\u202e\u2067][TAF]<\/span>/g)).toHaveLength(3)
})
