import { characters } from '../../contract/size'
import type { Path } from '../rules'
import { type PlainObject, unsafeCast } from '../schema'
import type { AnyComponent, ComponentSource } from './source'
import { transformTree } from './tree'

/** A component and where it is. Interface, "Component Type". */
export interface ComponentVisit {
  /** The component. */
  readonly component: AnyComponent
  /** Where it is, from the root of what was given: `['components', 0, 'accessory']`. */
  readonly path: readonly (string | number)[]
  /** What it stands in; nothing at the top. */
  readonly parent: AnyComponent | undefined
}

function each(
  source: ComponentSource,
  look: (component: PlainObject, path: Path, parent: PlainObject | undefined) => void,
): void {
  transformTree(source, (component, path, parent) => {
    look(component, path, parent)
    return component
  })
}

/**
 * All components, each before what it holds; accessories and the fields of labels included. What components of unknown
 * types hold is not looked at.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 *
 * @example
 * import { button, formatPath, row, walk } from 'rapport-sdk/components'
 *
 * for (const { component, path } of walk([row(button.primary('yes', 'Yes'))])) {
 *   console.log(formatPath(path), component.type)
 * }
 */
export function walk(source: ComponentSource): readonly ComponentVisit[] {
  const visits: ComponentVisit[] = []
  each(source, (component, path, parent) =>
    visits.push({ component: unsafeCast(component), path, parent: unsafeCast(parent) }),
  )
  return visits
}

/**
 * How many components there are, with all that they hold: what a message may have 40 of.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function countComponents(source: ComponentSource): number {
  return walk(source).length
}

/**
 * The component of a `custom_id`, if there is one.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findByCustomId(source: ComponentSource, customId: string): AnyComponent | undefined {
  return find(source, 'custom_id', customId)
}

/**
 * The component of an `id`, if there is one; 0 is none.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findById(source: ComponentSource, id: number): AnyComponent | undefined {
  return id === 0 ? undefined : find(source, 'id', id)
}

function find(source: ComponentSource, field: string, value: unknown): AnyComponent | undefined {
  let found: unknown
  each(source, (component) => {
    if (value !== undefined && component[field] === value) found ??= component
  })
  return unsafeCast(found)
}

/**
 * The length of all text displays together, of which a message may have 4000: that these count is a convention.
 *
 * @param options What a character is: a Unicode code point, or a UTF-16 unit.
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function textLength(source: ComponentSource, options?: { readonly length?: 'codePoints' | 'utf16' }): number {
  let sum = 0
  each(source, ({ type, content }) => {
    if (type === 10 && typeof content === 'string') {
      sum += options?.length === 'utf16' ? content.length : characters(content)
    }
  })
  return sum
}
