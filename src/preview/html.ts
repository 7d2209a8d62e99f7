import { isObject, type PlainObject } from '../components/schema'

/** Attributes by name: `true` is one without a value, and what is not there, or `false`, is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A text as HTML, for contents and for attributes in quotes. A parser would drop the character 0, or worse. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\0', '\ufffd')
}

/** The start of an element; all of it, where it has no end. Attributes are escaped here. */
export function openTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false ? '' : ` ${key}="${value === true ? '' : escapeHtml(`${value}`)}"`,
  )
  return `<${name}${written.join('')}>`
}

/** An element. Its content is HTML already. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  return `${openTag(name, attributes)}${content.join('')}</${name}>`
}

/** A `<div>` of a class. */
export function box(name: string, ...content: readonly string[]): string {
  return element('div', { class: `rp-${name}` }, ...content)
}

/** In place of what cannot be shown: what it is. */
export function placeholder(text: string): string {
  return box('box', escapeHtml(text))
}

/**
 * The start of a link, which opens in a page of its own that knows nothing of this one: `noreferrer` means `noopener` too.
 * With a direction of its own, a mark in it that turns texts turns none behind it.
 */
export function openLink(href: string, name?: string): string {
  return openTag('a', { href, class: name, dir: 'auto', target: '_blank', rel: 'noreferrer' })
}

/** What is hidden until it is clicked, where it is to be. */
export function spoiler(isSpoiler: unknown, content: string): string {
  return isSpoiler === true ? `<details><summary>Spoiler</summary>${content}</details>` : content
}

/** Levels of components; what fits the interface has three. */
export const MAX_DEPTH = 10
/** Components, options and pictures: a value that is in itself has no end. */
const MAX_PARTS = 10_000
/** UTF-16 units of text: one long text may be in a value many times. */
const MAX_TEXT = 2_000_000

/** The label that a control stands in: what ties the two together. */
export interface Field {
  readonly id: string
  readonly hint: string | undefined
}

/** A preview in the making. Its options may be anything: they are read in {@link tryGet} alone. */
export interface RenderContext {
  readonly options: PreviewOptions
  /** The HTML of a component, whatever it is. */
  readonly write: (component: unknown, page: RenderContext, field?: Field) => string
  /** How many more parts there may be, and how much more text. */
  parts: number
  text: number
  depth: number
  ids: number
}

/** A preview that has nothing yet. */
export function createContext(options: PreviewOptions, write: RenderContext['write']): RenderContext {
  return { options, write, parts: MAX_PARTS, text: MAX_TEXT, depth: 0, ids: 0 }
}

/** What a function gives, if it gives anything: getters, proxies and functions of others may throw whatever they like. */
export function tryGet<T>(give: () => T): T | undefined {
  try {
    return give()
  } catch {
    return undefined
  }
}

/** The fields of an object; of anything else, none. */
export function fieldsOf(value: unknown): PlainObject {
  return isObject(value) ? value : {}
}

/** A text, or a number as one; of anything else, nothing. */
export function textOf(value: unknown, page: RenderContext): string {
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.slice(0, page.text) : ''
  page.text -= text.length
  return text
}

/** The items of a list, as long as there may be more; of anything else, none. */
export function itemsOf(value: unknown, page: RenderContext): readonly unknown[] {
  const items: unknown[] = []
  if (!Array.isArray(value)) return items
  for (let index = 0; index < value.length && page.parts > 0; index++) {
    page.parts--
    items.push(value[index])
  }
  return items
}

/** Components, one after the other. */
export function writeAll(value: unknown, page: RenderContext): string {
  return itemsOf(value, page)
    .map((component) => page.write(component, page))
    .join('')
}

/** An `id` or a `name` that nothing else of the preview has. */
export function newId(page: RenderContext): string {
  const prefix: unknown = tryGet(() => page.options.idPrefix)
  return `${typeof prefix === 'string' ? prefix.replace(/[^\w-]/g, '-') : 'rapport'}-${++page.ids}`
}

/** What a link may lead to, wherever it comes from. */
const WEB = /^https?:\/\//i
/** What the page itself gives for an attachment: a path has no scheme, so it can be no script. */
const OWN = /^(https?:\/)?\//i
/** And what is a picture and nothing else where an `<img>` shows it. */
const OWN_PICTURE = /^((https?:\/)?\/|blob:|data:image\/)/i

const ATTACHMENT = 'attachment://'

/** An address that may be linked to, if this is one. */
export function webAddress(url: string): string | undefined {
  return WEB.test(url) ? url : undefined
}

/** Where a file can be opened or a picture be loaded from, if it can. */
export function fileAddress(url: string, page: RenderContext, isPicture?: boolean): string | undefined {
  if (!url.startsWith(ATTACHMENT)) return webAddress(url)
  const given: unknown = tryGet(() => page.options.attachmentUrl?.(fileName(url)))
  return typeof given === 'string' && (isPicture ? OWN_PICTURE : OWN).test(given) ? given : undefined
}

/** What a file is called: all of a reference, the end of an address. */
export function fileName(url: string): string {
  if (url.startsWith(ATTACHMENT)) return url.slice(ATTACHMENT.length)
  return webAddress(url)?.split(/[?#]/)[0]?.split('/').pop() || url
}

/** Which colours a preview has: those that the reader's system asks for, or always the same. */
export type PreviewTheme = 'auto' | 'dark' | 'light'

/**
 * How a preview is made. None of it is in the interface: what a preview looks like is a convention. An option of a wrong type,
 * or one that throws when it is read, is as good as absent.
 */
export interface PreviewOptions {
  /**
   * Its colours; `auto` follows `prefers-color-scheme`.
   * @default 'auto'
   */
  readonly theme?: PreviewTheme
  /**
   * Whether the styles stand in a `<style>` of the preview. With `false`, put {@link previewCss} into a stylesheet of your
   * own: a Content-Security-Policy without `'unsafe-inline'` then allows everything in a preview, for no element has a
   * `style` attribute and accent colours are the `fill` of an SVG.
   * @default true
   */
  readonly css?: boolean
  /**
   * Where the file of an `attachment://<filename>` reference is, such as the address that you have uploaded it to or
   * `URL.createObjectURL(file)`. An address that begins with `http:`, `https:` or `/` may be shown and linked to, one that
   * begins with `blob:` or `data:image/` is shown and not linked to, and no other is used. Without an address, or where this
   * throws, there is a box with the name of the file. Interface, "Unfurled Media Item".
   */
  readonly attachmentUrl?: (filename: string) => string | undefined
  /**
   * Begins each `id` and each `name` of form controls: give previews that stand on one page one each. With the same, choosing
   * a radio button of one takes the choice of the other away, and labels lead to the controls of the first. Letters, digits,
   * `-` and `_`; anything else becomes `-`. Controls belong to no form, so a `<form>` around a preview sends none of them.
   * @default 'rapport'
   */
  readonly idPrefix?: string
}
