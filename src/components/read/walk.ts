import { characters } from '../../contract/size'
import { typed, type Wire } from '../edge'
import type { AnyComponent, ComponentSource } from './source'
import {
  componentAt,
  counter,
  isComponent,
  listAt,
  type Path,
  readable,
  reading,
  slotsOf,
  topOf,
  type Work,
} from './tree'

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
  const work = counter()
  try {
    if (isComponent(source)) yield* visit(source, [], undefined, work)
    else yield* visitAll(...topOf(source), undefined, work)
  } catch (error) {
    throw readable(error)
  }
}

type Visits = Generator<ComponentVisit, void, undefined>

function* visitAll(list: readonly unknown[], path: Path, parent: AnyComponent | undefined, work: Work): Visits {
  for (let index = 0; index < list.length; index++) {
    work()
    yield* visit(list[index], [...path, index], parent, work)
  }
}

function* visit(value: unknown, path: Path, parent: AnyComponent | undefined, work: Work): Visits {
  const wire = componentAt(value, path)
  const component = typed<AnyComponent>(wire)
  yield { component, path, parent }
  for (const [name, isList] of slotsOf(wire.type)) {
    const held = wire[name]
    const heldPath = [...path, name]
    if (isList) yield* visitAll(listAt(held, heldPath), heldPath, component, work)
    else if (held !== undefined && held !== null) yield* visit(held, heldPath, component, work)
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
  return find(source, ({ custom_id }) => custom_id === customId)
}

function find(source: ComponentSource, isIt: (component: Wire) => boolean): AnyComponent | undefined {
  return reading(() => {
    for (const { component } of walk(source)) if (isIt(typed(component))) return component
    return undefined
  })
}

/**
 * The component of an `id`, if there is one; 0 is none.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findById(source: ComponentSource, id: number): AnyComponent | undefined {
  return find(source, (component) => component.id === id && id !== 0)
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
  return reading(() => {
    let sum = 0
    for (const { component } of walk(source)) {
      const { type, content } = typed<Wire>(component)
      if (type === 10 && typeof content === 'string') sum += length === 'utf16' ? content.length : characters(content)
    }
    return sum
  })
}
