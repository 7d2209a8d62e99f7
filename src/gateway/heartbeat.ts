import { setSafeTimeout } from '../abort'

/** How often the clock is looked at, so that a machine that slept is noticed soon after it wakes. */
const LOOK_MS = 5_000
/** How much later than asked a timer may go off, without more of an explanation than a busy process. */
const LATE_MS = 1_000
/** How long a probe may be unacknowledged. */
const PROBE_MS = 5_000

/** The heartbeats of one connection. */
export class Heartbeat {
  /** How long the last acknowledged beat took to be so, in milliseconds. */
  latency: number | null = null
  readonly #intervalMs: number
  readonly #send: () => void
  readonly #onTimeout: () => void
  /** By a clock that only goes forward, as `#sentAt` and `#judgeAt`. */
  #dueAt: number
  #sentAt = 0
  #judgeAt = Infinity
  #isProbing = false
  /** By the clock on the wall, which goes on while a machine sleeps. */
  #expectedAt = 0
  #cancel = () => {}
  #isStopped = false

  constructor(intervalMs: number, send: () => void, onTimeout: () => void) {
    this.#intervalMs = intervalMs
    this.#send = send
    this.#onTimeout = onTimeout
    // Many clients may have connected at once, after an outage say: their beats must not come at once.
    this.#dueAt = performance.now() + Math.random() * intervalMs
    this.#sleep()
  }

  acknowledged(): void {
    if (this.#judgeAt === Infinity) return
    this.latency = performance.now() - this.#sentAt
    this.#judgeAt = Infinity
    this.#isProbing = false
  }

  /** Sends a heartbeat when it is due, and ends the connection if the last one was not acknowledged in time. */
  tick(): void {
    this.#cancel()
    const lateMs = Date.now() - this.#expectedAt
    const hasJumped = lateMs > 2 * this.#intervalMs
    const now = performance.now()
    const isPending = this.#judgeAt !== Infinity
    // The acknowledgement may have come while nobody looked, and not be read yet. So ask once more before judging.
    const isExcused = (hasJumped || (now >= this.#judgeAt && lateMs > LATE_MS)) && !this.#isProbing
    if (isPending && now >= this.#judgeAt && !isExcused) this.#onTimeout()
    else if (isExcused) this.#beat(Math.min(this.#intervalMs, PROBE_MS))
    else if (!isPending && now >= this.#dueAt) this.#beat(this.#intervalMs)
    this.#isProbing ||= isExcused
    this.#sleep()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #beat(judgeAfterMs: number): void {
    this.#sentAt = performance.now()
    this.#dueAt = this.#sentAt + this.#intervalMs
    this.#judgeAt = this.#sentAt + judgeAfterMs
    this.#send()
  }

  #sleep(): void {
    // Sending may have ended the connection.
    if (this.#isStopped) return
    const ms = Math.max(0, Math.min(LOOK_MS, Math.min(this.#dueAt, this.#judgeAt) - performance.now()))
    this.#expectedAt = Date.now() + ms
    this.#cancel = setSafeTimeout(ms, () => this.tick())
  }
}
