import { gatewayEvents, type ReadyEvent } from '../contract/gateway-events'
import { check, compile } from '../contract/validate'
import { tokenSecrets } from '../internal/redact'
import type { Session } from '../session/session'
import type { GatewayDispatch, GatewayServiceEvents } from './events'
import type { Listeners } from './listeners'
import { type GatewayConfig, resumeAddress } from './options'
import type { DispatchFrame } from './protocol'

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

/** Failures in a row after which something else is tried. */
const MOST_FAILURES = 3

/** How many of the last events are remembered, and how large they may be. */
const MAX_REMEMBERED = 32

const MAX_REMEMBERED_LENGTH = 4_096

/** What `track` returns for an event that was delivered before, and where the numbers have gone back. */
const DUPLICATE = -1

const WENT_BACK = -2

interface Remembered {
  readonly sequence: number
  /** The frame as it came; `null` of bytes. */
  readonly raw: string | null
}

/** A Gateway session: what it started with, how far it has come, and what a lost connection is resumed with. */
export class GatewaySession {
  /** Names the session; `undefined` where there is none to resume. */
  id: string | undefined
  /** Where to resume it; `undefined` where that is the address of the options. */
  resumeUrl: string | undefined
  /** Number of the last event that came. */
  sequence: number | null = null
  /** What the last session started with; like `hash` it stays until the next one has started. */
  ready: ReadyEvent | undefined
  /** ID hash of the authentication session that it belongs to. */
  hash: string | null = null
  /** How many events have come again on this connection. */
  replayed = 0
  #failedResumes = 0
  #failedOpens = 0
  /** The last events as they came, by their number: one that comes twice is equal to what came before. */
  #remembered: Remembered[] = []
  /** The highest number that has come on this connection. */
  #highest = -1
  /** The number up to which events came before the connection that resumed the session. */
  #resumedFrom = -1

  begin(ready: ReadyEvent, resumeUrl: string | undefined, sequence: number | null): void {
    this.clear()
    const { session_id } = ready
    // Ready needs its hash alone, so this may be anything.
    if (typeof session_id === 'string' && session_id !== '') this.id = session_id
    this.resumeUrl = resumeUrl
    this.sequence = sequence
    this.ready = ready
    this.hash = ready.auth_session_id_hash
  }

  /** A connection has opened that resumes the session. */
  resuming(): void {
    this.replayed = 0
    this.#highest = -1
    this.#resumedFrom = this.sequence ?? -1
  }

  /**
   * Takes note of an event. Returns how many are missing before it, or that it is a duplicate, or that the numbers have
   * gone back: such an event must be delivered, for a service that restarts its numbers would be ignored otherwise.
   * `raw` is the frame as it came.
   */
  track(sequence: number | null, raw: string | ArrayBuffer, isReplay: boolean): number {
    if (sequence === null) return 0
    const last = this.sequence
    const isOld = last !== null && sequence <= last
    if (sequence > this.#highest) this.#highest = sequence
    if (isOld) {
      const remembered = this.#remembered[sequence % MAX_REMEMBERED]
      // After a replay, what came before it is sent again by a service only if its numbers have restarted.
      const isKnown = remembered?.sequence === sequence && (isReplay || sequence > this.#resumedFrom)
      // Of a replay it is expected that it repeats what is too old, or too large, to be remembered.
      // Two frames of bytes with one number are taken to be equal.
      if (isKnown ? remembered.raw === null || remembered.raw === raw : isReplay) return DUPLICATE
    }
    const text = typeof raw === 'string' ? raw : null
    if (text === null || text.length <= MAX_REMEMBERED_LENGTH)
      this.#remembered[sequence % MAX_REMEMBERED] = { sequence, raw: text }
    this.sequence = sequence
    if (last === null) return 0
    if (!isOld) return sequence - last - 1
    this.#highest = sequence
    this.#resumedFrom = sequence - 1
    return WENT_BACK
  }

  /** As `track`, for the end of a replay, which shows how far the numbers of the service have come. */
  trackEnd(sequence: number | null, isReplay: boolean): number {
    const last = this.sequence
    const reached = sequence ?? (isReplay && this.#highest >= 0 ? this.#highest : last)
    this.sequence = reached
    if (last === null || reached === null || reached === last) return 0
    return reached < last ? WENT_BACK : reached - last - 1
  }

  resumed(): void {
    this.#failedResumes = 0
    this.#failedOpens = 0
  }

  /** A connection opened and ended before the session was resumed: after some of these a fresh one is tried. */
  resumeFailed(): void {
    if (++this.#failedResumes >= MOST_FAILURES) this.clear()
  }

  /** No connection came about. The session may well be alive, but its address may be gone. */
  openFailed(): void {
    if (++this.#failedOpens >= MOST_FAILURES) this.resumeUrl = undefined
  }

  /** The next session is a fresh one. */
  clear(): void {
    this.id = undefined
    this.resumeUrl = undefined
    this.sequence = null
    this.#remembered = []
    this.#resumedFrom = -1
    this.resumed()
  }

  /** What comes next is another life. */
  forget(): void {
    this.clear()
    this.ready = undefined
    this.hash = null
  }
}
