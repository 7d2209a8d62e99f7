import { EventEmitter } from 'eventemitter3'
import { GatewayError } from '../errors/gateway-error'
import type { Logger } from '../transport/events'
import { notify } from '../transport/notify'
import type { GatewayEvents, GatewayServiceEvents } from './events'
import type { GatewayWarning, GatewayWarningCode } from './warning'

/** The levels that some events are logged with, beside being told. */
const LEVELS = { stateChange: 'debug', warning: 'warn', error: 'error' } as const

/** The listeners of a gateway. What one throws reaches neither the others nor the connection: it is told as `error`. */
export class Listeners {
  readonly #emitter = new EventEmitter()
  readonly #logger: Logger | undefined
  /** What is called in place of a listener; one for each, so that `off` finds it. */
  readonly #guards = new WeakMap<object, EventEmitter.ListenerFn>()
  readonly #ends = new Set<(error: GatewayError) => void>()

  constructor(logger: Logger | undefined) {
    this.#logger = logger
  }

  on<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): void {
    this.#emitter.on(type, this.#guarded(listener))
  }

  once<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): void {
    this.#emitter.once(type, this.#guarded(listener))
  }

  off<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): void {
    this.#emitter.off(type, this.#guarded(listener))
  }

  has(type: keyof GatewayEvents): boolean {
    return this.#emitter.listenerCount(type) > 0
  }

  emit<K extends keyof GatewayEvents>(type: K, event: GatewayEvents[K]): void {
    this.#emitter.emit(type, event)
  }

  /** Emits an event of the service, whose payload has been checked. */
  pass(type: keyof GatewayServiceEvents | 'resumed', payload: unknown): void {
    this.#emitter.emit(type, payload)
  }

  /** Emits what a log has a line for. */
  tell<K extends keyof typeof LEVELS>(type: K, event: GatewayEvents[K]): void {
    this.#logger?.[LEVELS[type]]?.(`rapport: gateway ${type}`, event)
    this.emit(type, event)
  }

  /** Tells that something that the service sent was off. */
  warn(code: GatewayWarningCode, message: string, details?: Pick<GatewayWarning, 'event' | 'issues'>): void {
    this.tell('warning', { code, message, ...details })
  }

  /** Calls `act` when the gateway ends. Returns what takes it back, and says whether that was in time. */
  whenEnded(act: (error: GatewayError) => void): () => boolean {
    this.#ends.add(act)
    return () => this.#ends.delete(act)
  }

  /** Takes those who wait for events. Returns what tells them of the end. */
  takeWaiting(): (error: GatewayError) => void {
    const waiting = [...this.#ends]
    this.#ends.clear()
    return (error) => {
      for (const act of waiting) act(error)
    }
  }

  clear(): void {
    this.#emitter.removeAllListeners()
  }

  #guarded<E>(listener: (event: E) => void): EventEmitter.ListenerFn {
    if (typeof listener !== 'function') throw new TypeError('The listener must be a function.')
    const known = this.#guards.get(listener)
    if (known !== undefined) return known
    // The mistakes of a listener of `error` must not come back to it.
    const guard = (event: E) => notify(listener, event, event instanceof GatewayError ? this.#log : this.#report)
    this.#guards.set(listener, guard)
    return guard
  }

  readonly #report = (cause: unknown): void => {
    this.tell('error', new GatewayError('listener_threw', 'a listener threw. The others have been called.', { cause }))
  }

  readonly #log = (cause: unknown): void => {
    this.#logger?.error?.('rapport: gateway: a listener of `error` threw', cause)
  }
}
