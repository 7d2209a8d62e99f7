import {
  attachment,
  button,
  container,
  galleryItem,
  mediaGallery,
  row,
  section,
  separator,
  text,
  thumbnail,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { receivedMessage } from '../components/json-components'
import { render, renderBody } from './render'

const REL = 'dir="auto" target="_blank" rel="noreferrer"'
const IMG = 'loading="lazy" referrerpolicy="no-referrer"'

test.each([1, 2, 3, 4])('a button of style %i renders as a button element', (style) => {
  expect(render({ type: 2, style, custom_id: 'a', label: 'Go' })).toBe(
    `<button type="button" class="rp-button rp-style-${style}"><span>Go</span></button>`,
  )
})

test('a link button renders as a link that opens a new page', () => {
  expect(render(button.link('https://example.test/?a=1&b="2"', 'Notes'))).toContain(
    `<a href="https://example.test/?a=1&#38;b=&#34;2&#34;" class="rp-button rp-style-5" ${REL}><span>Notes</span><svg`,
  )
})

test.each(['javascript:alert(1)', 'data:text/html,a', 'java\nscript:a', '\u0001javascript:a', 'file:///etc', 'a', ''])(
  'a link button to %j is disabled and has no href',
  (url) => {
    const html = render({ type: 2, style: 5, url, label: 'Notes' })
    expect(html).toMatch(/^<button type="button" class="rp-button rp-style-5" disabled=""><span>Notes/)
    expect(html).not.toContain('href')
  },
)

test('a premium button shows an icon and the SKU id, because its name and price are unknown', () => {
  expect(render(button.premium('123'))).toMatch(/style-6"><svg .*<\/svg><span>SKU 123<\/span><\/button>$/)
})

test('a disabled button renders as disabled, also a link button', () => {
  expect(render(button.danger('a', 'Go').withDisabled())).toContain(' disabled=""')
  expect(render(button.link('https://example.test', 'Go').withDisabled())).toMatch(/^<button .* disabled=""/)
})

test('a button shows the name of an emoji, for a custom one between colons', () => {
  expect(render({ type: 2, style: 1, label: 'Go', emoji: { name: '🚀' } })).toContain('<span>🚀 Go</span>')
  expect(render({ type: 2, style: 1, emoji: { id: '1', name: 'wave' } })).toContain('<span>:wave:</span>')
})

test('a button without a label has a default text', () => {
  expect(render({ type: 2, style: 1, custom_id: 'a' })).toContain('<span>Button</span>')
})

test('a row contains its components', () => {
  expect(render(row(button.primary('a', 'A'), button.primary('b', 'B')))).toMatch(
    /^<div class="rp-row"><button .*A<.*<button .*B<.*<\/div>$/,
  )
})

test.each([
  [separator(), '<hr class="rp-gap rp-gap-8">'],
  [separator().withSpacing('large'), '<hr class="rp-gap rp-gap-16">'],
  [separator().withDivider(false), '<div class="rp-gap rp-gap-16"></div>'],
  [separator().withDivider(false).withSpacing('large'), '<div class="rp-gap rp-gap-32"></div>'],
  [{ type: 14, spacing: 9 }, '<hr class="rp-gap rp-gap-8">'],
])('the separator %j has the gap of the API', (component, html) => {
  expect(render(component)).toBe(html)
})

test('a section contains its texts and its accessory', () => {
  const html = render(section('A', 'B').withAccessory(button.primary('a', 'Go')))
  expect(html).toMatch(/^<div class="rp-section"><div class="rp-stack">.*A.*B.*<\/div><button .*Go/)
})

test('a section without an accessory contains only its texts', () => {
  expect(render({ type: 9, components: [{ type: 10, content: 'A' }] })).toMatch(
    /^<div class="rp-section"><div class="rp-stack"><div class="rp-text"[^>]*><div>A<\/div><\/div><\/div><\/div>$/,
  )
})

describe('thumbnails', () => {
  const renderThumbnail = (media: object, more = {}) => render({ type: 11, media, ...more })

  test('an image loads lazily and sends no referrer', () => {
    expect(renderThumbnail({ url: 'https://x.test/a.png' }, { description: 'A "b"' })).toBe(
      `<div class="rp-thumbnail"><img src="https://x.test/a.png" alt="A &#34;b&#34;" ${IMG}></div>`,
    )
  })

  test.each(['javascript:a', 'data:image/png;base64,AA==', 'blob:a', '/a.png', 'attachment://a.png'])(
    'an image with the URL %j renders as a box with its name',
    (url) => {
      const name = url.replace('attachment://', '')
      expect(renderThumbnail({ url })).toBe(`<div class="rp-thumbnail"><div class="rp-box">${name}</div></div>`)
    },
  )

  test('media that is not an image renders as a link', () => {
    expect(renderThumbnail({ url: 'https://x.test/v/clip.mp4?a', content_type: 'video/mp4' })).toContain(
      `<div class="rp-box"><a href="https://x.test/v/clip.mp4?a" ${REL}>clip.mp4</a></div>`,
    )
  })

  test('an image that is a spoiler is hidden', () => {
    expect(renderThumbnail({ url: 'https://x.test/a.png' }, { spoiler: true })).toContain(
      '<details class="rp-spoiler"><summary>Spoiler</summary><img ',
    )
  })
})

test('a gallery shows every image', () => {
  const html = render(mediaGallery(['a', 'b', 'c'].map((name) => galleryItem(`https://x.test/${name}.png`))))
  expect(html.match(/<div class="rp-picture"><img /g)).toHaveLength(3)
})

describe('attachments', () => {
  const file = { type: 13, file: { url: 'attachment://a.txt' } }
  const image = thumbnail(attachment('a.png'))

  test('attachmentUrl resolves attachments by their names', () => {
    const attachmentUrl = (name: string) => `https://files.test/${name}`
    expect(render(image, { attachmentUrl })).toContain('<img src="https://files.test/a.png"')
    expect(render(file, { attachmentUrl })).toContain(`<a href="https://files.test/a.txt" ${REL}>a.txt</a>`)
  })

  test.each(['blob:https://x.test/1', 'data:image/png;base64,AA=='])(
    'an attachment with the URL %j is shown as an image but not linked',
    (url) => {
      expect(render(image, { attachmentUrl: () => url })).toContain(`<img src="${url}"`)
      expect(render(file, { attachmentUrl: () => url })).toBe('<div class="rp-file">a.txt</div>')
    },
  )

  test.each(['javascript:alert(1)', 'data:text/html,a', 'a.png', undefined])(
    'an attachment with the URL %j renders as its name',
    (url) => {
      expect(render(image, { attachmentUrl: () => url })).toContain('<div class="rp-box">a.png</div>')
      expect(render(file, { attachmentUrl: () => url })).toBe('<div class="rp-file">a.txt</div>')
    },
  )
})

test.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
  'a bidirectional control in the file name photo%jgpj.exe is replaced',
  (mark) => {
    const name = `photo${mark}gpj.exe`
    const seen = 'photo\ufffdgpj.exe'
    expect(render({ type: 13, file: { url: 'https://x.test/1' }, name })).toContain(`>${seen}</a>`)
    expect(render({ type: 13, file: { url: `attachment://${name}` } })).toBe(`<div class="rp-file">${seen}</div>`)
    expect(render(thumbnail(attachment(name)))).toContain(`<div class="rp-box">${seen}</div>`)
    expect(render({ type: 11, media: { url: `https://x.test/${name}`, content_type: 'video/mp4' } })).toContain(
      `>${seen}</a>`,
    )
  },
)

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1_234_567, '1.18 MB'],
  [5 * 2 ** 30, '5 GB'],
  [2 ** 52, '4096 TB'],
])('a received file of %i bytes shows the size %s', (size, shown) => {
  expect(render({ type: 13, file: { url: 'https://x.test/1' }, size })).toContain(` <small>${shown}</small>`)
})

test.each([-1, Number.NaN, '12', null])('a received file with the size %j shows no size', (size) => {
  expect(render({ type: 13, file: { url: 'https://x.test/1' }, size })).not.toContain('<small>')
})

test('a received file shows its name and its size', () => {
  const html = render({ type: 13, file: { url: 'https://x.test/1' }, name: 'a & b.txt', size: 12 })
  expect(html).toBe(
    `<div class="rp-file"><a href="https://x.test/1" ${REL}>a &#38; b.txt</a> <small>12 bytes</small></div>`,
  )
})

test('a container shows its accent color without a style attribute', () => {
  const html = render(container(text('A')).withAccentColor(0x00ff0a))
  expect(html).toContain('<rect width="100%" height="100%" fill="#00ff0a"></rect>')
  expect(html).not.toContain('style=')
})

test.each([null, undefined, -1, 0x1000000, 0.5, Number.NaN, 'red', '#fff"><b>'])(
  'a container shows no bar for the accent color %j',
  (color) => {
    expect(render({ type: 17, components: [], accent_color: color })).not.toContain('svg')
  },
)

test('a container that is a spoiler hides everything except its bar', () => {
  expect(render(container(text('A')).withAccentColor(0).withSpoiler())).toMatch(
    /^<div class="rp-container"><svg .*<\/svg><details class="rp-spoiler"><summary>.*A/,
  )
})

test('a received message shows all its components', () => {
  const html = renderBody(receivedMessage())
  for (const part of ['Title', 'One', '😀😀', 'a.png', 'b.png', 'c.txt', 'Three', 'Go', 'Notes', 'SKU 1', 'Choose']) {
    expect(html).toContain(part)
  }
})

test.each([
  [16, 'Content inventory entry (type 16)'],
  [20, 'Checkpoint card (type 20)'],
  [99, 'Unknown component (type 99)'],
  [15, 'Unknown component (type 15)'],
])('a component of type %i renders as the box %j', (type, name) => {
  expect(render({ type, components: [{ type: 10, content: 'secret' }] })).toBe(`<div class="rp-box">${name}</div>`)
})
