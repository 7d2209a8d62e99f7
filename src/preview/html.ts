import { isObject, type PlainObject } from '../components/plain-object'

/**
 * Display style of a timestamp: `t` and `T` are a time, `d` and `D` a date, `f`, `F`, `s` and `S` both, and `R` is
 * relative to the present. By convention, since the API document does not show timestamps.
 */
export type PreviewTimeStyle = 't' | 'T' | 'd' | 'D' | 'f' | 'F' | 's' | 'S' | 'R'

/**
 * Functions that return what IDs in a message stand for; all are optional. If one is missing, returns `undefined`, an
 * empty string or another type, or throws, the preview shows readable text instead. Their results are escaped.
 */
export interface PreviewResolvers {
  /** Returns the name of a user, without `@`, for `<@id>` and default values of selects. Default: the ID. */
  readonly user?: (id: string) => string | undefined
  /** Returns the name of a role, without `@`, for `<@&id>` and default values of selects. Default: the ID. */
  readonly role?: (id: string) => string | undefined
  /** Returns the name of a channel, without `#`, for `<#id>` and default values of selects. Default: the ID. */
  readonly channel?: (id: string) => string | undefined
  /**
   * Returns the URL of the picture of a custom emoji, for `<:name:id>`, `<a:name:id>` and buttons. The same URLs are
   * allowed as for pictures in {@link PreviewOptions.attachmentUrl}. Default: no picture, but `:name:`, as always in
   * options of selects.
   */
  readonly emoji?: (id: string, name: string, isAnimated: boolean) => string | undefined
  /**
   * Returns the text of a timestamp `<t:seconds:style>`, such as `date.toLocaleString('de')`. Default: date, time or
   * both in UTC, such as `2026-05-01 12:00 UTC`; also for the style `R`, so that a preview does not depend on the clock.
   */
  readonly time?: (date: Date, style: PreviewTimeStyle) => string | undefined
}

/** Author of a message, as an application names it. */
export interface PreviewAuthor {
  /** Name. Escaped; one that is empty, or not a string, shows no author. */
  readonly name: string
  /** URL of the picture; the same are allowed as for pictures in {@link PreviewOptions.attachmentUrl}. Default: none. */
  readonly avatarUrl?: string | undefined
}

/** Options of {@link toHtml}. The API document does not show the look of components, so all of it is a convention. */
export interface PreviewOptions {
  /**
   * Colours; `auto` follows `prefers-color-scheme`.
   * @default 'auto'
   */
  readonly theme?: 'auto' | 'dark' | 'light'
  /**
   * Whether to include the styles in a `<style>` element. With `false`, add {@link previewCss} to your own stylesheet;
   * a Content-Security-Policy without `'unsafe-inline'` then allows the whole preview, since no element has a `style`
   * attribute and accent colours are the `fill` of an SVG.
   * @default true
   */
  readonly css?: boolean
  /**
   * Returns the URL of the file that an `attachment://<filename>` reference names, such as the URL you uploaded it to
   * or `URL.createObjectURL(file)`. A URL that starts with `http:`, `https:` or `/` may be shown and linked to; one
   * that starts with `blob:` or `data:image/` is only shown; others are ignored. Without a URL, or if this throws, a
   * box shows the name of the file. API, "Unfurled Media Item".
   */
  readonly attachmentUrl?: (filename: string) => string | undefined
  /**
   * Functions that return the names of mentioned users, roles and channels, the pictures of custom emoji, and the text
   * of timestamps. Without them, the preview shows IDs, `:name:` and UTC.
   */
  readonly resolve?: PreviewResolvers
  /** Author to show above a message, not above a modal. Default: none, since a message that is sent contains none. */
  readonly author?: PreviewAuthor
  /**
   * Prefix of each `id` and `name` of form controls. Use a different one for each preview on a page; otherwise radio
   * buttons of different previews share one selection, and labels refer to the controls of the first preview. Allowed
   * are letters, digits, `-` and `_`; other characters become `-`. Controls belong to no form, so a `<form>` around a
   * preview does not submit them.
   * @default 'rapport'
   */
  readonly idPrefix?: string
}

/** Attributes by name. `true` renders an empty value; `undefined` and `false` omit the attribute. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Escapes a string for HTML content and quoted attributes. Replaces U+0000, which HTML parsers drop or misread. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\0', '\ufffd')
}

/** Returns the start tag of an element, which is all of a void element. Escapes the attributes. */
export function openTag(name: string, attributes: Attributes): string {
  const attributeStrings = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false ? '' : ` ${key}="${value === true ? '' : escapeHtml(`${value}`)}"`,
  )
  return `<${name}${attributeStrings.join('')}>`
}

/** Returns an element. `content` must be HTML already. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  return `${openTag(name, attributes)}${content.join('')}</${name}>`
}

/** Returns a `<div>` with the class `rp-<name>`. */
export function box(name: string, ...content: readonly string[]): string {
  return element('div', { class: `rp-${name}` }, ...content)
}

/** Returns a box with a message in place of content that cannot be shown. */
export function placeholder(text: string): string {
  return box('box', escapeHtml(text))
}

/**
 * Returns the start tag of a link that opens in a new tab without access to this page: `noreferrer` implies `noopener`.
 * `dir` isolates direction marks in the link from the content after it.
 */
export function openLink(href: string, name?: string): string {
  return openTag('a', { href, class: name, dir: 'auto', target: '_blank', rel: 'noreferrer' })
}

/** Hides content until clicked if it is a spoiler. */
export function wrapSpoiler(isSpoiler: unknown, content: string): string {
  return isSpoiler === true ? `<details class="rp-spoiler"><summary>Spoiler</summary>${content}</details>` : content
}

/** Maximum nesting depth of components; valid input has three levels. */
export const MAX_DEPTH = 10
/** Maximum number of components, options and pictures; guards against cyclic input. */
const MAX_PARTS = 10_000
/** Maximum number of UTF-16 units of text; one long string may occur many times. */
const MAX_TEXT = 2_000_000

/** IDs that link a label and its control. */
export interface Field {
  readonly id: string
  readonly hint: string | undefined
}

/** State of the rendering of one preview. */
export interface RenderContext {
  readonly options: PreviewOptions
  /** Renders any component. */
  readonly render: (component: unknown, context: RenderContext, field?: Field) => string
  /** Remaining number of parts and of UTF-16 units of text. */
  remainingParts: number
  remainingText: number
  depth: number
  lastId: number
}

export function createContext(options: PreviewOptions, render: RenderContext['render']): RenderContext {
  return { options, render: render, remainingParts: MAX_PARTS, remainingText: MAX_TEXT, depth: 0, lastId: 0 }
}

/**
 * Returns the result of a function, or `undefined` if it throws: getters, proxies and functions of the app may throw
 * anything.
 */
export function tryGet<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns a value if it is an object, or else an empty object. */
export function fieldsOf(value: unknown): PlainObject {
  return isObject(value) ? value : {}
}

/** Returns a string, or a number as a string, or else an empty string. Truncates it to the remaining length. */
export function textOf(value: unknown, context: RenderContext): string {
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.slice(0, context.remainingText) : ''
  context.remainingText -= text.length
  return text
}

/** Returns the items of an array up to the remaining number of parts, or else none. */
export function itemsOf(value: unknown, context: RenderContext): readonly unknown[] {
  const items: unknown[] = []
  if (!Array.isArray(value)) return items
  for (let index = 0; index < value.length && context.remainingParts > 0; index++) {
    context.remainingParts--
    items.push(value[index])
  }
  return items
}

export function renderAll(value: unknown, context: RenderContext): string {
  return itemsOf(value, context)
    .map((component) => context.render(component, context))
    .join('')
}

/** Returns a unique `id` or `name` of the preview. */
export function newId(context: RenderContext): string {
  const { idPrefix = 'rapport' } = context.options
  return `${idPrefix.replace(/[^\w-]/g, '-')}-${++context.lastId}`
}

/** URLs that may be linked to from any source. */
const WEB_URL = /^https?:\/\//i
/** URLs that `attachmentUrl` may return for a link. A path has no scheme, so it cannot be a script. */
const FILE_URL = /^(https?:\/)?\//i
/** URLs that `attachmentUrl` may return for a picture; an `<img>` cannot execute them. */
const PICTURE_URL = /^((https?:\/)?\/|blob:|data:image\/)/i

const ATTACHMENT_SCHEME = 'attachment://'

/** Returns a URL if it may be linked to. */
export function toWebUrl(url: string): string | undefined {
  return WEB_URL.test(url) ? url : undefined
}

/** Returns a URL if an option may return it for a picture. */
export function toPictureUrl(url: unknown, allowed = PICTURE_URL): string | undefined {
  return typeof url === 'string' && allowed.test(url) ? url : undefined
}

/** Returns the URL to open a file or load a picture from, if there is one. */
export function toFileUrl(url: string, context: RenderContext, isPicture?: boolean): string | undefined {
  if (!url.startsWith(ATTACHMENT_SCHEME)) return toWebUrl(url)
  const fileUrl: unknown = tryGet(() => context.options.attachmentUrl?.(fileNameOf(url)))
  return toPictureUrl(fileUrl, isPicture ? PICTURE_URL : FILE_URL)
}

/** Returns the text that a function of the user returns, or else an empty string. */
export function resolveText(
  resolve: (resolvers: PreviewResolvers) => string | undefined,
  context: RenderContext,
): string {
  const text: unknown = tryGet(() => resolve(context.options.resolve ?? {}))
  return typeof text === 'string' ? textOf(text, context) : ''
}

/** Renders a custom emoji as a picture, or as its name if there is no URL. */
export function renderEmoji(id: string, name: string, isAnimated: boolean, context: RenderContext): string {
  const src = toPictureUrl(resolveText((resolvers) => resolvers.emoji?.(id, name, isAnimated), context))
  const alt = `:${name}:`
  return src
    ? openTag('img', { class: 'rp-emoji', src, alt, title: alt, referrerpolicy: 'no-referrer' })
    : escapeHtml(alt)
}

/** Returns a name with its prefix: what a function of the user returns, or else the ID. */
export function mentionText(kind: 'user' | 'role' | 'channel', id: string, context: RenderContext): string {
  return (kind === 'channel' ? '#' : '@') + (resolveText((resolvers) => resolvers[kind]?.(id), context) || id)
}

/** Returns the name of a file: the attachment reference without its scheme, or the last segment of a URL. */
export function fileNameOf(url: string): string {
  if (url.startsWith(ATTACHMENT_SCHEME)) return url.slice(ATTACHMENT_SCHEME.length)
  return toWebUrl(url)?.split(/[?#]/)[0]?.split('/').pop() || url
}
