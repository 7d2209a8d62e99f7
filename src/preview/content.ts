import type { SeparatorSpacing } from '../components/constants'
import type { PlainObject } from '../components/schema'
import { fileAddress, fileName } from './address'
import { box, element, escapeHtml, open, openLink, spoiler } from './element'
import { markdown } from './markdown/blocks'
import { fieldsOf, itemsOf, type Page, textOf } from './page'

const LARGE: SeparatorSpacing = 2

/** Interface, "Text Display". */
export function textDisplay({ content }: PlainObject, page: Page): string {
  return element('div', { class: 'rp-text', dir: 'auto' }, markdown(textOf(content, page)))
}

/** The gaps of the interface in pixels: twice as large where the divider is hidden. Interface, "Separator". */
export function separator({ divider, spacing }: PlainObject): string {
  const gap = spacing === LARGE ? 16 : 8
  return divider === false ? box(`gap rp-gap-${gap * 2}`) : open('hr', { class: `rp-gap rp-gap-${gap}` })
}

/** What turns the direction of a text: with it a program could be called as though it was a picture. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** The name of a file, which leads to it if there is an address. */
function named(href: string | undefined, name: string): string {
  const text = escapeHtml(name.replace(TURNS, '\ufffd'))
  return href ? `${openLink(href)}${text}</a>` : text
}

/** A picture, or its name where it is none that can be shown. */
function picture(item: unknown, page: Page): string {
  const { media, description, spoiler: isSpoiler } = fieldsOf(item)
  const { url, content_type } = fieldsOf(media)
  const alt = textOf(description, page)
  const address = textOf(url, page)
  const isPicture = /^(image\/|$)/.test(textOf(content_type, page))
  const href = fileAddress(address, page, isPicture)
  const shown =
    href && isPicture
      ? open('img', { src: href, alt, loading: 'lazy', referrerpolicy: 'no-referrer' })
      : box('box', named(href, alt || fileName(address)))
  return spoiler(isSpoiler, shown)
}

/** Interface, "Thumbnail". */
export function thumbnail(value: PlainObject, page: Page): string {
  return box('thumbnail', picture(value, page))
}

/** Interface, "Media Gallery". */
export function mediaGallery({ items }: PlainObject, page: Page): string {
  return box('gallery', ...itemsOf(items, page).map((item) => box('picture', picture(item, page))))
}

/** Interface, "File". */
export function file({ file: media, name, size, spoiler: isSpoiler }: PlainObject, page: Page): string {
  const address = textOf(fieldsOf(media).url, page)
  const bytes = typeof size === 'number' ? ` <small>${size} bytes</small>` : ''
  const title = textOf(name, page) || fileName(address)
  return spoiler(isSpoiler, box('file', named(fileAddress(address, page), title), bytes))
}
