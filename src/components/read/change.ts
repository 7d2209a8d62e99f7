import { Owned, owned } from '../build/owned'
import { typed, type Wire } from '../edge'
import type { ComponentInput } from '../input/envelopes'
import { rowOf } from '../table/table'
import type { AnyComponent, ComponentSource } from './source'
import { type AnyWire, componentAt, isComponent, listAt, type Path, reading, slotsOf, topOf, type Work } from './tree'
import { findByCustomId, walk } from './walk'

/** What to make of a component; what it holds comes after it. */
type Change = (component: AnyWire, parent: AnyWire | undefined) => Wire

/**
 * The same with another component in place of the first that has a `custom_id`; what does not change is shared. Without
 * such a component it is the very value that was given.
 *
 * @param replacement A component, or what makes it of the one that was there.
 * @throws ComponentError where what is given are no components, or has no end.
 *
 * @example
 * import { button, messageV2, replaceByCustomId, row } from 'rapport-sdk/components'
 *
 * const message = messageV2(row(button.primary('deploy', 'Deploy')))
 * const done = replaceByCustomId(message, 'deploy', button.success('deploy', 'Deployed').withDisabled())
 */
export function replaceByCustomId<T extends ComponentSource>(
  source: T,
  customId: string,
  replacement: ComponentInput | ((component: AnyComponent) => ComponentInput),
): T {
  const found = findByCustomId(source, customId)
  if (found === undefined) return source
  const next = typed<Wire>(owned(typeof replacement === 'function' ? replacement(found) : replacement))
  return transform(source, (component) => (component === typed(found) ? next : component))
}

/**
 * The same with all buttons and selects disabled, but for those in labels, which a modal does not take; what does not
 * change is shared. Interface, "Button" and "String Select".
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function disableAll<T extends ComponentSource>(source: T): T {
  return transform(source, (component, parent) => {
    const isOpen = rowOf(component.type)?.fields.disabled !== undefined && component.disabled !== true
    return isOpen && parent?.type !== 18 ? revised(component, { disabled: true }) : component
  })
}

/**
 * The same with an `id` for each component that has none or 0, counted from 1 in the order of {@link walk}, without those
 * that another component has; what does not change is shared. Interface, "Common component fields".
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function assignIds<T extends ComponentSource>(source: T): T {
  const taken = new Set<unknown>()
  reading(() => {
    for (const { component } of walk(source)) taken.add(component.id)
  })
  let last = 0
  return transform(source, (component) => {
    if (component.id) return component
    do last++
    while (taken.has(last))
    return revised(component, { id: last })
  })
}

function transform<T extends ComponentSource>(source: T, change: Change): T {
  return reading((work) => {
    if (isComponent(source)) return typed(transformed(source, [], undefined, change, work))
    const [list, path] = topOf(source)
    const next = transformedList(list, path, undefined, change, work)
    if (next === list) return source
    return typed(Array.isArray(source) ? next : revised(typed(source), { components: next }))
  })
}

function transformed(value: unknown, path: Path, parent: AnyWire | undefined, change: Change, work: Work): Wire {
  const component = componentAt(value, path)
  const next = change(component, parent)
  const patch: Record<string, unknown> = {}
  let isChanged = false
  for (const [name, isList] of slotsOf(component.type)) {
    const held = next[name]
    const heldPath = [...path, name]
    if (held === undefined || held === null) continue
    patch[name] = isList
      ? transformedList(listAt(held, heldPath), heldPath, component, change, work)
      : transformed(held, heldPath, component, change, work)
    isChanged ||= patch[name] !== held
  }
  return isChanged ? revised(next, patch) : next
}

function transformedList(
  list: readonly unknown[],
  path: Path,
  parent: AnyWire | undefined,
  change: Change,
  work: Work,
): readonly unknown[] {
  const items: unknown[] = []
  let isChanged = false
  for (let index = 0; index < list.length; index++) {
    work()
    items.push(transformed(list[index], [...path, index], parent, change, work))
    isChanged ||= items[index] !== list[index]
  }
  if (!isChanged) return list
  return Object.isFrozen(list) ? Object.freeze(items) : items
}

/** A copy with other fields: frozen where the value is, and with its methods. */
function revised(value: Wire, patch: Wire): Wire {
  const copy = { ...value, ...patch }
  if (Object.prototype.isPrototypeOf.call(Owned, value)) Object.setPrototypeOf(copy, Object.getPrototypeOf(value))
  return Object.isFrozen(value) ? Object.freeze(copy) : copy
}
