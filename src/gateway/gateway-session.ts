import type { ReadyEvent } from '../contract/gateway-events'

/** Failures in a row after which something else is tried. */
const MOST_FAILURES = 3

/** What a lost connection is resumed with. */
export class GatewaySession {
  #id: string | undefined
  #resumeUrl: string | undefined
  #sequence: number | null = null
  #failedResumes = 0
  #failedOpens = 0

  /** Names the session; `undefined` where there is none to resume. */
  get id(): string | undefined {
    return this.#id
  }

  /** Where to resume it; `undefined` where that is the address of the options. */
  get resumeUrl(): string | undefined {
    return this.#resumeUrl
  }

  /** Number of the last event that came. */
  get sequence(): number | null {
    return this.#sequence
  }

  begin({ session_id }: ReadyEvent, resumeUrl: string | undefined, sequence: number | null): void {
    this.clear()
    // Ready needs its hash alone, so this may be anything.
    if (typeof session_id === 'string' && session_id !== '') this.#id = session_id
    this.#resumeUrl = resumeUrl
    this.#sequence = sequence
  }

  /** Takes note of the number of an event. Returns how many are missing before it, -1 where it is no new one. */
  count(sequence: number): number {
    const last = this.#sequence
    if (last !== null && sequence <= last) return -1
    this.#sequence = sequence
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
    if (++this.#failedOpens >= MOST_FAILURES) this.#resumeUrl = undefined
  }

  clear(): void {
    this.#id = undefined
    this.#resumeUrl = undefined
    this.#sequence = null
    this.resumed()
  }
}
