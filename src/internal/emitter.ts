import { EventEmitter } from 'eventemitter3'
import { deepCopy, isObject } from './json'

/** Calls a listener. An exception, or the rejection of a returned promise, is passed to `report`. */
export function safeCall<E>(listener: (event: E) => unknown, event: E, report: (error: unknown) => void): void {
  try {
    const result = listener(event)
    // Any thenable, not only a native promise.
    if (isThenable(result)) Promise.resolve(result).catch(report)
  } catch (error) {
    report(error)
  }
}

/** Calls a function whose errors nobody can receive. */
export function ignoreErrors(run: () => unknown): void {
  safeCall(run, undefined, () => {})
}

/** Creates a function that calls another one, and returns `undefined` if that throws. `report` receives the first exception. */
export function createGuard(report: (error: unknown) => void) {
  let isReported = false
  return <T>(call: () => T): T | undefined => {
    try {
      return call()
    } catch (error) {
      if (!isReported) report(error)
      isReported = true
      return undefined
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && 'then' in value && typeof value.then === 'function'
}

function checkListener(listener: unknown): void {
  if (typeof listener !== 'function') throw new TypeError('The listener must be a function.')
}

interface Registration {
  readonly type: unknown
  /** Calls the listener; does nothing once it is removed. */
  call(event: unknown): void
}

/** Typed events. An exception of a listener is reported, and the others are called. */
export class Emitter<Events extends object> {
  readonly #registrations = new Set<Registration>()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Adds a listener; one that is added twice is called twice. Returns a function that removes this registration. */
  on<K extends keyof Events>(type: K, listener: (event: Events[K]) => unknown): () => void {
    checkListener(listener)
    const registration: Registration = { type, call: (event: Events[K]) => safeCall(listener, event, this.#report) }
    this.#registrations.add(registration)
    return () => {
      registration.call = () => {}
      this.#registrations.delete(registration)
    }
  }

  /** Whether there are no listeners. */
  get isEmpty(): boolean {
    return this.#registrations.size === 0
  }

  emit<K extends keyof Events>(type: K, event: Events[K]): void {
    this.defer(type, event)()
  }

  /** Returns a function that emits to the current listeners, except those that are removed until it is called. */
  defer<K extends keyof Events>(type: K, event: Events[K]): () => void {
    const registrations = [...this.#registrations].filter((registration) => registration.type === type)
    return () => {
      for (const registration of registrations) registration.call(event)
    }
  }

  /** Removes all listeners. The event that is emitted now still reaches them, unless `isSilent`. */
  clear(isSilent = false): void {
    if (isSilent) for (const registration of this.#registrations) registration.call = () => {}
    this.#registrations.clear()
  }
}

/** Tasks that run one after another, also those that a task adds. */
export class Queue {
  readonly #tasks: (() => void)[] = []
  #isRunning = false

  add(task: () => void): void {
    this.#tasks.push(task)
  }

  /** Calls `callback`, which may add tasks, and then runs all tasks. Returns `false` if they are running already. */
  run(callback = () => {}): boolean {
    const isOutermost = !this.#isRunning
    this.#isRunning = true
    try {
      callback()
      if (isOutermost) for (const task of this.#tasks) task()
    } finally {
      if (isOutermost) {
        this.#tasks.length = 0
        this.#isRunning = false
      }
    }
    return isOutermost
  }
}

/** Function registered in place of a listener. */
type GatewayRegistration = EventEmitter.ListenerFn & { readonly listener: unknown; readonly remove: () => void }

/**
 * The events of a gateway: each listener receives its own copy. A separate class, because bundles without a gateway
 * then do not contain eventemitter3.
 */
export class CopyingEmitter<Events extends object> {
  readonly #emitter = new EventEmitter()
  readonly #report: (error: unknown, type: keyof Events) => void

  constructor(report: (error: unknown, type: keyof Events) => void) {
    this.#report = report
  }

  /** Adds a listener; one that is added twice is called twice. Returns a function that removes this registration. */
  on<K extends keyof Events & string>(
    type: K,
    listener: (event: Events[K]) => unknown,
    { once = false }: { readonly once?: boolean } = {},
  ): () => void {
    checkListener(listener)
    let isRemoved = false
    const remove = () => {
      isRemoved = true
      this.#emitter.off(type, registration)
    }
    const report = (error: unknown) => this.#report(error, type)
    const call = (event: Events[K], isShared: boolean): void => {
      if (isRemoved) return
      if (once) remove()
      safeCall(listener, isShared ? deepCopy(event) : event, report)
    }
    const registration: GatewayRegistration = Object.assign(call, { listener, remove })
    this.#emitter.on(type, registration)
    return remove
  }

  /** Removes all registrations of a listener. */
  off<K extends keyof Events & string>(type: K, listener: (event: Events[K]) => unknown): void {
    checkListener(listener)
    // `on` registers nothing else.
    for (const registration of this.#emitter.listeners(type) as GatewayRegistration[]) {
      if (registration.listener === listener) registration.remove()
    }
  }

  has(type: keyof Events & string): boolean {
    return this.#emitter.listenerCount(type) > 0
  }

  /** @param isOwned Whether nobody else has a reference to the event: a single listener then needs no copy. */
  emit<K extends keyof Events & string>(type: K, event: Events[K], isOwned = false): void {
    this.#emitter.emit(type, event, !isOwned || this.#emitter.listenerCount(type) > 1)
  }

  /** Removes all listeners. */
  clear(): void {
    this.#emitter.removeAllListeners()
  }
}
