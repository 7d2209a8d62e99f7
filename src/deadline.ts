import { type TimeLimit, TimeoutError } from './errors/client-errors'
import { onAbort, raceAbort, setSafeTimeout } from './internal/abort'

/** One signal for everything that may end a call: its caller, its deadline, an attempt's timeout, the client's end. */
export class AbortScope {
  readonly #control = new AbortController()
  readonly #endpoint: string
  readonly #deadlineMs: number
  #remainingMs: number
  #runningSince = 0
  #cancelDeadline = () => {}
  #cancelLimit = () => {}
  /** What has not happened when a limit is passed now; that the call was not answered by default. */
  #unfinished: string | undefined
  #leave = () => {}

  constructor(endpoint: string, caller: AbortSignal | undefined, deadlineMs: number) {
    this.#endpoint = endpoint
    this.#deadlineMs = deadlineMs
    this.#remainingMs = deadlineMs
    if (caller?.aborted) this.abort(caller.reason)
    else if (caller !== undefined) this.#leave = onAbort(caller, () => this.abort(caller.reason))
    this.#run()
  }

  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** Runs a part of it, which has a limit of its own. `unfinished` says what has not happened when a limit is passed. */
  async withTimeout<T>(limit: TimeLimit, limitMs: number, run: () => Promise<T>, unfinished?: string): Promise<T> {
    this.#cancelLimit = this.#endAfter(limitMs, limit, limitMs)
    this.#unfinished = unfinished
    try {
      return await raceAbort(run(), this.signal)
    } finally {
      this.#unfinished = undefined
      this.#cancelLimit()
    }
  }

  /** Waits for a person: the deadline stands still. */
  async pauseWhile<T>(run: () => Promise<T>): Promise<T> {
    const resume = this.pause()
    try {
      return await run()
    } finally {
      resume()
    }
  }

  /** Has the deadline stand still until the returned function is called, which is to be called once. */
  pause(): () => void {
    this.#cancelDeadline()
    this.#remainingMs -= performance.now() - this.#runningSince
    return () => this.#run()
  }

  /** Ends whatever the call is doing. */
  abort(reason: unknown): void {
    this.#cancelLimit()
    this.#control.abort(reason)
  }

  /** Leaves no timer and no listener behind. */
  close(): void {
    this.#cancelDeadline()
    this.#remainingMs = Infinity
    this.#leave()
  }

  #run(): void {
    this.#runningSince = performance.now()
    this.#cancelDeadline = this.#endAfter(Math.max(0, this.#remainingMs), 'deadline', this.#deadlineMs)
  }

  #endAfter(ms: number, limit: TimeLimit, limitMs: number): () => void {
    return setSafeTimeout(ms, () => this.abort(new TimeoutError(this.#endpoint, limit, limitMs, this.#unfinished)))
  }
}
