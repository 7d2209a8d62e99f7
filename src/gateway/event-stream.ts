import { onAbort } from '../abort'
import { GatewayError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import type { GatewayEvents, GatewayMessage } from './events'
import type { Listeners } from './listeners'

/** Events that may wait to be read. */
const MOST = 1_024

interface Reader<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void
  readonly reject: (reason: unknown) => void
}

const DONE = { done: true, value: undefined } as const

/** Events as they come, for `for await`. What has come is read before an end is told, unless the reader aborted. */
class EventStream<T> implements AsyncIterableIterator<T, undefined> {
  readonly #stop: () => void
  readonly #readers: Reader<T>[] = []
  #buffer: T[] = []
  #isOver = false
  #failure: { readonly reason: unknown } | undefined

  /** `stop` is called when it takes no more events. */
  constructor(stop: () => void) {
    this.#stop = stop
    bindMembers(this)
  }

  push(event: T): void {
    if (this.#isOver) return
    const reader = this.#readers.shift()
    if (reader !== undefined) reader.resolve({ done: false, value: event })
    else if (this.#buffer.length < MOST) this.#buffer.push(event)
    else this.fail(new GatewayError('stream_overflow', `a stream was not read while ${MOST} events came. Read faster.`))
  }

  /** Ends it once what has come is read. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop()
    for (const { resolve } of this.#readers.splice(0)) resolve(DONE)
  }

  /** Ends it with an error once what has come is read. */
  fail(reason: unknown): void {
    if (this.#isOver) return
    const [first, ...others] = this.#readers.splice(0)
    if (first === undefined) this.#failure = { reason }
    else first.reject(reason)
    for (const { resolve } of others) resolve(DONE)
    this.end()
  }

  /** Ends it with an error at once. */
  abort(reason: unknown): void {
    if (!this.#isOver) this.#buffer = []
    this.fail(reason)
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      const event = this.#buffer.shift()
      if (event !== undefined) resolve({ done: false, value: event })
      else if (this.#failure !== undefined) {
        reject(this.#failure.reason)
        // It is told once.
        this.#failure = undefined
      } else if (this.#isOver) resolve(DONE)
      else this.#readers.push({ resolve, reject })
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

/** A stream of events of some kinds, that ends with the gateway or with `signal`. */
export function openStream<K extends keyof GatewayEvents>(
  listeners: Listeners,
  types: readonly K[],
  signal: AbortSignal | undefined,
): EventStream<GatewayMessage<K>> {
  const ends: (() => void)[] = []
  const stream = new EventStream<GatewayMessage<K>>(() => {
    for (const end of ends) end()
  })
  const take = <T extends K>(type: T) => {
    const listener = (data: GatewayEvents[T]) => stream.push({ type, data })
    ends.push(listeners.on(type, listener))
  }
  for (const type of new Set(types)) take(type)
  ends.push(listeners.onClose((error) => (error.reason === 'disconnected' ? stream.end() : stream.fail(error))))
  if (signal !== undefined) ends.push(onAbort(signal, () => stream.abort(signal.reason)))
  if (signal?.aborted) stream.abort(signal.reason)
  return stream
}
