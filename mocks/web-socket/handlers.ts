import type { MockWebSocketEvents } from './types'

type EventType = keyof MockWebSocketEvents
type Handler<K extends EventType> = ((event: MockWebSocketEvents[K]) => void) | null

/** The listeners that a socket holds in attributes such as `onopen`: one of each kind, in place among the others. */
export class HandlerAttributes {
  readonly #target: EventTarget
  readonly #handlers: { [K in EventType]?: Handler<K> } = {}
  readonly #listeners: { [K in EventType]?: (event: Event) => void } = {}

  constructor(target: EventTarget) {
    this.#target = target
  }

  get<K extends EventType>(type: K): Handler<K> {
    return this.#handlers[type] ?? null
  }

  /** Anything but a function takes the listener away, as the standard has it. */
  set<K extends EventType>(type: K, handler: Handler<K>): void {
    const isHandler = typeof handler === 'function'
    Object.assign(this.#handlers, { [type]: isHandler ? handler : null })
    const listener = this.#listeners[type]
    if (isHandler === (listener !== undefined)) return
    if (listener !== undefined) {
      this.#target.removeEventListener(type, listener)
      delete this.#listeners[type]
      return
    }
    // The type of an event tells its class.
    const call = (event: Event) => this.get(type)?.call(this.#target, event as MockWebSocketEvents[K])
    this.#listeners[type] = call
    this.#target.addEventListener(type, call)
  }
}
