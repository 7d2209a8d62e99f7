import { check } from '../contract/check'
import { compile } from '../contract/fits'
import { gatewayEvents, type ReadyEvent } from '../contract/gateway-events'
import { tokenSecrets } from '../internal/redact'
import type { Session } from '../session/session'
import { resumeAddress } from './address'
import type { GatewayDispatch, GatewayServiceEvents } from './events'
import { DUPLICATE, type GatewaySession } from './gateway-session'
import type { Listeners } from './listeners'
import type { DispatchFrame } from './protocol'
import type { GatewayConfig } from './read-options'

/** The names that listeners use. */
type KnownName = keyof GatewayServiceEvents | 'resumed'
/** Names of events that are remembered, so that each is reported once; a service may make up any number. */
const MAX_NAMES = 256
const MAX_NAME_LENGTH = 100

interface KnownEvent {
  readonly name: KnownName
  readonly isValid: (payload: unknown) => boolean
}

/** Handles events: updates the Gateway session and calls listeners. */
export class Dispatcher {
  readonly #config: GatewayConfig
  readonly #session: Session
  readonly #listeners: Listeners
  readonly #gatewaySession: GatewaySession
  readonly #onReady: (ready: ReadyEvent) => boolean
  readonly #events: ReadonlyMap<string, KnownEvent>
  readonly #reported = new Set<string>()
  #last: readonly [type: string, event: KnownEvent] | undefined

  /** `onReady` is called when a session has started or was resumed; it returns whether there still is a connection. */
  constructor(
    config: GatewayConfig,
    session: Session,
    listeners: Listeners,
    gatewaySession: GatewaySession,
    onReady: (ready: ReadyEvent) => boolean,
  ) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#gatewaySession = gatewaySession
    this.#onReady = onReady
    const events = Object.entries(config.protocol.eventMap)
    this.#events = new Map(events.map(([type, name]) => [type, { name, isValid: validatorOf(name) }]))
  }

  /** `raw` is the frame as it came. */
  handle(frame: DispatchFrame, raw: string | ArrayBuffer, isResuming: boolean): void {
    const { type, data, sequence } = frame
    const event = this.#eventOf(type)
    const name = event?.name
    if (name === 'ready') {
      if (!this.#isKnown(frame)) this.#begin(frame)
      return
    }
    const session = this.#gatewaySession
    const last = session.sequence
    const missing =
      name === 'resumed' ? session.trackEnd(sequence, isResuming) : session.track(sequence, raw, isResuming)
    if (missing === DUPLICATE) return
    if (missing !== 0) this.#reportGap(missing, last)
    if (name === 'resumed') {
      this.#dispatch(name, frame)
      if (isResuming) this.#resumed()
      return
    }
    if (isResuming) session.replayed++
    if (name === 'authSessionChange' && isReadyEvent(data)) session.hash = data.auth_session_id_hash
    this.#dispatch(name ?? type, frame)
    if (event === undefined || name === undefined) this.#reportUnknown(type)
    else if (event.isValid(data) || this.#isValid(name, data)) this.#listeners.emitPayload(name, data)
  }

  #eventOf(type: string): KnownEvent | undefined {
    // Events come in runs, and to compare a string is faster than to look it up, which hashes it each time.
    if (this.#last?.[0] === type) return this.#last[1]
    const event = this.#events.get(type)
    if (event !== undefined) this.#last = [type, event]
    return event
  }

  /** Whether Ready has come before, for the session that there is. */
  #isKnown({ data, sequence }: DispatchFrame): boolean {
    const { id, sequence: last } = this.#gatewaySession
    if (sequence === null || last === null || sequence > last) return false
    return id !== undefined && isReadyEvent(data) && data.session_id === id
  }

  #begin(frame: DispatchFrame): void {
    const { data, sequence } = frame
    const isReady = isReadyEvent(data)
    if (isReady) {
      this.#gatewaySession.begin(data, resumeAddress(data.resume_gateway_url, this.#config), sequence)
      if (!this.#onReady(data)) return
    }
    this.#dispatch('ready', frame)
    // Whatever else is wrong with it is reported, and stops nothing.
    this.#isValid('ready', data)
    if (isReady) this.#listeners.emit('ready', data)
  }

  #resumed(): void {
    const { ready, replayed } = this.#gatewaySession
    this.#gatewaySession.resumed()
    if (ready !== undefined && this.#onReady(ready)) this.#listeners.emit('resumed', { replayed })
  }

  /** Emits an event to those who listen to all. */
  #dispatch(type: GatewayDispatch['type'], { data, sequence }: DispatchFrame): void {
    if (this.#listeners.has('dispatch')) this.#listeners.emit('dispatch', { type, data, sequence })
  }

  /** Whether a payload is valid. Reports what is wrong. */
  #isValid(event: keyof GatewayServiceEvents, data: unknown): boolean {
    const { name, payload } = gatewayEvents[event]
    const issues = check(payload, data, { showValues: false, onlyFirst: true })
    if (issues.length === 0) return true
    this.#listeners.warn('invalid_payload', `the payload of ${name} is not valid`, { event, issues })
    return false
  }

  #reportGap(missing: number, last: number | null): void {
    const { sequence } = this.#gatewaySession
    const message =
      missing > 0
        ? `${missing} of the events before number ${sequence} did not come`
        : `the numbers of events went back from ${last} to ${sequence}`
    this.#listeners.warn('sequence_gap', message)
  }

  #reportUnknown(type: string): void {
    // A new string: a part of another keeps all of that in memory.
    const event = Array.from(tokenSecrets(this.#session).text(type).slice(0, MAX_NAME_LENGTH)).join('')
    if (this.#reported.has(event) || this.#reported.size >= MAX_NAMES) return
    this.#reported.add(event)
    this.#listeners.warn('unknown_event', 'an event that the interface does not name', { event })
  }
}

function validatorOf(name: KnownName): KnownEvent['isValid'] {
  return name === 'resumed' ? () => true : compile(gatewayEvents[name].payload)
}

/** Ready and Auth Session Change have in common what is needed of them. */
function isReadyEvent(data: unknown): data is ReadyEvent {
  return typeof data === 'object' && data !== null && typeof Reflect.get(data, 'auth_session_id_hash') === 'string'
}
