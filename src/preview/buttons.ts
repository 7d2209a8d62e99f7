import type { ButtonStyle } from '../components/constants'
import type { PlainObject } from '../components/schema'
import { webAddress } from './address'
import { element, escapeHtml, open, openLink } from './element'
import { fieldsOf, type Page, textOf } from './page'

const LINK: ButtonStyle = 5
const PREMIUM: ButtonStyle = 6

const icon = (d: string): string =>
  element('svg', { class: 'rp-icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, element('path', { d }))

/** A bag, which a premium button shows by itself, and an arrow that leads out. */
const SHOP = icon('M2 5h12l-1 10H3zM5.5 7V4a2.5 2.5 0 0 1 5 0v3')
const OUT = icon('M9 2h5v5M14 2 7 9M6 3H2v11h11v-4')

/**
 * An emoji as text. The document does not show its fields, so this is a convention: a `name` stands as it is, or between
 * colons where there is an `id` too.
 */
export function emojiText(emoji: unknown, page: Page): string {
  const { id, name } = fieldsOf(emoji)
  const text = textOf(name, page)
  return text && (id ? `:${text}: ` : `${text} `)
}

/** A button of a style of the interface; any other looks like a secondary one. Interface, "Button". */
export function button({ style, label, emoji, url, sku_id, disabled }: PlainObject, page: Page): string {
  const isLink = style === LINK
  const isPremium = style === PREMIUM
  const text = isPremium ? `SKU ${textOf(sku_id, page)}` : emojiText(emoji, page) + textOf(label, page)
  const content = `${isPremium ? SHOP : ''}<span>${escapeHtml(text.trim() || 'Button')}</span>${isLink ? OUT : ''}`
  const name = `rp-button rp-style-${typeof style === 'number' ? style : ''}`
  const href = isLink && disabled !== true && webAddress(textOf(url, page))
  if (href) return `${openLink(href, name)}${content}</a>`
  return `${open('button', { type: 'button', class: name, disabled: disabled === true || isLink })}${content}</button>`
}
