// Embeds. The API document names `embeds`, but not their fields: these are the usual ones, by convention.
import { renderCard, renderMediaGallery, renderTextDisplay, renderThumbnail } from './components'
import {
  box,
  element,
  escapeHtml,
  fieldsOf,
  itemsOf,
  openLink,
  openTag,
  placeholder,
  type RenderContext,
  textOf,
  toFileUrl,
  toWebUrl,
  tryGet,
} from './html'
import { renderTime } from './markdown'

/** Renders a small round picture next to a name. */
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
