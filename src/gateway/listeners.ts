// Ways to receive the events of a gateway: listeners, `waitFor` and streams.
import { onAbort, setSafeTimeout } from '../abort'
import { GatewayError, TimeoutError } from '../errors/client-errors'
import { CopyingEmitter } from '../internal/emitter'
import type { Secrets } from '../internal/redact'
import { type Drift, type Followers, publish } from '../transport/events'
import type { Logger } from '../types/options'
import type { GatewayDispatch, GatewayEvents, GatewayMessage, GatewayWarning, GatewayWarningCode } from './events'
import type { WaitForOptions } from './options'

/** Log levels of the events that are also logged. */
const LEVELS = { stateChange: 'debug', warning: 'warn', error: 'error' } as const

/**
 * An event that is followed. Of one of the service only `type` and `sequence`: payloads are data of people, and a channel of the
 * whole process is not the place for them.
 */
export type GatewaySignal =
  | { readonly type: 'dispatch'; readonly data: Pick<GatewayDispatch, 'type' | 'sequence'> }
  | GatewayMessage<'resumed' | 'warning' | 'error' | 'stateChange'>

/** Receives the log entries of a gateway, and the errors that have no other receiver. */
export interface Reporter {
  readonly logger: Logger | undefined
  /** Logs an exception of a listener, or throws it as an uncaught error if there is no logger. */
  readonly report: (error: unknown) => void
  readonly followers: Followers
  emit(type: 'drift', event: Drift): void
}

/**
 * The listeners of a gateway. Each receives its own copy of an event, and its exceptions are emitted as `error`, so that no
 * listener affects the others or the connection.
 */
export class Listeners extends CopyingEmitter<GatewayEvents> {
  readonly #reporter: Reporter
  readonly #closeCallbacks = new Set<(error: GatewayError) => void>()

  constructor(reporter: Reporter) {
    super((cause, type) => {
      const problem = 'a listener threw. The other listeners were called.'
      this.reportThrown(new GatewayError('listener_threw', problem, { cause }), cause, type)
    })
    this.#reporter = reporter
  }

  get followers(): Followers {
    return this.#reporter.followers
  }

  /** Reports to instrumentation and to the subscribers of Node's channel. */
  follow(signal: GatewaySignal): void {
    const { instrumentation, gateway, ready } = this.followers
    if (signal.type === 'stateChange') ready[signal.data.state === 'ready' ? 'add' : 'delete'](this)
    if (signal.type !== 'error') instrumentation?.onGateway(this, signal)
    publish(gateway, signal.type, signal.data)
  }

  /** Compares an event with the API document, if there is a report of differences. */
  compare(source: string, data: unknown, secrets: () => Secrets): void {
    this.followers.drift?.(this.#reporter, source, data, [], secrets)
  }

  /** Emits and logs an event. */
  emitAndLog<K extends keyof typeof LEVELS>(type: K, event: GatewayEvents[K]): void {
    this.#reporter.logger?.[LEVELS[type]]?.(`rapport: gateway ${type}`, event)
    this.emit(type, event)
  }

  /** Emits and logs a warning. */
  warn(code: GatewayWarningCode, message: string, details?: Pick<GatewayWarning, 'event' | 'issues'>): void {
    const data = { code, message, ...details }
    this.follow({ type: 'warning', data })
    this.emitAndLog('warning', data)
  }

  /** Emits and logs an error. */
  fail(data: GatewayError): void {
    this.follow({ type: 'error', data })
    this.emitAndLog('error', data)
  }

  /**
   * Calls `callback` once when the gateway closes. Returns an unsubscribe function, which returns whether `callback` was
   * still subscribed.
   */
  onClose(callback: (error: GatewayError) => void): () => boolean {
    this.#closeCallbacks.add(callback)
    return () => this.#closeCallbacks.delete(callback)
  }

  /** Removes the callbacks of `onClose` and returns a function that calls them. */
  drainCloseCallbacks(): (error: GatewayError) => void {
    const callbacks = [...this.#closeCallbacks]
    this.#closeCallbacks.clear()
    return (error) => {
      for (const callback of callbacks) callback(error)
    }
  }

  /** Emits an error whose `cause` the code of the app threw; without a listener for `error`, reports the cause. */
  reportThrown(error: GatewayError, cause: unknown, type?: keyof GatewayEvents): void {
    // An exception of a listener of `error` must not be emitted to it again.
    if (type !== 'error' && this.has('error')) this.fail(error)
    else this.#reporter.report(cause)
  }
}

/** Resolves with the next event of `type` that passes `filter`. */
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
      reject(new TimeoutError(`gateway.waitFor('${type}')`, 'timeout', timeout, 'no matching event was received'))
    return [listeners.on(type, listener), setSafeTimeout(timeout, expire)]
  })
}

/**
 * Returns a promise that `start` settles, or that rejects when the gateway closes or `signal` aborts. `start` returns the
 * functions that clean up.
 */
export function untilClosed<T>(
  listeners: Listeners,
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => readonly (() => void)[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cleanUp = () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    }
    const fail = (reason: unknown) => {
      cleanUp()
      reject(reason)
    }
    // First in the array, because the cleanup of `start` may close the gateway.
    const unsubscribeClose = listeners.onClose(fail)
    const unsubscribers: (() => void)[] = [unsubscribeClose]
    const abort = () => {
      // A `stateChange` listener may abort this signal: then reject with the gateway's error, not with the signal's reason.
      if (unsubscribeClose()) fail(signal?.reason)
    }
    if (signal !== undefined) unsubscribers.push(onAbort(signal, abort))
    const settle = (value: T) => {
      cleanUp()
      resolve(value)
    }
    unsubscribers.push(...start(settle, fail))
  })
}

/** Maximum number of unread events. */
const MAX_UNREAD = 1_024

/**
 * Returns a stream of the events of `types`, for `for await`. It ends when the gateway closes or `signal` aborts. Events that
 * are buffered are read before the end or an error, unless it is aborted.
 */
export function openStream<K extends keyof GatewayEvents>(
  listeners: Listeners,
  types: readonly K[],
  signal: AbortSignal | undefined,
): AsyncIterableIterator<GatewayMessage<K>, undefined> {
  const unsubscribers: (() => void)[] = []
  const buffer: GatewayMessage<K>[] = []
  let outcome: { readonly failure?: { readonly reason: unknown } } | undefined
  let pendingReads = 0
  let wake = () => {}
  const end = (ended: NonNullable<typeof outcome>) => {
    outcome ??= ended
    for (const unsubscribe of unsubscribers) unsubscribe()
    wake()
  }
  const fail = (reason: unknown) => end({ failure: { reason } })
  const discard = () => buffer.splice(0)
  const push = (event: GatewayMessage<K>) => {
    if (buffer.length < MAX_UNREAD + pendingReads) buffer.push(event)
    else fail(new GatewayError('stream_overflow', `the stream has ${MAX_UNREAD} unread events. Read it faster.`))
    wake()
  }
  const subscribe = <T extends K>(type: T) => {
    unsubscribers.push(listeners.on(type, (data: GatewayEvents[T]) => push({ type, data })))
  }
  for (const type of new Set(types)) subscribe(type)
  unsubscribers.push(listeners.onClose((error) => (error.reason === 'disconnected' ? end({}) : fail(error))))
  const abort = () => {
    if (!outcome) discard()
    fail(signal?.reason)
  }
  if (signal !== undefined) unsubscribers.push(onAbort(signal, abort))
  if (signal?.aborted) abort()

  async function* read(): AsyncGenerator<GatewayMessage<K>, undefined> {
    while (!outcome || buffer.length > 0) {
      const event = buffer.shift()
      if (event) yield event
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    if (outcome.failure) throw outcome.failure.reason
  }
  const reader = read()
  return {
    next() {
      pendingReads++
      return reader.next().finally(() => pendingReads--)
    },
    return() {
      discard()
      // Before the reader, which would otherwise wait for an event.
      end({})
      return reader.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
