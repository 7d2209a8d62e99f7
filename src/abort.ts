import { type TimeLimit, TimeoutError } from './errors/client-errors'

/** Settles as `promise` does, or rejects with the signal's reason, whichever is first. No listener stays behind. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    const settle = <V>(act: (outcome: V) => void) => {
      return (outcome: V) => {
        signal.removeEventListener('abort', abort)
        act(outcome)
      }
    }
    promise.then(settle(resolve), settle(reject))
  })
}

/** Resolves after `ms`, or as long as a timer can wait, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {}
  const elapsed = new Promise<void>((resolve) => {
    cancel = setSafeTimeout(ms, resolve)
  })
  return raceAbort(elapsed, signal).finally(cancel)
}

interface AbortListeners {
  readonly callbacks: Set<() => void>
  readonly run: () => void
}

const listenersBySignal = new WeakMap<AbortSignal, AbortListeners>()

/**
 * Runs `act` when a signal aborts. Returns what takes it back. However many follow a signal, it has one listener:
 * platforms warn of more than ten, though a page's worth of calls with one signal is no leak.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { callbacks: acts, run: tell } = listenersBySignal.get(signal) ?? createListeners()
  if (acts.size === 0) {
    listenersBySignal.set(signal, { callbacks: acts, run: tell })
    signal.addEventListener('abort', tell, { once: true })
  }
  acts.add(act)
  return () => {
    if (!acts.delete(act) || acts.size > 0) return
    listenersBySignal.delete(signal)
    signal.removeEventListener('abort', tell)
  }
}

function createListeners(): AbortListeners {
  const acts = new Set<() => void>()
  const tell = () => {
    for (const act of [...acts]) act()
  }
  return { callbacks: acts, run: tell }
}

/** The longest that timers of the platform can wait: beyond it they fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs `act` after `ms`, never where it is infinite. Returns what cancels it. */
export function setSafeTimeout(ms: number, act: () => void): () => void {
  if (ms === Infinity) return () => {}
  const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}

/** Throws the signal's reason if it has aborted. The signal's own method is missing in older jsdom and React Native. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}

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
