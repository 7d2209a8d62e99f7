import type { AnyComponent, ComponentSource } from './source'

/** A component and where it is. */
export interface ComponentVisit {
  /** The component. */
  readonly component: AnyComponent
  /** Where it is, from the root of what was given: `['components', 0, 'accessory']`. */
  readonly path: readonly (string | number)[]
  /** What it stands in; nothing at the top. */
  readonly parent?: AnyComponent
}

/** Every component, each before what it holds; accessories and fields of labels included. */
export function* walk(source: ComponentSource): Generator<ComponentVisit, void, undefined> {
  throw new Error(String(source))
}

/** How many components there are, with all that they hold. */
export function countComponents(source: ComponentSource): number {
  return [...walk(source)].length
}

/** The component of a `custom_id`, if there is one. */
export function findByCustomId(source: ComponentSource, customId: string): AnyComponent | undefined {
  return [...walk(source)].length === 0 ? undefined : (customId as never)
}

/** The component of an `id`, if there is one; 0 is none. */
export function findById(source: ComponentSource, id: number): AnyComponent | undefined {
  return [...walk(source)].length === 0 ? undefined : (id as never)
}

/** How many characters all text displays have together. */
export function textLength(source: ComponentSource, options?: { readonly length?: 'codePoints' | 'utf16' }): number {
  return [...walk(source)].length + (options ? 1 : 0)
}
