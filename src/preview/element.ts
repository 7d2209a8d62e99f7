/** Attributes by name: `true` is one without a value, and what is not there, or `false`, is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A text as HTML, for contents and for attributes in quotes. A parser would drop the character 0, or worse. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\0', '\ufffd')
}

/** The start of an element; all of it, where it has no end. Attributes are escaped here. */
export function open(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false ? '' : ` ${key}="${value === true ? '' : escapeHtml(`${value}`)}"`,
  )
  return `<${name}${written.join('')}>`
}

/** An element. Its content is HTML already. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  return `${open(name, attributes)}${content.join('')}</${name}>`
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
  return open('a', { href, class: name, dir: 'auto', target: '_blank', rel: 'noreferrer' })
}

/** What is hidden until it is clicked, where it is to be. */
export function spoiler(isSpoiler: unknown, content: string): string {
  return isSpoiler === true ? `<details><summary>Spoiler</summary>${content}</details>` : content
}
