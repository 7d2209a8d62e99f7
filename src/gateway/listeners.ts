import { EventEmitter } from 'eventemitter3'
import { GatewayError, TimeoutError } from '../errors/client-errors'
import { onAbort, setSafeTimeout } from '../internal/abort'
import { safeCall } from '../internal/emitter'
import { deepCopy } from '../internal/values'
import type { Logger } from '../types/options'
import type { GatewayEvents, GatewayServiceEvents, GatewayWarning, GatewayWarningCode } from './events'
import type { WaitForOptions } from './options'

/** The levels that some events are logged with, besides being emitted. */
const LEVELS = { stateChange: 'debug', warning: 'warn', error: 'error' } as const

/** Where a gateway logs, and where errors go that nobody else receives. */
export interface Reporter {
  readonly logger: Logger | undefined
  /** Logs what a listener threw, or throws it as an uncaught error if there is no logger. */
  readonly report: (error: unknown) => void
}

/**
 * The listeners of a gateway. What one throws or changes reaches neither the others nor the connection: it is emitted as
 * `error`, and each listener receives a copy that is its own.
 */
export class Listeners {
  readonly #emitter = new EventEmitter()
  readonly #reporter: Reporter
  /** What is called in place of a listener; one for each, so that `off` finds it. */
  readonly #guards = new WeakMap<object, EventEmitter.ListenerFn>()
  readonly #waiters = new Set<(error: GatewayError) => void>()

  constructor(reporter: Reporter) {
    this.#reporter = reporter
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
    this.#emitter.emit(type, event, true)
  }

  /** Emits a valid payload of which nobody else has a reference: a single listener may have it as it is. */
  emitPayload(type: keyof GatewayServiceEvents, payload: unknown): void {
    this.#emitter.emit(type, payload, this.#emitter.listenerCount(type) > 1)
  }

  /** Emits an event that is logged, too. */
  emitAndLog<K extends keyof typeof LEVELS>(type: K, event: GatewayEvents[K]): void {
    this.#reporter.logger?.[LEVELS[type]]?.(`rapport: gateway ${type}`, event)
    this.emit(type, event)
  }

  /** Reports that something that the service sent was wrong. */
  warn(code: GatewayWarningCode, message: string, details?: Pick<GatewayWarning, 'event' | 'issues'>): void {
    this.emitAndLog('warning', { code, message, ...details })
  }

  /** Calls `act` when the gateway ends. Returns what takes it back, and says whether that was in time. */
  onClose(act: (error: GatewayError) => void): () => boolean {
    this.#waiters.add(act)
    return () => this.#waiters.delete(act)
  }

  /** Takes those who wait for events. Returns what rejects them. */
  drainWaiters(): (error: GatewayError) => void {
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    return (error) => {
      for (const act of waiters) act(error)
    }
  }

  clear(): void {
    this.#emitter.removeAllListeners()
  }

  #guarded<E>(listener: (event: E) => void): EventEmitter.ListenerFn {
    if (typeof listener !== 'function') throw new TypeError('The listener must be a function.')
    const known = this.#guards.get(listener)
    if (known !== undefined) return known
    const guard = (event: E, isShared: boolean) => {
      // What a listener of `error` throws must not come back to it.
      const report = event instanceof GatewayError ? this.#reporter.report : this.#report
      safeCall(listener, isShared ? deepCopy(event) : event, report)
    }
    this.#guards.set(listener, guard)
    return guard
  }

  readonly #report = (cause: unknown): void => {
    const error = new GatewayError('listener_threw', 'a listener threw. The others have been called.', { cause })
    if (this.has('error')) this.emitAndLog('error', error)
    else this.#reporter.report(cause)
  }
}

/** The next event of a kind. */
export function waitFor<K extends keyof GatewayEvents>(
  listeners: Listeners,
  type: K,
  { filter = () => true, timeout = Infinity, signal }: WaitForOptions<GatewayEvents[K]>,
): Promise<GatewayEvents[K]> {
  return untilClosed(listeners, signal, (resolve, reject) => {
    const listener = (event: GatewayEvents[K]) => {
      try {
        if (filter(event)) resolve(event)
      } catch (error) {
        reject(error)
      }
    }
    const expire = () =>
      reject(new TimeoutError(`gateway.waitFor('${type}')`, 'timeout', timeout, 'no such event came'))
    listeners.on(type, listener)
    return [() => listeners.off(type, listener), setSafeTimeout(timeout, expire)]
  })
}

/**
 * A promise that ends with the gateway or with `signal`, unless what `begin` starts settles it before. `begin` returns
 * what ends that.
 */
export function untilClosed<T>(
  listeners: Listeners,
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => readonly (() => void)[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      for (const end of ends) end()
      act()
    }
    const fail = (reason: unknown) => settle(() => reject(reason))
    // First: what `begin` starts may end the gateway when it is ended.
    const leave = listeners.onClose(fail)
    const ends: (() => void)[] = [leave]
    const abort = () => {
      // A listener of the end may abort this signal: reject with the gateway's error, not with the signal's reason.
      if (leave()) fail(signal?.reason)
    }
    if (signal !== undefined) ends.push(onAbort(signal, abort))
    ends.push(...begin((value) => settle(() => resolve(value)), fail))
  })
}
