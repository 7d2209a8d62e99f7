import { isObject, type PlainObject } from '../components/schema'
import type { PreviewOptions } from './options'

/** Levels of components; what fits the interface has three. */
export const DEEPEST = 10
/** Components, options and pictures: a value that is in itself has no end. */
const MOST_PARTS = 10_000
/** UTF-16 units of text: one long text may be in a value many times. */
const MOST_TEXT = 2_000_000

/** The label that a control stands in: what ties the two together. */
export interface Field {
  readonly id: string
  readonly hint: string | undefined
}

/** A preview in the making. Its options may be anything: they are read in {@link tried} alone. */
export interface Page {
  readonly options: PreviewOptions
  /** The HTML of a component, whatever it is. */
  readonly write: (component: unknown, page: Page, field?: Field) => string
  /** How many more parts there may be, and how much more text. */
  parts: number
  text: number
  depth: number
  ids: number
}

/** A preview that has nothing yet. */
export function newPage(options: PreviewOptions, write: Page['write']): Page {
  return { options, write, parts: MOST_PARTS, text: MOST_TEXT, depth: 0, ids: 0 }
}

/** What a function gives, if it gives anything: getters, proxies and functions of others may throw whatever they like. */
export function tried<T>(give: () => T): T | undefined {
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
export function textOf(value: unknown, page: Page): string {
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.slice(0, page.text) : ''
  page.text -= text.length
  return text
}

/** The items of a list, as long as there may be more; of anything else, none. */
export function itemsOf(value: unknown, page: Page): readonly unknown[] {
  const items: unknown[] = []
  if (!Array.isArray(value)) return items
  for (let index = 0; index < value.length && page.parts > 0; index++) {
    page.parts--
    items.push(value[index])
  }
  return items
}

/** Components, one after the other. */
export function writeAll(value: unknown, page: Page): string {
  return itemsOf(value, page)
    .map((component) => page.write(component, page))
    .join('')
}

/** An `id` or a `name` that nothing else of the preview has. */
export function newId(page: Page): string {
  const prefix: unknown = tried(() => page.options.idPrefix)
  return `${typeof prefix === 'string' ? prefix.replace(/[^\w-]/g, '-') : 'rapport'}-${++page.ids}`
}
