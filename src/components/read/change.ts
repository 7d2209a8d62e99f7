import { toFrozen } from '../factory'
import type { ComponentInput } from '../messages'
import { rowOf } from '../registry'
import { unsafeCast } from '../schema'
import type { AnyComponent, ComponentSource } from './source'
import { transformTree, withField } from './tree'
import { findByCustomId, walk } from './walk'

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
  const next = unsafeCast<ComponentInput>(
    toFrozen(typeof replacement === 'function' ? replacement(found) : replacement),
  )
  let isDone = false
  return unsafeCast(
    transformTree(source, (component) => {
      if (isDone || component !== unsafeCast(found)) return component
      isDone = true
      return unsafeCast(next)
    }),
  )
}

/**
 * The same with all buttons and selects disabled, but for those in labels, which a modal does not take; what does not
 * change is shared. Interface, "Button" and "String Select".
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function disableAll<T extends ComponentSource>(source: T): T {
  const next = transformTree(source, (component, _, parent) => {
    const isOn = rowOf(component.type)?.fields.has('disabled') && component.disabled !== true
    return isOn && parent?.type !== 18 ? withField(component, 'disabled', true) : component
  })
  return unsafeCast(next)
}

/**
 * The same with an `id` for each component that has none or 0, counted from 1 in the order of {@link walk}, without those
 * that another component has; what does not change is shared. Interface, "Common component fields".
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function assignIds<T extends ComponentSource>(source: T): T {
  const taken = new Set(walk(source).map(({ component }) => component.id))
  let last = 0
  const next = transformTree(source, (component) => {
    if (component.id) return component
    do last++
    while (taken.has(last))
    return withField(component, 'id', last)
  })
  return unsafeCast(next)
}
