export const EVENTS = Number(process.env.SOAK_EVENTS ?? 1_000_000)
export const RECONNECTS = Number(process.env.SOAK_RECONNECTS ?? 1_000)
/** A round is a number of events with the loss of a connection among them. */
export const EVENTS_PER_ROUND = Math.ceil(EVENTS / RECONNECTS)
/** The heartbeat interval. The client detects a vanished peer within two intervals. */
export const HEARTBEAT_MS = 150

/**
 * How a connection is lost:
 * - `kill`: the socket is cut;
 * - `reconnect`: the service asks the client to reconnect;
 * - `retry`: the service sends a resumable Invalid Session;
 * - `vanish`: the service no longer reads or writes;
 * - `invalid`: the service ends the session;
 * - `leave`: the client disconnects and connects again.
 */
export type Loss = 'kill' | 'reconnect' | 'retry' | 'vanish' | 'invalid' | 'leave'

/** Losses that lead to a new session, which does not receive earlier events. */
export const STARTS_NEW_SESSION: ReadonlySet<Loss> = new Set<Loss>(['invalid', 'leave'])

/**
 * Returns the loss of a round. `invalid` is rare, because the client then waits for up to five seconds and starts at most one
 * session in five seconds.
 */
export function lossOf(round: number): Loss {
  if (round % 100 === 7) return 'invalid'
  if (round % 50 === 12) return 'leave'
  if (round % 10 === 3) return 'vanish'
  if (round % 10 === 5) return 'retry'
  return round % 3 === 0 ? 'reconnect' : 'kill'
}

/** A message of the soak to its service. */
export type Command =
  | { readonly kind: 'events'; readonly count: number }
  | { readonly kind: 'loss'; readonly loss: Loss }
  | { readonly kind: 'thaw' | 'end' }

/** The message of the service once it listens. */
export interface Listening {
  readonly url: string
  readonly gatewayUrl: string
  readonly token: string
  readonly friends: number
}

/** Returns a generator of numbers from 0 to 1 that repeats for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
