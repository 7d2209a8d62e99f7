import type { PlainObject } from '../components/schema'
import { box, element, spoiler } from './element'
import { type Page, writeAll } from './page'

/** Components below each other, and what stands above them. */
export function stack(components: unknown, page: Page, above = ''): string {
  return box('stack', above, writeAll(components, page))
}

/** Interface, "Action Row". */
export function actionRow({ components }: PlainObject, page: Page): string {
  return box('row', writeAll(components, page))
}

/** Interface, "Section". */
export function section({ components, accessory }: PlainObject, page: Page): string {
  return box('section', stack(components, page), accessory === undefined ? '' : page.write(accessory, page))
}

/**
 * The bar of a container is an SVG: a `fill` is no style, so that no Content-Security-Policy forbids it.
 * Interface, "Container".
 */
export function container({ components, accent_color: color, spoiler: isSpoiler }: PlainObject, page: Page): string {
  let bar = ''
  if (typeof color === 'number' && color === (color & 0xffffff)) {
    const fill = `#${color.toString(16).padStart(6, '0')}`
    const rect = element('rect', { width: '100%', height: '100%', fill })
    bar = element('svg', { class: 'rp-bar', 'aria-hidden': 'true' }, rect)
  }
  return box('container', bar, spoiler(isSpoiler, stack(components, page)))
}
