import type { ReadyEvent } from '../contract/gateway-events'

/** Failures in a row after which something else is tried. */
const MOST_FAILURES = 3
/** How many of the last events are remembered, and how large they may be. */
const MAX_REMEMBERED = 32
const MAX_REMEMBERED_LENGTH = 4_096

/** What `track` returns for an event that was delivered before, and where the numbers have gone back. */
export const DUPLICATE = -1
export const WENT_BACK = -2

interface Remembered {
  readonly sequence: number
  /** The frame as it came; `null` of bytes. */
  readonly raw: string | null
}

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
  /** The last events as they came, by their number: one that comes twice is equal to what came before. */
  #remembered: Remembered[] = []
  /** The highest number that has come on this connection. */
  #highest = -1
  /** The number up to which events came before the connection that resumed the session. */
  #resumedFrom = -1

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

  /** A connection has opened that resumes the session. */
  resuming(): void {
    this.replayed = 0
    this.#highest = -1
    this.#resumedFrom = this.sequence ?? -1
  }

  /**
   * Takes note of an event. Returns how many are missing before it, or that it is a duplicate, or that the numbers have
   * gone back: such an event must be delivered, for a service that restarts its numbers would be ignored otherwise.
   * `raw` is the frame as it came.
   */
  track(sequence: number | null, raw: string | ArrayBuffer, isReplay: boolean): number {
    if (sequence === null) return 0
    const last = this.sequence
    const isOld = last !== null && sequence <= last
    if (sequence > this.#highest) this.#highest = sequence
    if (isOld) {
      const remembered = this.#remembered[sequence % MAX_REMEMBERED]
      // After a replay, what came before it is sent again by a service only if its numbers have restarted.
      const isKnown = remembered?.sequence === sequence && (isReplay || sequence > this.#resumedFrom)
      // Of a replay it is expected that it repeats what is too old, or too large, to be remembered.
      // Two frames of bytes with one number are taken to be equal.
      if (isKnown ? remembered.raw === null || remembered.raw === raw : isReplay) return DUPLICATE
    }
    const text = typeof raw === 'string' ? raw : null
    if (text === null || text.length <= MAX_REMEMBERED_LENGTH)
      this.#remembered[sequence % MAX_REMEMBERED] = { sequence, raw: text }
    this.sequence = sequence
    if (last === null) return 0
    if (!isOld) return sequence - last - 1
    this.#highest = sequence
    this.#resumedFrom = sequence - 1
    return WENT_BACK
  }

  /** As `track`, for the end of a replay, which shows how far the numbers of the service have come. */
  trackEnd(sequence: number | null, isReplay: boolean): number {
    const last = this.sequence
    const reached = sequence ?? (isReplay && this.#highest >= 0 ? this.#highest : last)
    this.sequence = reached
    if (last === null || reached === null || reached === last) return 0
    return reached < last ? WENT_BACK : reached - last - 1
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
    this.#remembered = []
    this.#resumedFrom = -1
    this.resumed()
  }

  /** What comes next is another life. */
  forget(): void {
    this.clear()
    this.ready = undefined
    this.hash = null
  }
}
