import { characters } from '../../contract/size'
import { typed } from '../edge'
import type { AnyComponent, ComponentSource } from './source'
import { componentAt, isComponent, listAt, type Path, type Reading, readable, slotsOf, topOf } from './tree'

/** A component and where it is. */
export interface ComponentVisit {
  /** The component. */
  readonly component: AnyComponent
  /** Where it is, from the root of what was given: `['components', 0, 'accessory']`. */
  readonly path: readonly (string | number)[]
  /** What it stands in; nothing at the top. */
  readonly parent: AnyComponent | undefined
}

/**
 * Visits every component, each before what it holds; accessories and the fields of labels included. What components of
 * unknown types hold is not looked at.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 *
 * @example
 * import { button, formatPath, row, walk } from 'rapport-sdk/components'
 *
 * for (const { component, path } of walk([row(button.primary('yes', 'Yes'))])) console.log(formatPath(path), component.type)
 */
export function* walk(source: ComponentSource): Generator<ComponentVisit, void, undefined> {
  const reading = { work: 0 }
  try {
    if (isComponent(source)) yield* visit(source, [], undefined, reading)
    else yield* visitAll(...topOf(source), undefined, reading)
  } catch (error) {
    throw readable(error)
  }
}

type Visits = Generator<ComponentVisit, void, undefined>

function* visitAll(list: readonly unknown[], path: Path, parent: AnyComponent | undefined, reading: Reading): Visits {
  for (let index = 0; index < list.length; index++) yield* visit(list[index], [...path, index], parent, reading)
}

function* visit(value: unknown, path: Path, parent: AnyComponent | undefined, reading: Reading): Visits {
  const wire = componentAt(value, path, reading)
  const component = typed<AnyComponent>(wire)
  yield { component, path, parent }
  for (const [name, isList] of slotsOf(wire.type)) {
    const held = wire[name]
    const heldPath = [...path, name]
    if (isList) yield* visitAll(listAt(held, heldPath), heldPath, component, reading)
    else if (held !== undefined && held !== null) yield* visit(held, heldPath, component, reading)
  }
}

/**
 * How many components there are, with all that they hold: what a message may have 40 of.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function countComponents(source: ComponentSource): number {
  let count = 0
  for (const _ of walk(source)) count++
  return count
}

/**
 * The component of a `custom_id`, if there is one.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findByCustomId(source: ComponentSource, customId: string): AnyComponent | undefined {
  for (const { component } of walk(source)) {
    if ('custom_id' in component && component.custom_id === customId) return component
  }
  return undefined
}

/**
 * The component of an `id`, if there is one; 0 is none.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findById(source: ComponentSource, id: number): AnyComponent | undefined {
  if (id === 0) return undefined
  for (const { component } of walk(source)) if (component.id === id) return component
  return undefined
}

/**
 * The length of all text displays together, of which a message may have 4000: that these count is a convention.
 *
 * @param options What a character is: a Unicode code point, or a UTF-16 unit.
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function textLength(
  source: ComponentSource,
  { length = 'codePoints' }: { readonly length?: 'codePoints' | 'utf16' } = {},
): number {
  let sum = 0
  for (const { component } of walk(source)) {
    if (component.type !== 10 || !('content' in component) || typeof component.content !== 'string') continue
    sum += length === 'utf16' ? component.content.length : characters(component.content)
  }
  return sum
}
