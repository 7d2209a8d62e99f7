import { check } from '../contract/check'
import { compile } from '../contract/fits'
import { gatewayEvents, type ReadyEvent } from '../contract/gateway-events'
import { tokenSecrets } from '../internal/redact'
import type { Session } from '../session/session'
import { resumeAddress } from './address'
import type { GatewayDispatch, GatewayServiceEvents } from './events'
import type { GatewaySession } from './gateway-session'
import type { Listeners } from './listeners'
import type { DispatchFrame } from './protocol'
import type { GatewayConfig } from './read-options'

/** The names that listeners use. */
type KnownName = keyof GatewayServiceEvents | 'resumed'
/** Names of events that are remembered, so that each is told once; a service may make up any number. */
const MOST_NAMES = 256
const MOST_LETTERS = 100

/** Takes in what the service tells: what it means for the Gateway session, and who is to hear of it. */
export class Delivery {
  readonly #config: GatewayConfig
  readonly #session: Session
  readonly #listeners: Listeners
  readonly #gatewaySession: GatewaySession
  readonly #arrived: (ready: ReadyEvent) => boolean
  readonly #names: ReadonlyMap<string, KnownName>
  readonly #validators = new Map(Object.values(gatewayEvents).map(({ payload }) => [payload, compile(payload)]))
  readonly #told = new Set<string>()
  #last: { readonly type: string; readonly name: KnownName } | undefined

  /** `arrived` is called when a session has started or was resumed; it says whether there still is a connection. */
  constructor(
    config: GatewayConfig,
    session: Session,
    listeners: Listeners,
    gatewaySession: GatewaySession,
    arrived: (ready: ReadyEvent) => boolean,
  ) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#gatewaySession = gatewaySession
    this.#arrived = arrived
    this.#names = new Map(Object.entries(config.protocol.eventMap))
  }

  take(frame: DispatchFrame, isResuming: boolean): void {
    const { type, data, sequence } = frame
    const name = this.#nameOf(type)
    if (name === 'ready') {
      if (!this.#isKnown(frame)) this.#begin(frame)
      return
    }
    const missing = this.#gatewaySession.count(sequence)
    if (missing > 0)
      this.#listeners.warn('sequence_gap', `${missing} of the events before number ${sequence} did not come`)
    if (name === 'resumed') {
      this.#dispatch(name, frame)
      if (isResuming) this.#resumed()
    } else if (missing >= 0) {
      if (isResuming) this.#gatewaySession.replayed++
      if (name === 'authSessionChange' && hasHash(data)) this.#gatewaySession.hash = data.auth_session_id_hash
      this.#dispatch(name ?? type, frame)
      if (name === undefined) this.#tellUnknown(type)
      else if (this.#isSound(name, data)) this.#listeners.pass(name, data)
    }
  }

  /** The name that listeners use. */
  #nameOf(type: string): KnownName | undefined {
    // Events come in runs, and to compare a text is faster than to look it up, which hashes it anew each time.
    if (this.#last?.type === type) return this.#last.name
    const name = this.#names.get(type)
    if (name !== undefined) this.#last = { type, name }
    return name
  }

  /** Whether Ready has come before, for the session that there is. */
  #isKnown({ data, sequence }: DispatchFrame): boolean {
    const { id, sequence: last } = this.#gatewaySession
    if (sequence === null || last === null || sequence > last) return false
    return id !== undefined && hasHash(data) && data.session_id === id
  }

  #begin(frame: DispatchFrame): void {
    const { data, sequence } = frame
    const isReady = hasHash(data)
    if (isReady) {
      this.#gatewaySession.begin(data, resumeAddress(data.resume_gateway_url, this.#config), sequence)
      if (!this.#arrived(data)) return
    }
    this.#dispatch('ready', frame)
    // What else is off in it is told, and stops nothing.
    this.#isSound('ready', data)
    if (isReady) this.#listeners.emit('ready', data)
  }

  #resumed(): void {
    const { ready, replayed } = this.#gatewaySession
    this.#gatewaySession.resumed()
    if (ready !== undefined && this.#arrived(ready)) this.#listeners.emit('resumed', { replayed })
  }

  /** Delivers an event to those who listen to all. */
  #dispatch(type: GatewayDispatch['type'], { data, sequence }: DispatchFrame): void {
    if (this.#listeners.has('dispatch')) this.#listeners.emit('dispatch', { type, data, sequence })
  }

  /** Whether a payload is what its event carries. Tells what is off. */
  #isSound(event: keyof GatewayServiceEvents, data: unknown): boolean {
    const { name, payload } = gatewayEvents[event]
    if (this.#validators.get(payload)?.(data)) return true
    const issues = check(payload, data, { showValues: false, onlyFirst: true })
    if (issues.length === 0) return true
    this.#listeners.warn('invalid_payload', `the payload of ${name} is not what it should be`, { event, issues })
    return false
  }

  #tellUnknown(type: string): void {
    // Put together anew: a part of a text keeps all of it in memory.
    const event = Array.from(tokenSecrets(this.#session).text(type).slice(0, MOST_LETTERS)).join('')
    if (this.#told.has(event) || this.#told.size >= MOST_NAMES) return
    this.#told.add(event)
    this.#listeners.warn('unknown_event', 'an event that the interface does not name', { event })
  }
}

/** Ready and Auth Session Change have in common what is needed of them. */
function hasHash(data: unknown): data is ReadyEvent {
  return typeof data === 'object' && data !== null && typeof Reflect.get(data, 'auth_session_id_hash') === 'string'
}
