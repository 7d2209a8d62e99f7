/** What frameworks subscribe to: `client.session`, a live store, or a selection of one (`store.select(…)`). */
export interface Source<T> {
  readonly subscribe: (listener: () => void) => () => void
  readonly getSnapshot: () => T
}
