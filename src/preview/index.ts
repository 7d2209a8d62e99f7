import type { MessageFlags } from '../components/constants'
import { isComponent, isObject, type PlainObject } from '../components/schema'
import { component, stack, textDisplay } from './components'
import { previewCss } from './css'
import {
  createContext,
  element,
  escapeHtml,
  itemsOf,
  type PreviewOptions,
  placeholder,
  type RenderContext,
  textOf,
  tryGet,
} from './html'

const IS_COMPONENTS_V2: MessageFlags = 32768

/** What a message without the flag has above its rows; with it these fields do not work. */
function legacy({ flags, content, embeds }: PlainObject, page: RenderContext): string {
  if (typeof flags === 'number' && flags & IS_COMPONENTS_V2) return ''
  const shown = itemsOf(embeds, page).map(() => placeholder('Embed'))
  return `${content ? textDisplay({ content }, page) : ''}${shown.join('')}`
}

function envelope(value: PlainObject, page: RenderContext): string {
  const title = textOf(value.title, page)
  const content = stack(value.components, page, legacy(value, page))
  if (!title) return content
  const heading = element('h2', {}, escapeHtml(title))
  return element('section', { class: 'rp-modal', 'aria-label': title }, heading, content)
}

function renderRoot(value: unknown, page: RenderContext): string {
  const html = tryGet(() => {
    if (isObject(value) && !isComponent(value)) return envelope(value, page)
    return stack(Array.isArray(value) ? value : [value], page)
  })
  return html ?? placeholder('Cannot be read')
}

/**
 * What a message or a modal may look like, as HTML: one element, without scripts, without `style` attributes, and with
 * nothing in it that was not escaped. It runs wherever strings do; a preview has no behaviour but what HTML gives it.
 *
 * The interface says how large a separator's gap is and no more about looks, so all else is a convention, and so is the part
 * of Markdown that texts may have: headings (`#`, `##`, `###`), subtext (`-#`), quotes (`>`), lists (`-`, `*`, `1.`), code
 * in backticks, `**bold**`, `*italic*`, `__underlined__`, `~~struck~~`, `||spoiler||` and `[links](https://…)`. Mentions and
 * custom emoji stand as they are written.
 *
 * Types 16 and 20 and types of later days are boxes that name the type; embeds, whose fields the document does not show, are
 * boxes too. Only http and https are linked to or loaded from. The HTML has at most 10,000 components, options and pictures,
 * ten levels deep, and two million characters of text; what is more is left out. It never throws, whatever
 * it is given; options that are wrong or cannot be read are as good as absent.
 *
 * @param value A message, a modal, a component or a list of components: built, written by hand or received.
 * @param options Colours, styles, and where attachments are.
 * @returns One `<div class="rapport-preview">`.
 *
 * Interface, "Component Type".
 *
 * @example
 * import { messageV2, text } from 'rapport-sdk/components'
 * import { toHtml } from 'rapport-sdk/preview'
 *
 * document.body.innerHTML = toHtml(messageV2(text('# Release 2.0')), { theme: 'dark' })
 */
export function toHtml(value: unknown, options: PreviewOptions = {}): string {
  const theme = tryGet(() => options.theme)
  const page = createContext(options, component)
  return element(
    'div',
    { class: 'rapport-preview', 'data-theme': theme === 'dark' || theme === 'light' ? theme : 'auto' },
    tryGet(() => options.css) === false ? '' : `<style>${previewCss}</style>`,
    renderRoot(value, page),
    page.parts > 0 ? '' : placeholder('More than a preview shows'),
  )
}

/**
 * What messages and modals look like: HTML of their components, escaped and without scripts. Interface, "Component Type".
 */
export { previewCss } from './css'
export type { PreviewOptions, PreviewTheme } from './html'
