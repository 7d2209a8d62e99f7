import { GatewayError } from '../errors/gateway-error'
import type { Gateway } from '../gateway/gateway'
import type { SessionState } from '../session/session'
import type { Kind } from './kind'
import type { LiveStore } from './live-store'
import { Store } from './store'

/** The part of a store that does not depend on what is in it. */
type OpenStore = Pick<Store<unknown, unknown, unknown>, 'renew' | 'end'>

/** The stores of one client that are open. */
export class LiveStores {
  readonly #gateway: Gateway
  readonly #isConfigured: boolean
  readonly #report: (error: unknown) => void
  readonly #open = new Set<OpenStore>()
  #isDisposed = false

  constructor(gateway: Gateway, isConfigured: boolean, session: SessionState, report: (error: unknown) => void) {
    this.#gateway = gateway
    this.#isConfigured = isConfigured
    this.#report = report
    session.onChange(({ type }) => {
      if (type === 'signedOut') this.#endAll('the session was signed out')
      // The new token may be another user's.
      else if (type !== 'elevated') for (const store of [...this.#open]) store.renew()
    })
  }

  /**
   * Opens a store. `load` asks the service for all that is in it.
   * @throws GatewayError where there can be no events.
   */
  open<Item, Key, Type>(
    kind: Kind<Item, Key, Type>,
    load: (signal: AbortSignal) => Promise<readonly Item[]>,
  ): LiveStore<Item, Key, Type> {
    if (this.#isDisposed) throw new GatewayError('disconnected', `${kind.name}: the client was disposed.`)
    if (!this.#isConfigured) {
      const advice = 'give the client the option `gateway: { url }`, or use `list`.'
      throw new GatewayError('not_configured', `${kind.name} needs events: ${advice}`)
    }
    const store: Store<Item, Key, Type> = new Store(
      kind,
      { gateway: this.#gateway, report: this.#report, closed: () => this.#open.delete(store) },
      load,
    )
    this.#open.add(store)
    return store
  }

  dispose(): void {
    this.#isDisposed = true
    this.#endAll('the client was disposed')
  }

  #endAll(why: string): void {
    for (const store of [...this.#open]) store.end(why)
  }
}
