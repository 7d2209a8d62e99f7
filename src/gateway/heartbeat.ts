import { setSafeTimeout } from '../abort'

/** Time between two looks at the clock in milliseconds, so that a wake from sleep is noticed within seconds. */
const LOOK_MS = 5_000
/** Maximum delay of a timer in a busy process, in milliseconds; a longer delay means that the process was suspended. */
const MAX_TIMER_DELAY_MS = 1_000
/** Maximum time until a probe is acknowledged, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000

/** Heartbeats that are due within this time are sent together: a process that wakes up for each of them uses twice the CPU time. */
const TOGETHER_MS = 1_000

/** Heartbeats of all connections: one timer looks for a suspension of the process, instead of one for each connection. */
const running = new Set<Heartbeat>()
/** When the next look is scheduled. Wall-clock time, which advances while the machine sleeps. */
let lookAt = 0
let cancelLook = () => {}

function scheduleLook(): void {
  lookAt = Date.now() + LOOK_MS
  cancelLook = setSafeTimeout(LOOK_MS, () => {
    if (Date.now() - lookAt > MAX_TIMER_DELAY_MS) for (const heartbeat of [...running]) heartbeat.tick()
    // A tick may have closed the last connection, or opened another one.
    cancelLook()
    if (running.size > 0) scheduleLook()
  })
}

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

  constructor(intervalMs: number, send: () => void, onTimeout: () => void) {
    this.#intervalMs = intervalMs
    this.#send = send
    this.#onTimeout = onTimeout
    // Random, so that clients that reconnect at the same time do not send their heartbeats at the same time.
    this.#dueAt = performance.now() + Math.random() * intervalMs
    if (running.size === 0) scheduleLook()
    running.add(this)
    this.#scheduleTick()
  }

  acknowledge(): void {
    if (this.#deadline === Infinity) return
    this.latency = performance.now() - this.#sentAt
    this.#deadline = Infinity
    this.#isProbing = false
    // From a received frame: in a hidden tab, Chromium delays timers that a chain of timers has set by up to a minute.
    this.#scheduleTick()
  }

  /** Sends a heartbeat when due, and calls `onTimeout` if the last one was not acknowledged in time. */
  tick(): void {
    const lateMs = Date.now() - Math.min(this.#expectedAt, lookAt)
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
    this.#cancel()
    if (running.delete(this) && running.size === 0) cancelLook()
  }

  #sendHeartbeat(timeoutMs: number): void {
    this.#sentAt = performance.now()
    this.#dueAt = this.#sentAt + this.#intervalMs
    this.#deadline = this.#sentAt + timeoutMs
    this.#send()
  }

  #scheduleTick(): void {
    this.#cancel()
    // Sending may have closed the connection.
    if (!running.has(this)) return
    const delayMs = Math.max(0, Math.min(this.#dueAt, this.#deadline) - performance.now())
    this.#expectedAt = Date.now() + delayMs
    this.#cancel = setSafeTimeout(delayMs, () => {
      this.tick()
      for (const heartbeat of running) heartbeat.#sendEarly()
    })
  }

  /** Sends a heartbeat that is due within {@link TOGETHER_MS}, and at most 2.5 % of its interval early. */
  #sendEarly(): void {
    const now = performance.now()
    if (this.#deadline !== Infinity || this.#dueAt - now > Math.min(TOGETHER_MS, this.#intervalMs / 40)) return
    this.#dueAt = now
    this.tick()
  }
}
