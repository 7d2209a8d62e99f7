/** Renders messages and modals as HTML, escaped and without scripts. API, "Component Type". */

import type { MessageFlags } from '../components/constants'
import { isComponent, isObject, type PlainObject } from '../components/plain-object'
import { renderAvatar, renderComponent, renderEmbed, renderStack, renderTextDisplay } from './components'
import { renderButton } from './controls'
import { previewCss } from './css'
import {
  box,
  createContext,
  element,
  escapeHtml,
  fieldsOf,
  itemsOf,
  type PreviewOptions,
  placeholder,
  type RenderContext,
  textOf,
  toPictureUrl,
  tryGet,
} from './html'

const IS_COMPONENTS_V2: MessageFlags = 32768

/**
 * Renders the content and embeds above the rows of a message without the flag; with the flag, these fields do not work.
 */
function renderLegacyFields({ flags, content, embeds }: PlainObject, context: RenderContext): string {
  if (typeof flags === 'number' && flags & IS_COMPONENTS_V2) return ''
  const cards = itemsOf(embeds, context).map((embed) => renderEmbed(embed, context))
  return `${content ? renderTextDisplay({ content }, context) : ''}${cards.join('')}`
}

function renderAuthor(context: RenderContext): string {
  const { name, avatarUrl } = fieldsOf(context.options.author)
  const text = escapeHtml(textOf(name, context))
  return text && box('line', renderAvatar(toPictureUrl(avatarUrl)), element('strong', { dir: 'auto' }, text))
}

function renderEnvelope(value: PlainObject, context: RenderContext): string {
  const title = textOf(value.title, context)
  if (!title) {
    return renderStack(value.components, context, renderAuthor(context) + renderLegacyFields(value, context))
  }
  const heading = element('h2', {}, escapeHtml(title))
  const content = renderStack(value.components, context, renderLegacyFields(value, context))
  // The document shows no buttons of modals: they are a convention, the main one last.
  const buttons = [
    renderButton({ style: 2, label: 'Cancel' }, context),
    renderButton({ style: 1, label: 'Submit' }, context),
  ]
  return element('section', { class: 'rp-modal', 'aria-label': title }, heading, content, box('row', ...buttons))
}

function renderRoot(value: unknown, context: RenderContext): string {
  const html = tryGet(() => {
    if (isObject(value) && !isComponent(value)) return renderEnvelope(value, context)
    return renderStack(Array.isArray(value) ? value : [value], context, renderAuthor(context))
  })
  return html ?? placeholder('Cannot be read')
}

/**
 * Renders a message or a modal as HTML: one element without scripts or `style` attributes, with all input escaped. Runs
 * in every JavaScript runtime. A preview has no behaviour beyond that of HTML elements.
 *
 * The API document only shows the size of a separator's gap, so every other aspect of the look is a convention.
 * So is the subset of Markdown: headings (`#`, `##`, `###`), subtext (`-#`), quotes (`> ` per line, `>>> ` to the end),
 * lists (`-`, `*`, `1.`), code in backticks, `**bold**`, `*italic*`, `__underlined__`, `~~struck~~`, `||spoiler||`,
 * `[links](https://…)` and bare URLs. Mentions, custom emoji and timestamps are shown as `options.resolve` says, or as
 * readable text.
 *
 * Embeds have the usual fields, since the API document does not show any: `title`, `description`, `url`, `color`, `fields`,
 * `author`, `footer`, `image`, `thumbnail` and `timestamp`. Code blocks with a language have colours, emoji alone are large,
 * and a modal has buttons.
 *
 * Types 16 and 20 and unknown types are boxes that name the type. Only http and https URLs are linked to or loaded. The HTML has at most 10,000 components,
 * options and pictures, ten levels and two million characters of text; the rest is omitted. Never throws, whatever the
 * value is.
 *
 * @param value Message, modal, component or array of components: built, written by hand or received.
 * @param options Colours, styles, URLs of attachments, and names for IDs.
 * @returns One `<div class="rapport-preview">`.
 *
 * API, "Component Type".
 *
 * @example
 * import { messageV2, text } from 'rapport-sdk/components'
 * import { toHtml } from 'rapport-sdk/preview'
 *
 * document.body.innerHTML = toHtml(messageV2(text('# Release 2.0')), { theme: 'dark' })
 */
export function toHtml(value: unknown, options: PreviewOptions = {}): string {
  const { theme = 'auto', css = true } = options
  const context = createContext(options, renderComponent)
  return element(
    'div',
    { class: 'rapport-preview', 'data-theme': theme },
    css ? `<style>${previewCss}</style>` : '',
    renderRoot(value, context),
    context.remainingParts > 0 ? '' : placeholder('Preview truncated'),
  )
}

export { previewCss } from './css'
export type { PreviewAuthor, PreviewOptions, PreviewResolvers, PreviewTimeStyle } from './html'
