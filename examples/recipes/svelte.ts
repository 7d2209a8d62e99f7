import { type Readable, readable } from 'svelte/store'
import type { Source } from './source'

/**
 * Returns a Svelte store of the session or of a live store, for `$session` and `$friends` in components:
 *
 *     export const session = toReadable(client.session)
 *     export const friends = toReadable(relationships.select(({ filter }) => filter(RelationshipType.FRIEND)))
 */
export function toReadable<T>({ subscribe, getSnapshot }: Source<T>): Readable<T> {
  return readable(getSnapshot(), (set) => {
    // It may have changed since the last subscriber left.
    set(getSnapshot())
    return subscribe(() => set(getSnapshot()))
  })
}
