import { onAbort } from '../abort'
import { GatewayError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import type { GatewayEvents, GatewayMessage } from './events'
import type { Listeners } from './listeners'

/** Maximum number of unread events. */
const MAX_UNREAD = 1_024

interface PendingRead<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void
  readonly reject: (reason: unknown) => void
}

const DONE = { done: true, value: undefined } as const

/** Buffered events for `for await`. Buffered events are read before the end or an error, unless the stream is aborted. */
class EventStream<T> implements AsyncIterableIterator<T, undefined> {
  readonly #stop: () => void
  readonly #pendingReads: PendingRead<T>[] = []
  #buffer: T[] = []
  #hasEnded = false
  #failure: { readonly reason: unknown } | undefined

  /** `stop` is called when the stream ends. */
  constructor(stop: () => void) {
    this.#stop = stop
    bindMembers(this)
  }

  push(event: T): void {
    if (this.#hasEnded) return
    const read = this.#pendingReads.shift()
    if (read !== undefined) read.resolve({ done: false, value: event })
    else if (this.#buffer.length < MAX_UNREAD) this.#buffer.push(event)
    else this.fail(new GatewayError('stream_overflow', `the stream has ${MAX_UNREAD} unread events. Read it faster.`))
  }

  /** Ends the stream after the buffered events. */
  end(): void {
    this.#hasEnded = true
    this.#stop()
    for (const { resolve } of this.#pendingReads.splice(0)) resolve(DONE)
  }

  /** Ends the stream with an error after the buffered events. */
  fail(reason: unknown): void {
    if (this.#hasEnded) return
    const [first, ...others] = this.#pendingReads.splice(0)
    if (first === undefined) this.#failure = { reason }
    else first.reject(reason)
    for (const { resolve } of others) resolve(DONE)
    this.end()
  }

  /** Ends the stream with an error and discards the buffered events. */
  abort(reason: unknown): void {
    if (!this.#hasEnded) this.#buffer = []
    this.fail(reason)
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      const event = this.#buffer.shift()
      if (event !== undefined) resolve({ done: false, value: event })
      else if (this.#failure !== undefined) {
        reject(this.#failure.reason)
        // Rejects only once.
        this.#failure = undefined
      } else if (this.#hasEnded) resolve(DONE)
      else this.#pendingReads.push({ resolve, reject })
    })
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#buffer = []
    this.#failure = undefined
    this.end()
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** Returns a stream of the events of `types`. It ends when the gateway closes or `signal` aborts. */
export function openStream<K extends keyof GatewayEvents>(
  listeners: Listeners,
  types: readonly K[],
  signal: AbortSignal | undefined,
): EventStream<GatewayMessage<K>> {
  const unsubscribers: (() => void)[] = []
  const stream = new EventStream<GatewayMessage<K>>(() => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  })
  const subscribe = <T extends K>(type: T) => {
    const listener = (data: GatewayEvents[T]) => stream.push({ type, data })
    unsubscribers.push(listeners.on(type, listener))
  }
  for (const type of new Set(types)) subscribe(type)
  unsubscribers.push(
    listeners.onClose((error) => (error.reason === 'disconnected' ? stream.end() : stream.fail(error))),
  )
  if (signal !== undefined) unsubscribers.push(onAbort(signal, () => stream.abort(signal.reason)))
  if (signal?.aborted) stream.abort(signal.reason)
  return stream
}
