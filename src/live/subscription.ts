import type { Gateway } from '../gateway/gateway'
import type { GatewayStateChange } from '../gateway/state'
import type { GatewayWarning } from '../gateway/warning'
import type { Change, Kind } from './kind'

/** Whom a subscription tells. */
export interface Follower<Item> {
  /** An event has come. */
  changed(change: Change<Item>): void
  /** The connection was lost, or resumed without a gap. */
  connected(isConnected: boolean): void
  /** An event has not come that may have been for it. */
  missed(): void
  /** A fresh session has started: what happened before it is unknown. */
  started(): void
}

/** Follows what a gateway tells that matters to one kind of store. Returns what ends it. */
export function subscribe<Item, Key, Type>(
  gateway: Gateway,
  kind: Kind<Item, Key, Type>,
  follower: Follower<Item>,
): () => void {
  const ends: (() => void)[] = []
  const events = new Set<string>()
  let isOver = false
  const listen: Listen = (type, listener) => {
    // Of the event at which it ends, the gateway still calls who was there when it came.
    const open: typeof listener = (event) => {
      if (!isOver) listener(event)
    }
    gateway.on(type, open)
    ends.push(() => gateway.off(type, open))
  }
  kind.events((type, change) => {
    events.add(type)
    listen(type, (payload) => {
      try {
        follower.changed(change(payload))
      } catch (error) {
        // Nested too deeply, say. The gateway tells of it.
        follower.missed()
        throw error
      }
    })
  })
  listen('stateChange', ({ state }: GatewayStateChange) => {
    // That it is ready, `ready` and `resumed` tell, which say more.
    if (state !== 'ready') follower.connected(false)
  })
  listen('resumed', () => follower.connected(true))
  listen('ready', () => follower.started())
  listen('warning', (warning) => {
    if (isLoss(warning, events)) follower.missed()
  })
  return () => {
    isOver = true
    for (const end of ends) end()
  }
}

type Listen = <K extends Parameters<Gateway['on']>[0]>(
  type: K,
  listener: Parameters<typeof Gateway.prototype.on<K>>[1],
) => void

function isLoss({ code, event }: GatewayWarning, events: ReadonlySet<string>): boolean {
  if (code === 'invalid_payload') return event !== undefined && events.has(event)
  // What could not be read may have been an event.
  return code === 'sequence_gap' || code === 'malformed_frame' || code === 'frame_too_large'
}
