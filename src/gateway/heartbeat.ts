import { setSafeTimeout } from '../abort'

/** Maximum time between two ticks in milliseconds, so that a wake from sleep is noticed soon. */
const MAX_TICK_MS = 5_000
/** Maximum delay of a timer in a busy process, in milliseconds; a longer delay means that the process was suspended. */
const MAX_TIMER_DELAY_MS = 1_000
/** Maximum time until a probe is acknowledged, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000

/** The heartbeats of one connection. */
export class Heartbeat {
  /** Round-trip time of the last acknowledged heartbeat in milliseconds. */
  latency: number | null = null
  readonly #intervalMs: number
  readonly #send: () => void
  readonly #onTimeout: () => void
  /** When to send the next heartbeat. Monotonic time, as are `#sentAt` and `#deadline`. */
  #dueAt: number
  #sentAt = 0
  /** Until when the last heartbeat must be acknowledged; `Infinity` if it was. */
  #deadline = Infinity
  #isProbing = false
  /** When the next tick is scheduled. Wall-clock time, which advances while the machine sleeps. */
  #expectedAt = 0
  #cancel = () => {}
  #isStopped = false

  constructor(intervalMs: number, send: () => void, onTimeout: () => void) {
    this.#intervalMs = intervalMs
    this.#send = send
    this.#onTimeout = onTimeout
    // Random, so that clients that reconnect at the same time do not send their heartbeats at the same time.
    this.#dueAt = performance.now() + Math.random() * intervalMs
    this.#scheduleTick()
  }

  acknowledge(): void {
    if (this.#deadline === Infinity) return
    this.latency = performance.now() - this.#sentAt
    this.#deadline = Infinity
    this.#isProbing = false
  }

  /** Sends a heartbeat when due, and calls `onTimeout` if the last one was not acknowledged in time. */
  tick(): void {
    this.#cancel()
    const lateMs = Date.now() - this.#expectedAt
    const hasJumped = lateMs > 2 * this.#intervalMs
    const now = performance.now()
    const isPending = this.#deadline !== Infinity
    // After a suspension the acknowledgement may be received but not read yet: send one probe before giving up.
    const isProbeDue = (hasJumped || (now >= this.#deadline && lateMs > MAX_TIMER_DELAY_MS)) && !this.#isProbing
    if (isPending && now >= this.#deadline && !isProbeDue) this.#onTimeout()
    else if (isProbeDue) this.#sendHeartbeat(Math.min(this.#intervalMs, PROBE_TIMEOUT_MS))
    else if (!isPending && now >= this.#dueAt) this.#sendHeartbeat(this.#intervalMs)
    this.#isProbing ||= isProbeDue
    this.#scheduleTick()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #sendHeartbeat(timeoutMs: number): void {
    this.#sentAt = performance.now()
    this.#dueAt = this.#sentAt + this.#intervalMs
    this.#deadline = this.#sentAt + timeoutMs
    this.#send()
  }

  #scheduleTick(): void {
    // Sending may have closed the connection.
    if (this.#isStopped) return
    const delayMs = Math.max(0, Math.min(MAX_TICK_MS, Math.min(this.#dueAt, this.#deadline) - performance.now()))
    this.#expectedAt = Date.now() + delayMs
    this.#cancel = setSafeTimeout(delayMs, () => this.tick())
  }
}
