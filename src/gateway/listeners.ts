import { onAbort, setSafeTimeout } from '../abort'
import { GatewayError, TimeoutError } from '../errors/client-errors'
import { Emitter } from '../internal/emitter'
import { deepCopy } from '../internal/json'
import type { Logger } from '../types/options'
import type { GatewayEvents, GatewayServiceEvents, GatewayWarning, GatewayWarningCode } from './events'
import type { WaitForOptions } from './options'

/** The levels that some events are logged with, besides being emitted. */
const LEVELS = { stateChange: 'debug', warning: 'warn', error: 'error' } as const

/** Each listener receives a copy. */
const COPIES = { prepare: deepCopy }

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
  readonly #emitter: Emitter<GatewayEvents>
  readonly #reporter: Reporter
  readonly #waiters = new Set<(error: GatewayError) => void>()

  constructor(reporter: Reporter) {
    this.#reporter = reporter
    this.#emitter = new Emitter(this.#report)
  }

  on<K extends keyof GatewayEvents>(
    type: K,
    listener: (event: GatewayEvents[K]) => void,
    options?: { readonly once: boolean },
  ): () => void {
    return this.#emitter.on(type, listener, options)
  }

  off<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): void {
    this.#emitter.off(type, listener)
  }

  has(type: keyof GatewayEvents): boolean {
    return this.#emitter.count(type) > 0
  }

  emit<K extends keyof GatewayEvents>(type: K, event: GatewayEvents[K]): void {
    // An exception of a listener of `error` must not be emitted to it again.
    this.#emitter.emit(type, event, type === 'error' ? { prepare: deepCopy, report: this.#reporter.report } : COPIES)
  }

  /** Emits a payload, validated by the dispatcher, that nobody else has a reference to: a single listener needs no copy. */
  emitPayload(type: keyof GatewayServiceEvents, payload: unknown): void {
    this.#emitter.emit(type, payload as never, this.#emitter.count(type) > 1 ? COPIES : {})
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
    this.#emitter.clear()
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
    return [listeners.on(type, listener), setSafeTimeout(timeout, expire)]
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
