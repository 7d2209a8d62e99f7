import { gatewayEvents, type ReadyEvent } from '../contract/gateway-events'
import { check } from '../contract/validate'
import { GatewayError } from '../errors/client-errors'
import { isObject, readField } from '../internal/json'
import { tokenSecrets } from '../internal/redact'
import type { SessionManager } from '../session/session'
import type { Followers } from '../transport/events'
import { checkUsers } from '../transport/users'
import type { StandardResult, StandardSchema } from '../types/options'
import {
  type CustomEventName,
  type DeclaredEvent,
  type GatewayDispatch,
  type GatewayServiceEvents,
  invalidPayload,
  schemaThrew,
} from './events'
import type { Listeners } from './listeners'
import { type GatewayConfig, resolveResumeUrl } from './options'
import type { DispatchFrame } from './protocol'

/** Maximum number of failures in a row before the session, or its resume URL, is discarded. */
const MAX_FAILURES = 3
/** Maximum number of recent events that are remembered. */
const MAX_REMEMBERED = 32
/** Maximum length of a remembered event, in characters. */
const MAX_REMEMBERED_LENGTH = 4_096
/** Returned by `track` for an event that was already delivered. */
const DUPLICATE = -1
/** Returned by `track` if the sequence numbers have gone back. */
const WENT_BACK = -2

interface Remembered {
  readonly sequence: number
  /** The frame as received; `null` for bytes. */
  readonly raw: string | null
}

/** State of a Gateway session: the payload of Ready, the sequence numbers, and the data needed to resume it. */
export class GatewaySession {
  /** Whether the connection is in state `resuming`. */
  isResuming = false
  /** Session ID; `undefined` if there is no session to resume. */
  id: string | undefined
  /** URL to resume it at; `undefined` for the URL of the options. */
  resumeUrl: string | undefined
  /** Sequence number of the last event. */
  sequence: number | null = null
  /** Payload of the last Ready; like `hash` it is kept until the next session starts. */
  ready: ReadyEvent | undefined
  /** ID hash of the authentication session that it belongs to. */
  hash: string | null = null
  /** Number of events that were replayed on this connection. */
  replayed = 0
  #failedResumes = 0
  #failedOpens = 0
  /** Recent events, indexed by sequence number modulo `MAX_REMEMBERED`: a duplicate is equal to the remembered event. */
  #remembered: Remembered[] = []
  /** Highest sequence number received on this connection. */
  #highest = -1
  /** Last sequence number received before the current connection resumed the session. */
  #resumedFrom = -1

  start(ready: ReadyEvent, resumeUrl: string | undefined, sequence: number | null): void {
    this.clear()
    const session_id = readField(ready, 'session_id')
    // Only the hash was validated.
    if (typeof session_id === 'string' && session_id !== '') this.id = session_id
    this.resumeUrl = resumeUrl
    this.sequence = sequence
    this.ready = ready
    this.hash = ready.auth_session_id_hash
  }

  /** Prepares for the replay on a new connection. */
  startResume(): void {
    this.replayed = 0
    this.#highest = -1
    this.#resumedFrom = this.sequence ?? -1
  }

  /**
   * Records an event. Returns the number of events that are missing before it, `DUPLICATE`, or `WENT_BACK`: that event must
   * be delivered, or the events of a service that restarts its numbers would be ignored. `raw` is the frame as received.
   */
  track(sequence: number | null, raw: string | ArrayBuffer, isReplay: boolean): number {
    if (sequence === null) return 0
    const last = this.sequence
    const isOld = last !== null && sequence <= last
    if (sequence > this.#highest) this.#highest = sequence
    if (isOld) {
      const remembered = this.#remembered[sequence % MAX_REMEMBERED]
      // After a replay, a service sends earlier numbers again only if its numbers have restarted.
      const isKnown = remembered?.sequence === sequence && (isReplay || sequence > this.#resumedFrom)
      // A replay may repeat events that are too old or too large to be remembered.
      // Two binary frames with the same number are assumed to be equal.
      if (isKnown ? remembered.raw === null || remembered.raw === raw : isReplay) return DUPLICATE
    }
    const frame = typeof raw === 'string' ? raw : null
    if (frame === null || frame.length <= MAX_REMEMBERED_LENGTH)
      this.#remembered[sequence % MAX_REMEMBERED] = { sequence, raw: frame }
    this.sequence = sequence
    if (last === null) return 0
    if (!isOld) return sequence - last - 1
    this.#highest = sequence
    this.#resumedFrom = sequence - 1
    return WENT_BACK
  }

  /** The same as `track` for Resumed, which ends a replay and has the service's current number. */
  trackResumed(sequence: number | null, isReplay: boolean): number {
    const last = this.sequence
    const reached = sequence ?? (isReplay && this.#highest >= 0 ? this.#highest : last)
    this.sequence = reached
    if (last === null || reached === null || reached === last) return 0
    return reached < last ? WENT_BACK : reached - last - 1
  }

  resetFailures(): void {
    this.#failedResumes = 0
    this.#failedOpens = 0
  }

  /** Records that a connection ended before the session was resumed; after three, the next session is a new one. */
  recordResumeFailure(): void {
    if (++this.#failedResumes >= MAX_FAILURES) this.clear()
  }

  /** Records that no connection could be opened; after three, the resume URL is discarded, but not the session. */
  recordOpenFailure(): void {
    if (++this.#failedOpens >= MAX_FAILURES) this.resumeUrl = undefined
  }

  /** Discards the data needed to resume, so that the next session is a new one. */
  clear(): void {
    this.id = undefined
    this.resumeUrl = undefined
    this.sequence = null
    this.#remembered = []
    this.#resumedFrom = -1
    this.resetFailures()
  }

  /** Discards everything. */
  reset(): void {
    this.clear()
    this.ready = undefined
    this.hash = null
  }
}

/** Name that listeners use. */
type KnownName = keyof GatewayServiceEvents | 'resumed'

/** Maximum number of unknown event names that are remembered, so that each is reported only once. */
const MAX_UNKNOWN_NAMES = 256
/** Maximum length of a reported event name, in characters. */
const MAX_NAME_LENGTH = 100

/** Handles dispatch frames: updates the Gateway session and emits the event. */
export class Dispatcher {
  readonly #config: GatewayConfig
  readonly #session: SessionManager
  readonly #listeners: Listeners
  readonly #followers: Followers
  readonly #gatewaySession: GatewaySession
  readonly #onReady: (ready: ReadyEvent) => boolean
  readonly #events: ReadonlyMap<string, KnownName>
  readonly #reportedNames = new Set<string>()
  readonly #secrets = () => tokenSecrets(this.#session)
  /** The event looked up last. */
  #last: readonly [type: string, name: KnownName] | undefined

  /** `onReady` is called when a session was started or resumed; it returns whether the connection is still open. */
  constructor(
    config: GatewayConfig,
    session: SessionManager,
    listeners: Listeners,
    gatewaySession: GatewaySession,
    onReady: (ready: ReadyEvent) => boolean,
  ) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#followers = listeners.followers
    this.#gatewaySession = gatewaySession
    this.#onReady = onReady
    this.#events = new Map(Object.entries(config.protocol.eventMap))
  }

  /** `raw` is the frame as received. */
  handle(frame: DispatchFrame, raw: string | ArrayBuffer): void {
    const { isResuming } = this.#gatewaySession
    const { type, data, sequence } = frame
    const name = this.#findEvent(type)
    if (name === 'ready') {
      if (!this.#isDuplicateReady(frame)) this.#handleReady(frame)
      return
    }
    const session = this.#gatewaySession
    const last = session.sequence
    const missing =
      name === 'resumed' ? session.trackResumed(sequence, isResuming) : session.track(sequence, raw, isResuming)
    if (missing === DUPLICATE) return
    if (missing !== 0) this.#reportGap(missing, last)
    if (name === 'resumed') {
      this.#emitDispatch(name, frame)
      if (isResuming) this.#handleResumed()
      return
    }
    if (isResuming) session.replayed++
    if (name === 'authSessionChange' && isReadyEvent(data)) session.hash = data.auth_session_id_hash
    this.#emitDispatch(name ?? type, frame)
    const custom = this.#config.events.get(type)
    if (custom) this.#handleCustom(custom, data)
    else if (name === undefined) this.#reportUnknown(type)
    else if (this.#validate(name, data)) this.#emit(name, data)
  }

  #emit(name: keyof GatewayServiceEvents | CustomEventName, data: unknown): void {
    // Validated by the schema of this name, which the compiler cannot relate to `data`.
    this.#listeners.emit(name, data as never, true)
  }

  /** Emits an event of the app. An asynchronous schema delays it. */
  #handleCustom({ name, schema }: DeclaredEvent, data: unknown): void {
    const receive = (result: StandardResult<unknown>) => {
      if (!result.issues) {
        this.#emit(name, result.value)
        return
      }
      const { code, message, ...details } = invalidPayload(name, result.issues, tokenSecrets(this.#session))
      this.#listeners.warn(code, message, details)
    }
    const fail = (cause: unknown) => this.#listeners.reportThrown(schemaThrew(name, cause), cause)
    try {
      const result = schema ? schema['~standard'].validate(data) : { value: data }
      if ('then' in result) result.then(receive).catch(fail)
      else receive(result)
    } catch (cause) {
      fail(cause)
    }
  }

  #findEvent(type: string): KnownName | undefined {
    // Events of one type often follow each other, and comparing strings is faster than a lookup, which hashes them.
    if (this.#last?.[0] === type) return this.#last[1]
    const name = this.#events.get(type)
    if (name !== undefined) this.#last = [type, name]
    return name
  }

  /** Whether Ready was already received for the current session. */
  #isDuplicateReady({ data, sequence }: DispatchFrame): boolean {
    const { id, sequence: last } = this.#gatewaySession
    if (sequence === null || last === null || sequence > last) return false
    return id !== undefined && isReadyEvent(data) && readField(data, 'session_id') === id
  }

  /** Keeps what is needed to resume a session. Returns whether its Ready is valid. */
  startSession(ready: unknown, sequence: number | null): ready is ReadyEvent {
    if (!isReadyEvent(ready)) return false
    this.#gatewaySession.start(ready, resolveResumeUrl(readField(ready, 'resume_gateway_url'), this.#config), sequence)
    return true
  }

  #handleReady(frame: DispatchFrame): void {
    const { data, sequence } = frame
    const isReady = this.startSession(data, sequence)
    if (isReady) {
      this.#session.identify(data)
      if (!this.#onReady(data)) return
    }
    this.#emitDispatch('ready', frame)
    // Other invalid fields are only reported.
    this.#validate('ready', data)
    if (isReady) this.#listeners.emit('ready', data)
  }

  #handleResumed(): void {
    const { ready, replayed } = this.#gatewaySession
    this.#gatewaySession.resetFailures()
    if (ready === undefined || !this.#onReady(ready)) return
    this.#listeners.follow({ type: 'resumed', data: { replayed } })
    this.#listeners.emit('resumed', { replayed })
  }

  #emitDispatch(type: GatewayDispatch['type'], { data, sequence }: DispatchFrame): void {
    const { instrumentation, gateway } = this.#followers
    if (instrumentation || gateway?.hasSubscribers)
      this.#listeners.follow({ type: 'dispatch', data: { type, sequence } })
    if (this.#listeners.has('dispatch')) this.#listeners.emit('dispatch', { type, data, sequence })
  }

  /** Returns whether a payload is valid; otherwise emits a warning. */
  #validate(event: keyof GatewayServiceEvents, data: unknown): boolean {
    const { name, payload } = gatewayEvents[event]
    const { userSchema } = this.#config
    if (userSchema) void this.#checkUsers(userSchema, event, data)
    if (this.#followers.drift) this.#listeners.compare(`Gateway: ${name}`, data, this.#secrets)
    const issues = check(payload, data, { showValues: false })
    if (issues.length === 0) return true
    this.#listeners.warn('invalid_payload', `received an invalid payload of ${name}`, { event, issues })
    return false
  }

  /** Reports users that the app's schema rejects. The schema may be asynchronous, so the event does not wait for it. */
  async #checkUsers(userSchema: StandardSchema, event: keyof GatewayServiceEvents, data: unknown): Promise<void> {
    const { name, payload } = gatewayEvents[event]
    try {
      const issues = await checkUsers(userSchema, payload, data, () => tokenSecrets(this.#session))
      if (issues.length > 0)
        this.#listeners.warn('invalid_user', `received an invalid user in ${name}`, { event, issues })
    } catch (cause) {
      const error = new GatewayError('schema_threw', 'the option `userSchema` threw.', { cause })
      this.#listeners.reportThrown(error, cause)
    }
  }

  #reportGap(missing: number, last: number | null): void {
    const { sequence } = this.#gatewaySession
    const message =
      missing > 0
        ? `missed ${missing} event(s) before sequence number ${sequence}`
        : `the sequence number went back from ${last} to ${sequence}`
    this.#listeners.warn('sequence_gap', message)
  }

  #reportUnknown(type: string): void {
    this.#listeners.compare('Gateway', type, this.#secrets)
    // Copied, because a substring would keep the whole string in memory.
    const event = Array.from(tokenSecrets(this.#session).text(type).slice(0, MAX_NAME_LENGTH)).join('')
    if (this.#reportedNames.has(event) || this.#reportedNames.size >= MAX_UNKNOWN_NAMES) return
    this.#reportedNames.add(event)
    this.#listeners.warn('unknown_event', 'received an event that the API does not name', { event })
  }
}

/** Whether a payload has the field that Ready and Auth Session Change must have. */
function isReadyEvent(data: unknown): data is ReadyEvent {
  return isObject(data) && typeof readField(data, 'auth_session_id_hash') === 'string'
}
