import { setSafeTimeout } from '../abort'

/** How long to wait for more causes to reload before all of it is loaded once. */
const DEBOUNCE_MS = 250
/** The shortest time between two reloads of one cause. */
const MIN_INTERVAL_MS = 10_000
/** The limits of the wait before a retry: the first one, which doubles with each failure, and the longest. */
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

/** Why to load again: events are missing, or one could not be used. Neither makes the other wait. */
export type ReloadCause = 'gap' | 'damage'

interface Waiter {
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Callbacks of a {@link Loader}. */
export interface LoaderHandlers<Data> {
  /** A request is about to be sent. */
  began(): void
  /** Sends it. A retry must not ask the user for anything. */
  load(signal: AbortSignal, isRetry: boolean): Promise<Data>
  /** The response is there and not obsolete. What this throws is a failure. */
  loaded(data: Data): void
  failed(error: unknown): void
  /** Runs `act`, and notifies listeners of what it has changed only then. */
  batch(act: () => void): void
}

/** Decides when a store is loaded: one request at a time, one more if asked for meanwhile, and retries until one succeeds. */
export class Loader<Data> {
  /** Settles with the first response; after a failure it is replaced as soon as there is another request. */
  ready: Promise<void>
  readonly #handlers: LoaderHandlers<Data>
  readonly #awaitingReady: Waiter[] = []
  #outcome: 'pending' | 'loaded' | 'failed' = 'pending'
  /** The request in flight; its response counts while this is so. */
  #request: AbortController | undefined
  /** Callers that wait for that request, and for the one after. */
  readonly #served: Waiter[] = []
  readonly #queued: Waiter[] = []
  readonly #due = new Set<ReloadCause>()
  /** When each cause last made it reload. */
  readonly #reloadedAt: Record<ReloadCause, number> = { gap: -Infinity, damage: -Infinity }
  /** Failures in a row. */
  #failures = 0
  #isPaused = true
  #cancelTimer = () => {}

  constructor(handlers: LoaderHandlers<Data>) {
    this.#handlers = handlers
    this.ready = this.#promise(this.#awaitingReady)
  }

  /** Whether a request is in flight, or will be sent without anybody asking. */
  get isBusy(): boolean {
    return this.#request !== undefined || this.#failures > 0 || this.#due.size > 0
  }

  /** Loads, after the request in flight. */
  refresh(): Promise<void> {
    const promise = this.#promise(this.#queued)
    if (this.#request === undefined) this.#start()
    return promise
  }

  /** Aborts the request in flight and sends a new one. With `isAnother`, what was loaded before is discarded too. */
  restart(isAnother: boolean): void {
    this.#isPaused = false
    if (isAnother) this.#forget()
    this.#request?.abort()
    this.#start()
  }

  /** Loads in a moment, once for all causes until then, and not too often. */
  schedule(cause: ReloadCause): void {
    if (this.#isPaused || this.#due.has(cause)) return
    this.#due.add(cause)
    if (this.#request === undefined && this.#failures === 0) this.#waitForDue()
  }

  /** Fails as a request that fails, without one. */
  fail(error: unknown): void {
    this.#settle(() => {
      throw error
    })
  }

  /** Aborts the request in flight and loads nothing until `restart`; only `ready` waits on. */
  pause(reason: unknown): void {
    this.#isPaused = true
    this.#forget()
    this.#due.clear()
    this.#cancelTimer()
    this.#request?.abort()
    this.#request = undefined
    for (const { reject } of [...this.#served.splice(0), ...this.#queued.splice(0)]) reject(reason)
  }

  /** What was loaded belongs to nobody any longer: as after a failure, there is another promise to wait for. */
  #forget(): void {
    this.#failures = 0
    if (this.#outcome !== 'pending') this.#renewReady()
  }

  async #start(isRetry = false): Promise<void> {
    this.#cancelTimer()
    this.#due.clear()
    this.#served.push(...this.#queued.splice(0))
    if (this.#outcome === 'failed') this.#renewReady()
    const request = new AbortController()
    this.#request = request
    this.#handlers.began()
    const [answer] = await Promise.allSettled([this.#handlers.load(request.signal, isRetry)])
    if (this.#request !== request) return
    this.#request = undefined
    this.#settle(() => {
      if (answer.status === 'rejected') throw answer.reason
      this.#handlers.loaded(answer.value)
    })
  }

  /** Takes in the outcome of a request. Listeners are notified once all is settled: they may begin something. */
  #settle(adopt: () => void): void {
    this.#handlers.batch(() => {
      const served = this.#served.splice(0)
      try {
        adopt()
        this.#failures = 0
        this.#outcome = 'loaded'
        for (const { resolve } of [...this.#awaitingReady.splice(0), ...served]) resolve()
      } catch (error) {
        this.#failures++
        if (this.#outcome === 'pending') {
          this.#outcome = 'failed'
          served.push(...this.#awaitingReady.splice(0))
        }
        this.#handlers.failed(error)
        for (const { reject } of served) reject(error)
      }
      if (this.#queued.length > 0) this.#start()
      else if (this.#isPaused) this.#failures = 0
      else if (this.#failures > 0) this.#waitForRetry()
      else if (this.#due.size > 0) this.#waitForDue()
    })
  }

  #waitForRetry(): void {
    const limit = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1))
    this.#cancelTimer = setSafeTimeout((limit * (1 + Math.random())) / 2, () => this.#start(true))
  }

  #waitForDue(): void {
    this.#cancelTimer()
    const now = performance.now()
    const waits = [...this.#due].map((cause) => this.#reloadedAt[cause] + MIN_INTERVAL_MS - now)
    this.#cancelTimer = setSafeTimeout(Math.max(DEBOUNCE_MS, Math.min(...waits)), () => {
      for (const cause of this.#due) this.#reloadedAt[cause] = performance.now()
      this.#start()
    })
  }

  #renewReady(): void {
    this.#outcome = 'pending'
    this.ready = this.#promise(this.#awaitingReady)
  }

  #promise(waiters: Waiter[]): Promise<void> {
    return handled(new Promise((resolve, reject) => waiters.push({ resolve, reject })))
  }
}

/** A rejection that nobody handles must not end the process: `lastError` has it too. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
