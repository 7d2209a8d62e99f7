import { EventEmitter } from 'eventemitter3'

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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Options of one emit. */
interface EmitOptions {
  /** Returns the event that one listener receives. Default: the event itself. */
  readonly prepare?: <E>(event: E) => E
  /** Receives the exceptions of listeners. Default: that of the emitter. */
  readonly report?: (error: unknown) => void
}

/** What is registered in place of a listener. */
type Registration = EventEmitter.ListenerFn & { readonly listener: unknown; readonly remove: () => void }

/** Typed events. An exception of a listener is reported, and the others are called. */
export class Emitter<Events extends object> {
  readonly #emitter = new EventEmitter()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Adds a listener; one that is added twice is called twice. Returns a function that removes this registration. */
  on<K extends keyof Events & string>(
    type: K,
    listener: (event: Events[K]) => unknown,
    { once = false }: { readonly once?: boolean } = {},
  ): () => void {
    if (typeof listener !== 'function') throw new TypeError('The listener must be a function.')
    let isRemoved = false
    const remove = () => {
      isRemoved = true
      this.#emitter.off(type, registration)
    }
    const call = (event: Events[K], { prepare, report = this.#report }: EmitOptions): void => {
      if (isRemoved) return
      if (once) remove()
      safeCall(listener, prepare ? prepare(event) : event, report)
    }
    const registration: Registration = Object.assign(call, { listener, remove })
    this.#emitter.on(type, registration)
    return remove
  }

  /** Removes all registrations of a listener. */
  off<K extends keyof Events & string>(type: K, listener: (event: Events[K]) => unknown): void {
    for (const registration of this.#registrations(type)) {
      if (registration.listener === listener) registration.remove()
    }
  }

  /** Returns the number of listeners. */
  count(type: keyof Events & string): number {
    return this.#emitter.listenerCount(type)
  }

  emit<K extends keyof Events & string>(type: K, event: Events[K], options: EmitOptions = {}): void {
    this.#emitter.emit(type, event, options)
  }

  /** Returns a function that emits to the current listeners, except those that are removed until it is called. */
  later<K extends keyof Events & string>(type: K, event: Events[K]): () => void {
    const registrations = this.#registrations(type)
    return () => {
      for (const registration of registrations) registration(event, {})
    }
  }

  /** Removes all listeners. */
  clear(): void {
    this.#emitter.removeAllListeners()
  }

  #registrations(type: string): Registration[] {
    return this.#emitter.listeners(type) as Registration[]
  }
}
