import type { GatewayBackoffOptions } from './options'
import type { GatewayProtocol } from './protocol'

/** Maximum number of sessions that start in a burst. */
const MAX_IDENTIFIES = 5
/** Average interval between the starts of sessions in the long run, in milliseconds. */
const IDENTIFY_INTERVAL_MS = 5_000

/** The options with all defaults filled in. */
type ResolvedOptions = Readonly<Record<keyof GatewayBackoffOptions, number>>

/** Computes the wait before each attempt, with full jitter under a limit that doubles, and the rate limit of sessions. */
export class Backoff {
  readonly #options: ResolvedOptions
  #attempts = 0
  /** When the current session started or was resumed. */
  #connectedAt = Infinity
  #failedAt = -Infinity
  /** When the service accepts connections again. */
  #acceptedAt = -Infinity
  /** When the next session may start if no burst is allowed: each session adds `IDENTIFY_INTERVAL_MS`. */
  #nextIdentifyAt = -Infinity

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  /**
   * Counts an attempt and returns the wait before it, in milliseconds.
   * @param minMs Wait that the service has asked for, also of later calls of `connect`.
   */
  next(minMs = 0): number {
    const { initialDelay, baseDelay, maxDelay } = this.#options
    const limit = this.#attempts === 0 ? initialDelay : Math.min(maxDelay, baseDelay * 2 ** (this.#attempts - 1))
    // Capped, because 0 * Infinity is NaN.
    this.#attempts = Math.min(this.#attempts + 1, 1_000)
    if (minMs > 0) this.#acceptedAt = performance.now() + minMs
    return Math.max(minMs, Math.random() * limit)
  }

  /** Returns the wait before a new session after an invalid one, in milliseconds: 1,000 to 5,000, at most `maxDelay`. */
  afterInvalid(): number {
    return Math.min(this.#options.maxDelay, 1_000 + Math.random() * 4_000)
  }

  /** Returns the wait before `connect` may open a connection, in milliseconds: an app may call it on each failure. */
  beforeConnect(): number {
    const nextAt = this.#failedAt === -Infinity ? 0 : this.#failedAt + this.next()
    return Math.max(0, Math.max(nextAt, this.#acceptedAt) - performance.now())
  }

  /** Resolves when a session may start: at once, unless a subclass limits the sessions of many accounts. */
  async enter(): Promise<void> {}

  /** Returns the wait before a session may start, in milliseconds. */
  beforeIdentify(): number {
    return Math.max(0, this.#nextIdentifyAt - (MAX_IDENTIFIES - 1) * IDENTIFY_INTERVAL_MS - performance.now())
  }

  /** Counts the start of a session. */
  markIdentified(): void {
    this.#nextIdentifyAt = Math.max(this.#nextIdentifyAt, performance.now()) + IDENTIFY_INTERVAL_MS
  }

  /** Records that a session was started or resumed. An open socket does not count: the service may close it immediately. */
  markConnected(): void {
    this.#connectedAt = performance.now()
  }

  /** Records the end of a connection. One that lasted `resetAfter`, or that the app closed, does not count as a start. */
  markEnded(isByApp: boolean): void {
    const uptimeMs = performance.now() - this.#connectedAt
    const isStable = uptimeMs >= this.#options.resetAfter
    if (isStable || isByApp) this.reset()
    if (isStable || (isByApp && uptimeMs >= 0)) this.#nextIdentifyAt -= IDENTIFY_INTERVAL_MS
    this.#connectedAt = Infinity
  }

  /** Records that the gateway has closed for good. */
  markFailed(): void {
    this.#failedAt = performance.now()
  }

  /** Resets the waits, but not the rate limit of sessions. */
  reset(): void {
    this.#attempts = 0
    this.#failedAt = this.#acceptedAt = -Infinity
  }
}

/** What only protocols of this package have. */
export interface InternalProtocol extends GatewayProtocol {
  /** Maximum time until Resumed, in milliseconds. */
  readonly resumeTimeoutMs?: number
  /** Waits that outlive the gateway. */
  readonly backoff?: Backoff
  /** Session of another gateway that the first connection resumes: its Ready, and the number of its last event. */
  readonly session?: { readonly ready: unknown; readonly sequence: number | null } | undefined
}
