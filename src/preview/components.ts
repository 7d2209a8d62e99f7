import type { ComponentType, SeparatorSpacing } from '../components/constants'
import type { PlainObject } from '../components/plain-object'
import { button, checkbox, choices, fileUpload, label, select, textInput } from './controls'
import {
  box,
  element,
  escapeHtml,
  type Field,
  fieldsOf,
  fileAddress,
  fileName,
  itemsOf,
  MAX_DEPTH,
  openLink,
  openTag,
  placeholder,
  type RenderContext,
  spoiler,
  textOf,
  tryGet,
  writeAll,
} from './html'
import { markdown } from './markdown'

const LARGE: SeparatorSpacing = 2

/** Renders a text display. Interface, "Text Display". */
export function textDisplay({ content }: PlainObject, page: RenderContext): string {
  return element('div', { class: 'rp-text', dir: 'auto' }, markdown(textOf(content, page)))
}

/** Renders the documented gap in pixels, doubled if the divider is hidden. Interface, "Separator". */
function separator({ divider, spacing }: PlainObject): string {
  const gap = spacing === LARGE ? 16 : 8
  return divider === false ? box(`gap rp-gap-${gap * 2}`) : openTag('hr', { class: `rp-gap rp-gap-${gap}` })
}

/** Characters that change the text direction; they could disguise the extension of a file name. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/** Returns the name of a file, linked if there is a URL. */
function fileLabel(href: string | undefined, name: string): string {
  const text = escapeHtml(name.replace(BIDI_CONTROLS, '\ufffd'))
  return href ? `${openLink(href)}${text}</a>` : text
}

/** Renders a picture, or its name if it cannot be shown. */
function picture(item: unknown, page: RenderContext): string {
  const { media, description, spoiler: isSpoiler } = fieldsOf(item)
  const { url, content_type } = fieldsOf(media)
  const alt = textOf(description, page)
  const address = textOf(url, page)
  const isPicture = /^(image\/|$)/.test(textOf(content_type, page))
  const href = fileAddress(address, page, isPicture)
  const shown =
    href && isPicture
      ? openTag('img', { src: href, alt, loading: 'lazy', referrerpolicy: 'no-referrer' })
      : box('box', fileLabel(href, alt || fileName(address)))
  return spoiler(isSpoiler, shown)
}

/** Renders a thumbnail. Interface, "Thumbnail". */
function thumbnail(value: PlainObject, page: RenderContext): string {
  return box('thumbnail', picture(value, page))
}

/** Renders a media gallery. Interface, "Media Gallery". */
function mediaGallery({ items }: PlainObject, page: RenderContext): string {
  return box('gallery', ...itemsOf(items, page).map((item) => box('picture', picture(item, page))))
}

/** Renders a file. Interface, "File". */
function file({ file: media, name, size, spoiler: isSpoiler }: PlainObject, page: RenderContext): string {
  const address = textOf(fieldsOf(media).url, page)
  const bytes = typeof size === 'number' ? ` <small>${size} bytes</small>` : ''
  const title = textOf(name, page) || fileName(address)
  return spoiler(isSpoiler, box('file', fileLabel(fileAddress(address, page), title), bytes))
}

/** Renders components below each other, with optional HTML above them. */
export function stack(components: unknown, page: RenderContext, above = ''): string {
  return box('stack', above, writeAll(components, page))
}

/** Renders a row. Interface, "Action Row". */
function actionRow({ components }: PlainObject, page: RenderContext): string {
  return box('row', writeAll(components, page))
}

/** Renders a section. Interface, "Section". */
function section({ components, accessory }: PlainObject, page: RenderContext): string {
  return box('section', stack(components, page), accessory === undefined ? '' : page.write(accessory, page))
}

/**
 * Renders the bar of a container as an SVG: its `fill` is not a style, so no Content-Security-Policy blocks it.
 * Interface, "Container".
 */
function container({ components, accent_color: color, spoiler: isSpoiler }: PlainObject, page: RenderContext): string {
  let bar = ''
  if (typeof color === 'number' && color === (color & 0xffffff)) {
    const fill = `#${color.toString(16).padStart(6, '0')}`
    const rect = element('rect', { width: '100%', height: '100%', fill })
    bar = element('svg', { class: 'rp-bar', 'aria-hidden': 'true' }, rect)
  }
  return box('container', bar, spoiler(isSpoiler, stack(components, page)))
}

type Writer = (value: PlainObject, page: RenderContext, field?: Field) => string

/**
 * Wraps the renderer of a form control so that a control without a label component gets one, with its own `label` if it
 * has one.
 */
function withLabel(write: (value: PlainObject, page: RenderContext, field: Field) => string): Writer {
  return (value, page, field) =>
    field ? write(value, page, field) : label({ label: value.label || 'Field', component: value }, page)
}

const group = withLabel(choices)

/**
 * Renderers by type. A string is a placeholder's name, for received-only components whose look the interface document
 * does not show.
 */
const WRITERS: Readonly<Record<number, Writer | string>> = {
  1: actionRow,
  2: button,
  3: select,
  4: withLabel(textInput),
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: textDisplay,
  11: thumbnail,
  12: mediaGallery,
  13: file,
  14: separator,
  16: 'Content inventory entry',
  17: container,
  18: label,
  19: withLabel(fileUpload),
  20: 'Checkpoint card',
  21: group,
  22: group,
  23: withLabel(checkbox),
} satisfies Record<ComponentType, Writer | string>

/** Renders a component, or a placeholder if it cannot be read. */
export function component(value: unknown, page: RenderContext, field?: Field): string {
  if (page.depth >= MAX_DEPTH) return placeholder('Nested too deeply')
  page.depth++
  const html = tryGet(() => {
    const fields = fieldsOf(value)
    const { type } = fields
    if (typeof type !== 'number') return placeholder('Not a component')
    const write = WRITERS[type] ?? 'Unknown component'
    return typeof write === 'string' ? placeholder(`${write} (type ${type})`) : write(fields, page, field)
  })
  page.depth--
  return html ?? placeholder('Cannot be read')
}
