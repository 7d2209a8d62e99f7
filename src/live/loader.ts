// Loads and reloads the list of a live store, with backoff.
import { setSafeTimeout } from '../abort'
import { isAuthenticationError } from '../errors/api-errors'

/** Time that scheduled reloads are collected before one request is sent, in milliseconds. */
const DEBOUNCE_MS = 250
/** Minimum time between two scheduled reloads, in milliseconds. */
const MIN_INTERVAL_MS = 10_000
/** Maximum wait before the first retry, in milliseconds; it doubles with each failure up to `MAX_RETRY_MS`. */
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

interface Waiter {
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Callbacks of a {@link Loader}. */
export interface LoaderHandlers<Data> {
  /** Called before each request. */
  onStart(): void
  /** Sends the request. A retry must not prompt the user. */
  load(signal: AbortSignal, isRetry: boolean): Promise<Data>
  /** Called with each response that is not obsolete. An exception counts as a failure. */
  onLoad(data: Data): void
  onError(error: unknown): void
  /** Runs `callback`, and notifies listeners of its changes afterwards. */
  batch(callback: () => void): void
}

/** Loads the data of a store: one request at a time, at most one queued, with retries until one succeeds. */
export class Loader<Data> {
  /** Settles with the first response; after a failure, the next request replaces it. */
  ready: Promise<void>
  readonly #handlers: LoaderHandlers<Data>
  readonly #readyWaiters: Waiter[] = []
  #outcome: 'pending' | 'loaded' | 'failed' = 'pending'
  /** The request in flight; the response of any other request is ignored. */
  #request: AbortController | undefined
  /** Callers that wait for the request in flight. */
  readonly #waiters: Waiter[] = []
  /** Callers that wait for the request after it. */
  readonly #queuedWaiters: Waiter[] = []
  #isScheduled = false
  /** Time of the last scheduled reload. */
  #reloadedAt = -Infinity
  /** Number of failures in a row. */
  #failures = 0
  /** Whether the token was refused: then nothing is loaded before the next `restart` or `refresh`. */
  #isRefused = false
  #isPaused = true
  /** Whether `restart` waits before it sends its request. */
  #isDelayed = false
  #cancelTimer = () => {}

  constructor(handlers: LoaderHandlers<Data>) {
    this.#handlers = handlers
    this.ready = this.#addWaiter(this.#readyWaiters)
  }

  /** Loads again, after the request in flight. */
  refresh(): Promise<void> {
    const promise = this.#addWaiter(this.#queuedWaiters)
    if (this.#request === undefined) this.#start()
    return promise
  }

  /**
   * Aborts the request in flight and sends a new one, unless the caller already has its `data`. With `isNewAccount`,
   * previously loaded data are discarded too. With `delayMs`, the request is sent after that time, or by `startDelayed`.
   */
  restart(isNewAccount: boolean, data?: Data, delayMs = 0): void {
    this.#isPaused = false
    if (isNewAccount) this.#reset()
    this.#request?.abort()
    if (delayMs === 0) return void this.#start(false, data)
    this.#request = undefined
    this.#isDelayed = true
    this.#cancelTimer()
    this.#cancelTimer = setSafeTimeout(delayMs, () => this.#start())
  }

  /** Sends the request of `restart` if it is delayed. */
  startDelayed(): void {
    if (this.#isDelayed) this.#start()
  }

  /** Schedules a reload, debounced and rate limited. */
  schedule(): void {
    if (this.#isPaused || this.#isRefused || this.#isScheduled) return
    this.#isScheduled = true
    if (this.#request === undefined && this.#failures === 0) this.#scheduleReload()
  }

  /** Fails the load without a request. */
  fail(error: unknown): void {
    this.#settle(() => {
      throw error
    })
  }

  /** Aborts the request in flight and loads nothing until `restart`. Rejects `refresh`, but leaves `ready` pending. */
  pause(reason: unknown): void {
    this.#isPaused = true
    this.#reset()
    this.#isScheduled = false
    this.#isDelayed = false
    this.#cancelTimer()
    const request = this.#request
    this.#request = undefined
    for (const { reject } of [...this.#waiters.splice(0), ...this.#queuedWaiters.splice(0)]) reject(reason)
    // Last, because its listeners may restart the loader.
    request?.abort()
  }

  /** Discards the outcome of previous loads, which belongs to another account. */
  #reset(): void {
    this.#failures = 0
    if (this.#outcome !== 'pending') this.#renewReady()
  }

  async #start(isRetry = false, data?: Data): Promise<void> {
    this.#cancelTimer()
    this.#isScheduled = false
    this.#isDelayed = this.#isRefused = false
    this.#waiters.push(...this.#queuedWaiters.splice(0))
    if (this.#outcome === 'failed') this.#renewReady()
    const request = new AbortController()
    this.#request = request
    this.#handlers.onStart()
    const [result] = await Promise.allSettled([data ?? this.#handlers.load(request.signal, isRetry)])
    if (this.#request !== request) return
    this.#request = undefined
    this.#settle(() => {
      if (result.status === 'rejected') throw result.reason
      this.#handlers.onLoad(result.value)
    })
  }

  /** Processes the outcome of a request. Listeners are notified afterwards, because they may start another. */
  #settle(process: () => void): void {
    this.#handlers.batch(() => {
      const waiters = this.#waiters.splice(0)
      try {
        process()
        this.#failures = 0
        this.#outcome = 'loaded'
        for (const { resolve } of [...this.#readyWaiters.splice(0), ...waiters]) resolve()
      } catch (error) {
        this.#isRefused = isAuthenticationError(error)
        this.#failures = this.#isRefused ? 0 : this.#failures + 1
        if (this.#outcome === 'pending') {
          this.#outcome = 'failed'
          waiters.push(...this.#readyWaiters.splice(0))
        }
        this.#handlers.onError(error)
        for (const { reject } of waiters) reject(error)
      }
      if (this.#queuedWaiters.length > 0) this.#start()
      else if (this.#isPaused) this.#failures = 0
      else if (this.#failures > 0) this.#scheduleRetry()
      else if (this.#isScheduled && !this.#isRefused) this.#scheduleReload()
    })
  }

  #scheduleRetry(): void {
    const limit = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1))
    this.#cancelTimer = setSafeTimeout((limit * (1 + Math.random())) / 2, () => this.#start(true))
  }

  #scheduleReload(): void {
    this.#cancelTimer()
    const delayMs = this.#reloadedAt + MIN_INTERVAL_MS - performance.now()
    this.#cancelTimer = setSafeTimeout(Math.max(DEBOUNCE_MS, delayMs), () => {
      this.#reloadedAt = performance.now()
      this.#start()
    })
  }

  #renewReady(): void {
    this.#outcome = 'pending'
    this.ready = this.#addWaiter(this.#readyWaiters)
  }

  #addWaiter(waiters: Waiter[]): Promise<void> {
    return ignoreRejection(new Promise((resolve, reject) => waiters.push({ resolve, reject })))
  }
}

/** Prevents an unhandled rejection: the error is also available as `lastError`. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
