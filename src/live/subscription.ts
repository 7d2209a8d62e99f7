import type { GatewayStateChange, GatewayWarning } from '../gateway/events'
import type { Gateway } from '../gateway/gateway'
import type { Change, StoreDefinition } from './live-store'
import type { ReloadCause } from './loader'

/** Callbacks of a subscription. None is called after it has ended. */
export interface StoreHandlers<Item> {
  received(change: Change<Item>): void
  /** The connection was lost, or resumed without a gap. */
  connected(isConnected: boolean): void
  /** An event was not received, or could not be used, that may have been for the store. */
  missed(cause: ReloadCause): void
  /** A fresh session has started: what happened before it is unknown. */
  started(): void
}

/** Subscribes to the events of a gateway that matter to one kind of store. Returns an unsubscribe function. */
export function subscribe<Item, Key, Type>(
  gateway: Gateway,
  definition: StoreDefinition<Item, Key, Type>,
  handlers: StoreHandlers<Item>,
): () => void {
  const ends: (() => void)[] = []
  const events = new Set<string>()
  let wasUnread = false
  const listen: Listen = (type, listener) => {
    gateway.on(type, listener)
    ends.push(() => gateway.off(type, listener))
  }
  definition.events((type, change) => {
    events.add(type)
    listen(type, (payload) => {
      try {
        handlers.received(change(payload))
      } catch (error) {
        // Nested too deeply, for example. The gateway reports it.
        handlers.missed('damage')
        throw error
      }
    })
  })
  listen('stateChange', ({ state }: GatewayStateChange) => {
    // `ready` and `resumed` say more than this state.
    if (state !== 'ready') handlers.connected(false)
  })
  listen('resumed', () => handlers.connected(true))
  listen('ready', () => handlers.started())
  listen('warning', ({ code, event }: GatewayWarning) => {
    if (code === 'sequence_gap') {
      // A frame that could not be read leaves a gap: that is one cause, not two.
      handlers.missed(wasUnread ? 'damage' : 'gap')
      wasUnread = false
    } else if (code === 'malformed_frame' || code === 'frame_too_large') {
      // It may have been an event.
      wasUnread = true
      handlers.missed('damage')
    } else if (code === 'invalid_payload' && event !== undefined && events.has(event)) handlers.missed('damage')
  })
  return () => {
    for (const end of ends) end()
  }
}

type Listen = <K extends Parameters<Gateway['on']>[0]>(
  type: K,
  listener: Parameters<typeof Gateway.prototype.on<K>>[1],
) => void
