// How much a soak of the gateway does, and in which order; the soak and its service both read it.

export const EVENTS = Number(process.env.SOAK_EVENTS ?? 1_000_000)
export const RECONNECTS = Number(process.env.SOAK_RECONNECTS ?? 1_000)
/** A round is some events with the loss of a connection in their midst. */
export const EVENTS_A_ROUND = Math.ceil(EVENTS / RECONNECTS)
/** How often clients beat: a vanished peer is noticed after two of these at most. */
export const HEARTBEAT_MS = 150

/**
 * How a connection is lost:
 * - `kill`: it is cut;
 * - `reconnect`: the service asks for it;
 * - `retry`: the session is said to be invalid, and can be resumed all the same;
 * - `vanish`: the other end neither reads nor writes any more;
 * - `invalid`: the session has ended;
 * - `leave`: the client disconnects, and connects once more.
 */
export type Loss = 'kill' | 'reconnect' | 'retry' | 'vanish' | 'invalid' | 'leave'

/** Losses after which there is a fresh session; what happens before it is in no session's events. */
export const STARTS_AFRESH: ReadonlySet<Loss> = new Set<Loss>(['invalid', 'leave'])

/**
 * The loss of a round. `invalid` is rare, since a client waits for up to five seconds then, and starts at most one session in
 * five seconds.
 */
export function lossOf(round: number): Loss {
  if (round % 100 === 7) return 'invalid'
  if (round % 50 === 12) return 'leave'
  if (round % 10 === 3) return 'vanish'
  if (round % 10 === 5) return 'retry'
  return round % 3 === 0 ? 'reconnect' : 'kill'
}

/** What the soak asks of its service. */
export type Ask =
  | { readonly what: 'events'; readonly count: number }
  | { readonly what: 'loss'; readonly loss: Loss }
  | { readonly what: 'thaw' | 'end' }

/** What the service tells once it listens. */
export interface Listening {
  readonly url: string
  readonly gatewayUrl: string
  readonly token: string
  readonly friends: number
}
