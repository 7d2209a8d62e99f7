import { check } from '../contract/check'
import { gatewayEvents } from '../contract/gateway-events'
import { isPlainlyRight } from '../contract/gateway-payloads'
import type { GatewayDispatch } from './dispatch'
import type { GatewayServiceEvents } from './events'
import type { Listeners } from './listeners'
import type { Mask } from './mask'
import type { DispatchFrame, GatewayProtocol } from './protocol'

/** The names that listeners use. */
type KnownName = keyof GatewayServiceEvents | 'resumed'
/** Names of events that are remembered, so that each is told once; a service may make up any number. */
const MOST_NAMES = 256
const MOST_LETTERS = 100

/** Hands what the service sends to listeners. */
export class Delivery {
  readonly #listeners: Listeners
  readonly #names: ReadonlyMap<string, KnownName>
  readonly #mask: Mask
  readonly #told = new Set<string>()
  #last: { readonly type: string; readonly name: KnownName } | undefined

  constructor(listeners: Listeners, { eventMap }: GatewayProtocol, mask: Mask) {
    this.#listeners = listeners
    this.#names = new Map(Object.entries(eventMap))
    this.#mask = mask
  }

  /** The name that listeners use. */
  nameOf({ type }: DispatchFrame): KnownName | undefined {
    // Events come in runs, and to compare a text is faster than to look it up, which hashes it anew each time.
    if (this.#last?.type === type) return this.#last.name
    const name = this.#names.get(type)
    if (name !== undefined) this.#last = { type, name }
    return name
  }

  /** Delivers an event to those who listen to all. */
  dispatch(type: GatewayDispatch['type'], { data, sequence }: DispatchFrame): void {
    if (this.#listeners.has('dispatch')) this.#listeners.emit('dispatch', { type, data, sequence })
  }

  /** Delivers an event to those who listen to all, and, if it is what it should be, to its own listeners. */
  deliver(name: KnownName | undefined, frame: DispatchFrame): void {
    this.dispatch(name ?? frame.type, frame)
    if (name === undefined) this.#tellUnknown(frame.type)
    else if (this.isSound(name, frame.data)) this.#listeners.pass(name, frame.data)
  }

  /** Whether a payload is what its event carries. Tells what is off. */
  isSound(event: KnownName, data: unknown): boolean {
    if (event === 'resumed' || isPlainlyRight(event, data)) return true
    const { name, payload } = gatewayEvents[event]
    const issues = check(payload, data, { showValues: false, onlyFirst: true })
    if (issues.length === 0) return true
    const message = `the payload of ${name} is not what it should be`
    this.#listeners.tell('warning', { code: 'invalid_payload', message, event, issues })
    return false
  }

  #tellUnknown(type: string): void {
    // Put together anew: a part of a text keeps all of it in memory.
    const event = Array.from(this.#mask.text(type).slice(0, MOST_LETTERS)).join('')
    if (this.#told.has(event) || this.#told.size >= MOST_NAMES) return
    this.#told.add(event)
    this.#listeners.tell('warning', {
      code: 'unknown_event',
      message: 'an event that the interface does not name',
      event,
    })
  }
}
