import type { Client, LiveSelection, LiveStore } from 'rapport-sdk'

/** A live list with changes that are shown before the service has made them. */
export interface OptimisticList<Item> extends LiveSelection<readonly Item[]> {
  /**
   * Shows a change of the list and makes the call. The change is shown until the call fails, or else until a list that has its effect
   * is loaded. `change` runs again for each new list: it must not fail if an event has already made the change.
   */
  readonly run: <T>(change: (items: readonly Item[]) => readonly Item[], call: () => Promise<T>) => Promise<T>
}

/** Creates an {@link OptimisticList} of a live store: one for the app, next to the store. */
export function createOptimisticList<Item, Key, Type>(
  { session }: Client,
  store: LiveStore<Item, Key, Type>,
): OptimisticList<Item> {
  const changes = new Set<(items: readonly Item[]) => readonly Item[]>()
  const listeners = new Set<() => void>()
  let snapshot: { readonly of: readonly Item[]; readonly shown: readonly Item[] } | undefined
  const notify = () => {
    snapshot = undefined
    for (const listener of [...listeners]) listener()
  }
  // The changes are those of an account. The store is empty until it has loaded the next one.
  session.onChange(({ type }) => {
    if (type === 'elevated' || type === 'userChanged' || changes.size === 0) return
    changes.clear()
    notify()
  })
  return {
    getSnapshot() {
      const of = store.all()
      if (snapshot?.of !== of) snapshot = { of, shown: [...changes].reduce((items, change) => change(items), of) }
      return snapshot.shown
    },
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener)
      listeners.add(listener)
      return () => {
        unsubscribe()
        listeners.delete(listener)
      }
    },
    async run(change, call) {
      // An own function, so that the same change can be shown twice.
      const own = (items: readonly Item[]) => change(items)
      const drop = () => changes.delete(own) && notify()
      changes.add(own)
      notify()
      try {
        const result = await call()
        // The event may come later, or be lost.
        void store
          .refresh()
          .catch(() => untilLoaded(store))
          .then(drop)
        return result
      } catch (error) {
        drop()
        throw error
      }
    },
  }
}

/** Resolves when the store, which retries a failed load by itself, has succeeded or belongs to another account. */
function untilLoaded(
  store: Pick<LiveStore<unknown, never, never>, 'subscribe' | 'lastError' | 'status'>,
): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = store.subscribe(() => {
      if (store.lastError !== undefined && store.status !== 'closed') return
      unsubscribe()
      resolve()
    })
  })
}
