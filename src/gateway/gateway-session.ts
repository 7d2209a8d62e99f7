import type { ReadyEvent } from '../contract/gateway-events'

/** Failures in a row after which something else is tried. */
const MOST_FAILURES = 3

/** A Gateway session: what it started with, how far it has come, and what a lost connection is resumed with. */
export class GatewaySession {
  /** Names the session; `undefined` where there is none to resume. */
  id: string | undefined
  /** Where to resume it; `undefined` where that is the address of the options. */
  resumeUrl: string | undefined
  /** Number of the last event that came. */
  sequence: number | null = null
  /** What the last session started with; like `hash` it stays until the next one has started. */
  ready: ReadyEvent | undefined
  /** ID hash of the authentication session that it belongs to. */
  hash: string | null = null
  /** How many events have come again on this connection. */
  replayed = 0
  #failedResumes = 0
  #failedOpens = 0

  begin(ready: ReadyEvent, resumeUrl: string | undefined, sequence: number | null): void {
    this.clear()
    const { session_id } = ready
    // Ready needs its hash alone, so this may be anything.
    if (typeof session_id === 'string' && session_id !== '') this.id = session_id
    this.resumeUrl = resumeUrl
    this.sequence = sequence
    this.ready = ready
    this.hash = ready.auth_session_id_hash
  }

  /** Takes note of the number of an event. Returns how many are missing before it, -1 where it is no new one. */
  count(sequence: number | null): number {
    if (sequence === null) return 0
    const last = this.sequence
    if (last !== null && sequence <= last) return -1
    this.sequence = sequence
    return last === null ? 0 : sequence - last - 1
  }

  resumed(): void {
    this.#failedResumes = 0
    this.#failedOpens = 0
  }

  /** A connection opened and ended before the session was resumed: after some of these a fresh one is tried. */
  resumeFailed(): void {
    if (++this.#failedResumes >= MOST_FAILURES) this.clear()
  }

  /** No connection came about. The session may well be alive, but its address may be gone. */
  openFailed(): void {
    if (++this.#failedOpens >= MOST_FAILURES) this.resumeUrl = undefined
  }

  /** The next session is a fresh one. */
  clear(): void {
    this.id = undefined
    this.resumeUrl = undefined
    this.sequence = null
    this.resumed()
  }

  /** What comes next is another life. */
  forget(): void {
    this.clear()
    this.ready = undefined
    this.hash = null
  }
}
