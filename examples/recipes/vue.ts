import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'
import type { Source } from './source'

/**
 * Returns a ref that follows the session or a live store until the component unmounts:
 *
 *     const session = toRef(client.session)
 *     const friends = toRef(relationships.select(({ filter }) => filter(RelationshipType.FRIEND)))
 *
 * The ref is shallow, because snapshots are frozen and replaced as a whole.
 */
export function toRef<T>({ subscribe, getSnapshot }: Source<T>): Readonly<ShallowRef<T>> {
  const value = shallowRef(getSnapshot())
  const unsubscribe = subscribe(() => {
    value.value = getSnapshot()
  })
  onScopeDispose(unsubscribe)
  return value
}
