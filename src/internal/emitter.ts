import { deepFreeze } from './values'

/** Calls a listener. What it throws, at once or later, goes to `report` and stops nothing here. */
export function safeCall<E>(listener: (event: E) => unknown, event: E, report: (error: unknown) => void): void {
  try {
    const result = listener(event)
    // Of whichever realm or library the promise is.
    if (isThenable(result)) Promise.resolve(result).catch(report)
  } catch (error) {
    report(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/**
 * Runs notifications one after another: what a listener causes is reported after what it is being told, to every listener.
 * The stores of a client share one.
 */
export class NotificationQueue {
  #jobs: (() => void)[] = []
  #isRunning = false

  /** Calls `act`, which may add jobs, and then runs all jobs, unless that is going on already. */
  run(act: () => void): void {
    const isOutermost = !this.#isRunning
    this.#isRunning = true
    try {
      act()
      // Includes those that are added meanwhile.
      if (isOutermost) for (const job of this.#jobs) job()
    } finally {
      if (isOutermost) {
        this.#jobs = []
        this.#isRunning = false
      }
    }
  }

  add(job: () => void): void {
    this.#jobs.push(job)
  }
}

interface Entry<E> {
  readonly listener: (event: E) => void
  isRemoved: boolean
}

/** Listeners of one kind of event. What one throws is reported, and the others are called. */
export class Emitter<E> {
  readonly #queue: NotificationQueue
  readonly #report: (error: unknown) => void
  readonly #entries = new Set<Entry<E>>()

  constructor(queue: NotificationQueue, report: (error: unknown) => void) {
    this.#queue = queue
    this.#report = report
  }

  /** Adds a listener; one that is added twice is called twice. Returns an unsubscribe function. */
  add(listener: (event: E) => void): () => void {
    if (typeof listener !== 'function') throw new TypeError('The listener must be a function.')
    const entry = { listener, isRemoved: false }
    this.#entries.add(entry)
    return () => {
      entry.isRemoved = true
      this.#entries.delete(entry)
    }
  }

  /** Queues an event for the listeners of this moment; one that is removed before its turn is not called. */
  emit(event: E): void {
    if (this.#entries.size === 0) return
    const entries = [...this.#entries]
    this.#queue.add(() => {
      deepFreeze(event)
      for (const entry of entries) if (!entry.isRemoved) safeCall(entry.listener, event, this.#report)
    })
  }

  /** Removes all listeners. They still receive what is queued. */
  clear(): void {
    this.#entries.clear()
  }
}
