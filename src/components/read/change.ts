import type { ComponentInput } from '../input/envelopes'
import type { AnyComponent, ComponentSource } from './source'

/** The same with another component in place of the one of a `custom_id`. */
export function replaceByCustomId<T extends ComponentSource>(
  source: T,
  customId: string,
  replacement: ComponentInput | ((component: AnyComponent) => ComponentInput),
): T {
  throw new Error(`${source}${customId}${replacement}`)
}

/** The same with all buttons and selects disabled. */
export function disableAll<T extends ComponentSource>(source: T): T {
  throw new Error(String(source))
}

/** The same with an `id` for each component that has none or 0. */
export function assignIds<T extends ComponentSource>(source: T): T {
  throw new Error(String(source))
}
