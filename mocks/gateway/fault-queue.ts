import { orNull } from '../faults'
import type { Connection } from './connection'

/** What a gateway fault does to a connection. */
export type GatewayEffect =
  | { readonly kind: 'refuse' | 'freeze' | 'reconnect' | 'duplicate' }
  | { readonly kind: 'drop'; readonly code: number; readonly reason: string }
  | { readonly kind: 'invalid_session'; readonly resumable: boolean }

/** When a gateway fault happens: `connect` is before Hello, `event` is when a session is sent one. */
export type GatewayMoment = 'connect' | 'identify' | 'resume' | 'event'

/** A gateway fault that is set, in plain data, so that a snapshot holds it. */
export interface PendingGatewayFault {
  /** Tells it from others. */
  readonly id: number
  /** What goes wrong. */
  readonly effect: GatewayEffect
  /** When it does. */
  readonly at: readonly GatewayMoment[]
  /** ID of the user that it happens to; `null` for all. */
  readonly user: string | null
  /** How many times more it happens; `null` for every time. */
  readonly left: number | null
}

/** Hears that a fault has happened, and to which connection where there was one. */
export type OnTaken = (connection: Connection | undefined) => void

interface NewFault extends Omit<PendingGatewayFault, 'id' | 'left'> {
  readonly left: number
}

/** The gateway faults that wait for their moment. */
export interface GatewayFaultQueue {
  /** Sets a fault. @returns what takes it back. */
  add(fault: NewFault, onTaken: OnTaken): () => void
  /** The effect that is due, if any; its times go down by one. */
  take(moment: GatewayMoment, user: string | undefined, connection?: Connection): GatewayEffect | undefined
  /** The faults that are set. */
  save(): readonly PendingGatewayFault[]
  /** Goes back to faults that were set. */
  load(pending: readonly PendingGatewayFault[]): void
  /** Takes all of them back. */
  clear(): void
}

interface Entry extends NewFault {
  readonly id: number
  readonly onTaken: OnTaken
  left: number
}

export function createGatewayFaultQueue(): GatewayFaultQueue {
  let entries: Entry[] = []
  let lastId = 0
  return {
    add(fault, onTaken) {
      lastId += 1
      const id = lastId
      entries.push({ ...fault, id, onTaken })
      return () => {
        entries = entries.filter((other) => other.id !== id)
      }
    },
    take(moment, user, connection) {
      const entry = entries.find(({ left, at, user: wanted }) => {
        return left > 0 && at.includes(moment) && (wanted === null || wanted === user)
      })
      if (entry === undefined) return undefined
      entry.left -= 1
      entry.onTaken(connection)
      return entry.effect
    },
    save: () => entries.map(({ onTaken: _, ...entry }) => ({ ...entry, left: orNull(entry.left) })),
    load(pending) {
      entries = pending.map((entry) => ({
        ...entry,
        left: entry.left ?? Number.POSITIVE_INFINITY,
        onTaken: () => {},
      }))
      // A snapshot may be another service's: no fault that is set later gets the ID of one that it brings.
      lastId = Math.max(lastId, ...entries.map(({ id }) => id))
    },
    clear() {
      entries = []
    },
  }
}
