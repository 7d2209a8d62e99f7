import type { ComponentType, SeparatorSpacing } from '../components/constants'
import type { PlainObject } from '../components/plain-object'
import {
  renderButton,
  renderCheckbox,
  renderChoices,
  renderFileUpload,
  renderLabel,
  renderSelect,
  renderTextInput,
} from './controls'
import {
  box,
  element,
  escapeHtml,
  type Field,
  fieldsOf,
  fileNameOf,
  itemsOf,
  MAX_DEPTH,
  openLink,
  openTag,
  placeholder,
  type RenderContext,
  renderAll,
  textOf,
  toFileUrl,
  toWebUrl,
  tryGet,
  wrapSpoiler,
} from './html'
import { isOnlyEmoji, renderMarkdown, renderTime } from './markdown'

const LARGE: SeparatorSpacing = 2

/** Renders a text display; emoji alone are enlarged. API, "Text Display". */
export function renderTextDisplay({ content }: PlainObject, context: RenderContext): string {
  const text = textOf(content, context)
  const name = isOnlyEmoji(text) ? 'rp-text rp-large' : 'rp-text'
  return element('div', { class: name, dir: 'auto' }, renderMarkdown(text, context))
}

/** Renders the documented gap in pixels: on both sides of the divider, so doubled if it is hidden. API, "Separator". */
function renderSeparator({ divider, spacing }: PlainObject): string {
  const gap = spacing === LARGE ? 16 : 8
  return divider === false ? box(`gap rp-gap-${gap * 2}`) : openTag('hr', { class: `rp-gap rp-gap-${gap}` })
}

/** Characters that change the text direction; they could disguise the extension of a file name. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/** Returns the name of a file, linked if there is a URL. */
function renderFileName(href: string | undefined, name: string): string {
  const text = escapeHtml(name.replace(BIDI_CONTROLS, '\ufffd'))
  return href ? `${openLink(href)}${text}</a>` : text
}

/** Renders a picture, or its name if it cannot be shown. */
function renderPicture(item: unknown, context: RenderContext): string {
  const { media, description, spoiler: isSpoiler } = fieldsOf(item)
  const { url, content_type } = fieldsOf(media)
  const alt = textOf(description, context)
  const address = textOf(url, context)
  const isPicture = /^(image\/|$)/.test(textOf(content_type, context))
  const href = toFileUrl(address, context, isPicture)
  const html =
    href && isPicture
      ? openTag('img', { src: href, alt, loading: 'lazy', referrerpolicy: 'no-referrer' })
      : box('box', renderFileName(href, alt || fileNameOf(address)))
  return wrapSpoiler(isSpoiler, html)
}

function renderThumbnail(value: PlainObject, context: RenderContext): string {
  return box('thumbnail', renderPicture(value, context))
}

function renderMediaGallery({ items }: PlainObject, context: RenderContext): string {
  return box('gallery', ...itemsOf(items, context).map((item) => box('picture', renderPicture(item, context))))
}

/** Returns a size in the largest unit of which it is at least one. */
function formatSize(bytes: number): string {
  const power = Math.max(0, Math.min(Math.floor(Math.log2(bytes) / 10), 4))
  const unit = ['byte', 'KB', 'MB', 'GB', 'TB'][power] ?? ''
  return `${Number((bytes / 1024 ** power).toFixed(2))} ${unit}${power > 0 || bytes === 1 ? '' : 's'}`
}

function renderFile({ file: media, name, size, spoiler: isSpoiler }: PlainObject, context: RenderContext): string {
  const address = textOf(fieldsOf(media).url, context)
  const bytes = typeof size === 'number' && size >= 0 ? ` <small>${formatSize(size)}</small>` : ''
  const title = textOf(name, context) || fileNameOf(address)
  return wrapSpoiler(isSpoiler, box('file', renderFileName(toFileUrl(address, context), title), bytes))
}

/** Renders components below each other, with optional HTML above them. */
export function renderStack(components: unknown, context: RenderContext, above = ''): string {
  return box('stack', above, renderAll(components, context))
}

function renderRow({ components }: PlainObject, context: RenderContext): string {
  return box('row', renderAll(components, context))
}

function renderSection({ components, accessory }: PlainObject, context: RenderContext): string {
  return box(
    'section',
    renderStack(components, context),
    accessory === undefined ? '' : context.render(accessory, context),
  )
}

/** Renders a card. Its bar is an SVG, whose `fill` is not a style, so no Content-Security-Policy blocks it. */
function renderCard(color: unknown, content: string): string {
  if (typeof color !== 'number' || color !== (color & 0xffffff)) return box('container', content)
  const fill = `#${color.toString(16).padStart(6, '0')}`
  const rect = element('rect', { width: '100%', height: '100%', fill })
  return box('container', element('svg', { class: 'rp-bar', 'aria-hidden': 'true' }, rect), content)
}

function renderContainer({ components, accent_color, spoiler }: PlainObject, context: RenderContext): string {
  return renderCard(accent_color, wrapSpoiler(spoiler, renderStack(components, context)))
}

type Renderer = (value: PlainObject, context: RenderContext, field?: Field) => string

/**
 * Wraps the renderer of a form control so that a control without a label component gets one, with its own `label` if it
 * has one.
 */
function withLabel(render: (value: PlainObject, context: RenderContext, field: Field) => string): Renderer {
  return (value, context, field) =>
    field ? render(value, context, field) : renderLabel({ label: value.label || 'Field', component: value }, context)
}

const renderGroup = withLabel(renderChoices)

/**
 * Renderers by type. A string is a placeholder's name, for received-only components whose look the API document
 * does not show.
 */
const RENDERERS: Readonly<Record<number, Renderer | string>> = {
  1: renderRow,
  2: renderButton,
  3: renderSelect,
  4: withLabel(renderTextInput),
  5: renderSelect,
  6: renderSelect,
  7: renderSelect,
  8: renderSelect,
  9: renderSection,
  10: renderTextDisplay,
  11: renderThumbnail,
  12: renderMediaGallery,
  13: renderFile,
  14: renderSeparator,
  16: 'Content inventory entry',
  17: renderContainer,
  18: renderLabel,
  19: withLabel(renderFileUpload),
  20: 'Checkpoint card',
  21: renderGroup,
  22: renderGroup,
  23: withLabel(renderCheckbox),
} satisfies Record<ComponentType, Renderer | string>

/** Renders a component, or a placeholder if it cannot be read. */
export function renderComponent(value: unknown, context: RenderContext, field?: Field): string {
  if (context.depth >= MAX_DEPTH) return placeholder('Nested too deeply')
  context.depth++
  const html = tryGet(() => {
    const fields = fieldsOf(value)
    const { type } = fields
    if (typeof type !== 'number') return placeholder('Not a component')
    const render = RENDERERS[type] ?? 'Unknown component'
    return typeof render === 'string' ? placeholder(`${render} (type ${type})`) : render(fields, context, field)
  })
  context.depth--
  return html ?? placeholder('Cannot be read')
}

// Embeds. The API document names `embeds`, but not their fields: these are the usual ones, by convention.

export function renderAvatar(src: string | undefined): string {
  return src ? openTag('img', { class: 'rp-avatar', src, alt: '', referrerpolicy: 'no-referrer' }) : ''
}

/** Renders a text, linked if there is a URL. Its direction does not affect the text after it. */
function renderText(text: unknown, url: unknown, context: RenderContext): string {
  const html = escapeHtml(textOf(text, context))
  const href = html && toWebUrl(textOf(url, context))
  return href ? `${openLink(href)}${html}</a>` : html && element('span', { dir: 'auto' }, html)
}

/** Renders the line of an author or a footer: a picture, and texts with a dot between them. */
function renderLine(icon: unknown, texts: readonly string[], context: RenderContext): string {
  const content = texts.filter(Boolean).join('<span aria-hidden="true">·</span>')
  return content && box('line', renderAvatar(toFileUrl(textOf(icon, context), context, true)), content)
}

function renderField(field: unknown, context: RenderContext): string {
  const { name, value, inline } = fieldsOf(field)
  const heading = element('strong', { dir: 'auto' }, escapeHtml(textOf(name, context)))
  return box(inline === true ? 'inline' : 'wide', heading, renderTextDisplay({ content: value }, context))
}

/** Renders a timestamp in the format ISO 8601. */
function renderTimestamp(timestamp: unknown, context: RenderContext): string {
  const text = textOf(timestamp, context)
  return (/^\d{4}-/.test(text) && tryGet(() => renderTime(new Date(text), 'f', context))) || ''
}

const pictureOf = (media: unknown) => ({ media, description: fieldsOf(media).description })

/** Renders an embed, or a placeholder if it has none of the usual fields or cannot be read. */
export function renderEmbed(embed: unknown, context: RenderContext): string {
  const html = tryGet(() => {
    const { title, description, url, color, fields, image, thumbnail, timestamp, ...rest } = fieldsOf(embed)
    const author = fieldsOf(rest.author)
    const footer = fieldsOf(rest.footer)
    const heading = renderText(title, url, context)
    const inner = [
      renderLine(author.icon_url, [renderText(author.name, author.url, context)], context),
      heading && element('h3', {}, heading),
      description ? renderTextDisplay({ content: description }, context) : '',
      ...itemsOf(fields, context).map((field) => renderField(field, context)),
    ].join('')
    const content = [
      thumbnail
        ? box('section', box('embed', inner), renderThumbnail(pictureOf(thumbnail), context))
        : inner && box('embed', inner),
      image ? renderMediaGallery({ items: [pictureOf(image)] }, context) : '',
      renderLine(footer.icon_url, [renderText(footer.text, '', context), renderTimestamp(timestamp, context)], context),
    ].join('')
    return content && renderCard(color, box('stack', content))
  })
  return html === undefined ? placeholder('Cannot be read') : html || placeholder('Embed')
}
