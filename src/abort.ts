import { type TimeLimit, TimeoutError } from './errors/client-errors'

/** Settles like `promise`, or rejects with the signal's reason if it aborts first. Removes its listener. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).then(() => signal.removeEventListener('abort', abort))
  })
}

/** Resolves after `ms`, at most {@link MAX_TIMER_MS}, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {}
  const elapsed = new Promise<void>((resolve) => {
    cancel = setSafeTimeout(ms, resolve)
  })
  return raceAbort(elapsed, signal).finally(cancel)
}

/** Callbacks that share one listener. */
export class SharedListener {
  readonly callbacks = new Set<() => void>()
  readonly call = (): void => {
    for (const callback of [...this.callbacks]) callback()
  }
}

const listenersBySignal = new WeakMap<AbortSignal, SharedListener>()

/**
 * Calls `callback` when `signal` aborts and returns an unsubscribe function. Shares one listener per signal: platforms
 * warn of a leak above ten, although many calls with one signal are none.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const listeners = listenersBySignal.get(signal) ?? new SharedListener()
  const { callbacks, call } = listeners
  if (callbacks.size === 0) {
    listenersBySignal.set(signal, listeners)
    signal.addEventListener('abort', call, { once: true })
  }
  callbacks.add(callback)
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return
    listenersBySignal.delete(signal)
    signal.removeEventListener('abort', call)
  }
}

/** Maximum delay of a platform timer; with a longer one it fires at once. */
export const MAX_TIMER_MS = 0x7fff_ffff

/** Calls `callback` after `ms`, at most {@link MAX_TIMER_MS}; never if `Infinity`. Returns a function that cancels. */
export function setSafeTimeout(ms: number, callback: () => void): () => void {
  if (ms === Infinity) return () => {}
  const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}

/** Throws the signal's reason if it has aborted. `signal.throwIfAborted` is missing in older jsdom and React Native. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}

/** A sign-in or a prompt, by the signal that it passes to its calls. */
const flows = new WeakMap<AbortSignal, Flow>()

interface Flow {
  readonly deadline: Deadline
  readonly calls: FlowCalls
}

interface Deadline {
  /** Time until the deadline, in milliseconds. */
  readonly remainingMs: number
}

/** What the events of a flow's calls show of the flow. */
export interface FlowCalls {
  /** Number of the call that the others belong to. */
  callId?: number | undefined
  /** Time that the last prompt of a sign-in was open, in milliseconds, until the call that verifies its answer shows it. */
  promptMs?: number
  /** Whether the end of the last call shows how the flow fails. */
  isReported?: boolean
}

/** Makes the deadline of a flow also that of the calls that receive its signal, which are `calls` in events. */
export function bindFlow(signal: AbortSignal, deadline: Deadline, calls: FlowCalls = {}): void {
  flows.set(signal, { deadline, calls })
}

/** Returns the flow that a call with this signal belongs to, if any. */
export function flowCalls(signal: AbortSignal | undefined): FlowCalls | undefined {
  return signal && flows.get(signal)?.calls
}

/** Combines the caller's signal, the deadline, the attempt timeout and `client.dispose()` into one AbortSignal. */
export class AbortScope {
  #created: AbortController | undefined
  #isAborted = false
  readonly #endpoint: string
  readonly #deadlineMs: number
  #remainingMs: number
  #runningSince = 0
  /** Start of the pause; 0 if there is none. */
  #pausedAt = 0
  #pausedMs = 0
  #cancelDeadline = () => {}
  #cancelTimeout = () => {}
  /** Words of a `TimeoutError` at this point, such as `the token store did not load the token`. */
  #unfinished: string | undefined
  #unsubscribe = () => {}
  readonly #flow: Flow | undefined
  /** Called after the signal has aborted. Listeners of the signal would cost more than the rest of a call's scope. */
  readonly #callbacks = new Set<() => void>()

  constructor(endpoint: string, signal: AbortSignal | undefined, deadlineMs: number) {
    this.#endpoint = endpoint
    this.#flow = signal && flows.get(signal)
    this.#deadlineMs = deadlineMs
    this.#remainingMs = deadlineMs
    if (signal?.aborted) this.abort(signal.reason)
    else if (signal !== undefined) this.#unsubscribe = onAbort(signal, () => this.abort(signal.reason))
    this.#startDeadline()
  }

  /** Created on first use: a platform's signal takes more memory than the rest of a call that waits. */
  get signal(): AbortSignal {
    return this.#control.signal
  }

  get #control(): AbortController {
    this.#created ??= new AbortController()
    return this.#created
  }

  /** Throws the signal's reason if the call was aborted. */
  throwIfAborted(): void {
    if (this.#isAborted) throw this.signal.reason
  }

  /** Time until the deadline, or that of the flow which the call belongs to, in milliseconds; `Infinity` while paused. */
  get remainingMs(): number {
    // Without a deadline no clock is read, here and below.
    const isRunning = this.#remainingMs < Infinity && this.#pausedAt === 0
    const remaining = isRunning ? this.#remainingMs - (performance.now() - this.#runningSince) : Infinity
    return Math.min(remaining, this.#flow?.deadline.remainingMs ?? Infinity)
  }

  /** Time for which the call was paused, in milliseconds. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#pausedAt && performance.now() - this.#pausedAt)
  }

  /** Calls `callback` when the call is aborted and returns a function that removes it. */
  onAbort(callback: () => void): () => void {
    this.#callbacks.add(callback)
    return () => this.#callbacks.delete(callback)
  }

  /** Settles like `promise`, or rejects with the signal's reason if the call is aborted first. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(this.signal.reason)
      if (this.#isAborted) abort()
      promise.then(resolve, reject).then(this.onAbort(abort))
    })
  }

  /** Runs a step with a timeout of its own. `unfinished` is the problem that a `TimeoutError` names. */
  async withTimeout<T>(limit: TimeLimit, limitMs: number, run: () => Promise<T>, unfinished?: string): Promise<T> {
    this.#cancelTimeout = this.#abortAfter(limitMs, limit, limitMs)
    this.#unfinished = unfinished
    try {
      return await this.race(run())
    } finally {
      this.#unfinished = undefined
      this.#cancelTimeout()
    }
  }

  /** Pauses the deadline while `run` waits for user input. */
  async pauseWhile<T>(run: () => Promise<T>): Promise<T> {
    const resume = this.pause()
    try {
      return await run()
    } finally {
      resume()
    }
  }

  /** Pauses the deadline. Returns a function that resumes it, to be called once. */
  pause(): () => void {
    this.#cancelDeadline()
    this.#pausedAt = performance.now()
    this.#remainingMs -= this.#pausedAt - this.#runningSince
    return () => {
      this.#pausedMs = this.pausedMs
      this.#pausedAt = 0
      this.#startDeadline()
    }
  }

  /** Aborts the call at its current step. */
  abort(reason: unknown): void {
    this.#cancelTimeout()
    if (this.#isAborted) return
    this.#isAborted = true
    this.#control.abort(reason)
    for (const callback of this.#callbacks) callback()
  }

  /** Clears the timers and removes the abort listener. */
  close(): void {
    this.#cancelTimeout()
    this.#cancelDeadline()
    this.#remainingMs = Infinity
    this.#unsubscribe()
  }

  #startDeadline(): void {
    if (this.#remainingMs === Infinity) return
    this.#runningSince = performance.now()
    this.#cancelDeadline = this.#abortAfter(Math.max(0, this.#remainingMs), 'deadline', this.#deadlineMs)
  }

  #abortAfter(ms: number, limit: TimeLimit, limitMs: number): () => void {
    return setSafeTimeout(ms, () => this.abort(new TimeoutError(this.#endpoint, limit, limitMs, this.#unfinished)))
  }
}
