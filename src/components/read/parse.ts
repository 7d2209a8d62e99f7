import { isArray } from '../factory'
import type { ReceivedComponent } from '../received'
import { unsafeCast } from '../schema'
import { walk } from './walk'

/**
 * A list of components as the service has sent it, typed. It is looked at alone for what the readers count on: that it is
 * a list of components, down to the last. Unknown types and fields stay as they came; nothing is thrown away, and it is
 * the very list that was given. Interface, "Component Type".
 *
 * @param json What JSON.parse gives, not its text.
 * @throws ComponentError where it is no such list.
 *
 * @example
 * import { isButton, parseComponents, walk } from 'rapport-sdk/components'
 *
 * const components = parseComponents([{ type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, custom_id: 'a' }] }])
 * for (const { component } of walk(components)) if (isButton(component)) console.log(component.custom_id)
 */
export function parseComponents(json: unknown): readonly ReceivedComponent[] {
  // To walk it all is to see that all of it is there.
  walk(unsafeCast(isArray(json) ? json : undefined))
  return unsafeCast(json)
}
