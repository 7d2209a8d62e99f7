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
import { receivedMessage } from '../components/received-trees'
import { body, shown } from './body'

const REL = 'dir="auto" target="_blank" rel="noreferrer"'
const IMG = 'loading="lazy" referrerpolicy="no-referrer"'

describe('a button', () => {
  test.each([1, 2, 3, 4])('of style %i is a button', (style) => {
    expect(shown({ type: 2, style, custom_id: 'a', label: 'Go' })).toBe(
      `<button type="button" class="rp-button rp-style-${style}"><span>Go</span></button>`,
    )
  })

  test('of style link is a link that opens in a page of its own', () => {
    expect(shown(button.link('https://example.test/?a=1&b="2"', 'Notes'))).toContain(
      `<a href="https://example.test/?a=1&#38;b=&#34;2&#34;" class="rp-button rp-style-5" ${REL}><span>Notes</span><svg`,
    )
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,a',
    'java\nscript:a',
    '\u0001javascript:a',
    'file:///etc',
    'a',
    '',
  ])('does not link to %j', (url) => {
    const html = shown({ type: 2, style: 5, url, label: 'Notes' })
    expect(html).toMatch(/^<button type="button" class="rp-button rp-style-5" disabled=""><span>Notes/)
    expect(html).not.toContain('href')
  })

  test('of style premium shows an icon and the SKU, for its name and price are not known here', () => {
    expect(shown(button.premium('123'))).toMatch(/style-6"><svg .*<\/svg><span>SKU 123<\/span><\/button>$/)
  })

  test('that is disabled is disabled, a link too', () => {
    expect(shown(button.danger('a', 'Go').withDisabled())).toContain(' disabled=""')
    expect(shown(button.link('https://example.test', 'Go').withDisabled())).toMatch(/^<button .* disabled=""/)
  })

  test('shows the name of an emoji, and of a custom one between colons', () => {
    expect(shown({ type: 2, style: 1, label: 'Go', emoji: { name: '🚀' } })).toContain('<span>🚀 Go</span>')
    expect(shown({ type: 2, style: 1, emoji: { id: '1', name: 'wave' } })).toContain('<span>:wave:</span>')
  })

  test('without a label has a name all the same', () => {
    expect(shown({ type: 2, style: 1, custom_id: 'a' })).toContain('<span>Button</span>')
  })
})

test('a row holds its components', () => {
  expect(shown(row(button.primary('a', 'A'), button.primary('b', 'B')))).toMatch(
    /^<div class="rp-row"><button .*A<.*<button .*B<.*<\/div>$/,
  )
})

test.each([
  [separator(), '<hr class="rp-gap rp-gap-8">'],
  [separator().withSpacing('large'), '<hr class="rp-gap rp-gap-16">'],
  [separator().withDivider(false), '<div class="rp-gap rp-gap-16"></div>'],
  [separator().withDivider(false).withSpacing('large'), '<div class="rp-gap rp-gap-32"></div>'],
  [{ type: 14, spacing: 9 }, '<hr class="rp-gap rp-gap-8">'],
])('the separator %j has the gap of the document', (given, html) => {
  expect(shown(given)).toBe(html)
})

test('a section has its texts and its accessory', () => {
  const html = shown(section('A', 'B').withAccessory(button.primary('a', 'Go')))
  expect(html).toMatch(/^<div class="rp-section"><div class="rp-stack">.*A.*B.*<\/div><button .*Go/)
})

describe('a picture', () => {
  const of = (media: object, more = {}) => shown({ type: 11, media, ...more })

  test('is loaded lazily, and its server is not told from where', () => {
    expect(of({ url: 'https://x.test/a.png' }, { description: 'A "b"' })).toBe(
      `<div class="rp-thumbnail"><img src="https://x.test/a.png" alt="A &#34;b&#34;" ${IMG}></div>`,
    )
  })

  test.each(['javascript:a', 'data:image/png;base64,AA==', 'blob:a', '/a.png', 'attachment://a.png'])(
    'is a box with its name where its address is %j',
    (url) => {
      const name = url.replace('attachment://', '')
      expect(of({ url })).toBe(`<div class="rp-thumbnail"><div class="rp-box">${name}</div></div>`)
    },
  )

  test('is a link to what is no picture', () => {
    expect(of({ url: 'https://x.test/v/clip.mp4?a', content_type: 'video/mp4' })).toContain(
      `<div class="rp-box"><a href="https://x.test/v/clip.mp4?a" ${REL}>clip.mp4</a></div>`,
    )
  })

  test('is hidden where it is a spoiler', () => {
    expect(of({ url: 'https://x.test/a.png' }, { spoiler: true })).toContain('<details><summary>Spoiler</summary><img ')
  })
})

test('a gallery shows every picture', () => {
  const html = shown(mediaGallery(['a', 'b', 'c'].map((name) => galleryItem(`https://x.test/${name}.png`))))
  expect(html.match(/<div class="rp-picture"><img /g)).toHaveLength(3)
})

describe('attachments', () => {
  const files = { type: 13, file: { url: 'attachment://a.txt' } }
  const picture = thumbnail(attachment('a.png'))

  test('are resolved by their names', () => {
    const attachmentUrl = (name: string) => `https://files.test/${name}`
    expect(shown(picture, { attachmentUrl })).toContain('<img src="https://files.test/a.png"')
    expect(shown(files, { attachmentUrl })).toContain(`<a href="https://files.test/a.txt" ${REL}>a.txt</a>`)
  })

  test.each(['blob:https://x.test/1', 'data:image/png;base64,AA=='])('are shown from %j and not linked to', (url) => {
    expect(shown(picture, { attachmentUrl: () => url })).toContain(`<img src="${url}"`)
    expect(shown(files, { attachmentUrl: () => url })).toBe('<div class="rp-file">a.txt</div>')
  })

  test.each(['javascript:alert(1)', 'data:text/html,a', 'a.png', undefined])('are not taken from %j', (url) => {
    expect(shown(picture, { attachmentUrl: () => url })).toContain('<div class="rp-box">a.png</div>')
    expect(shown(files, { attachmentUrl: () => url })).toBe('<div class="rp-file">a.txt</div>')
  })
})

test.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
  'a file that is called photo%jgpj.exe looks like no picture',
  (mark) => {
    const name = `photo${mark}gpj.exe`
    const seen = 'photo\ufffdgpj.exe'
    expect(shown({ type: 13, file: { url: 'https://x.test/1' }, name })).toContain(`>${seen}</a>`)
    expect(shown({ type: 13, file: { url: `attachment://${name}` } })).toBe(`<div class="rp-file">${seen}</div>`)
    expect(shown(thumbnail(attachment(name)))).toContain(`<div class="rp-box">${seen}</div>`)
    expect(shown({ type: 11, media: { url: `https://x.test/${name}`, content_type: 'video/mp4' } })).toContain(
      `>${seen}</a>`,
    )
  },
)

test('a received file shows its name and its size in bytes', () => {
  const html = shown({ type: 13, file: { url: 'https://x.test/1' }, name: 'a & b.txt', size: 12 })
  expect(html).toBe(
    `<div class="rp-file"><a href="https://x.test/1" ${REL}>a &#38; b.txt</a> <small>12 bytes</small></div>`,
  )
})

describe('a container', () => {
  test('shows its accent colour without a style', () => {
    const html = shown(container(text('A')).withAccentColor(0x00ff0a))
    expect(html).toContain('<rect width="100%" height="100%" fill="#00ff0a"></rect>')
    expect(html).not.toContain('style=')
  })

  test.each([null, undefined, -1, 0x1000000, 0.5, Number.NaN, 'red', '#fff"><b>'])('has no bar for %j', (color) => {
    expect(shown({ type: 17, components: [], accent_color: color })).not.toContain('svg')
  })

  test('that is a spoiler is hidden, but for its bar', () => {
    expect(shown(container(text('A')).withAccentColor(0).withSpoiler())).toMatch(
      /^<div class="rp-container"><svg .*<\/svg><details><summary>.*A/,
    )
  })
})

test('a received message is shown with all that is in it', () => {
  const html = body(receivedMessage())
  for (const part of ['Title', 'One', '😀😀', 'a.png', 'b.png', 'c.txt', 'Three', 'Go', 'Notes', 'SKU 1', 'Choose']) {
    expect(html).toContain(part)
  }
})

test.each([
  [16, 'Content inventory entry (type 16)'],
  [20, 'Checkpoint card (type 20)'],
  [99, 'Unknown component (type 99)'],
  [15, 'Unknown component (type 15)'],
])('type %i is a box that names it', (type, name) => {
  expect(shown({ type, components: [{ type: 10, content: 'secret' }] })).toBe(`<div class="rp-box">${name}</div>`)
})
