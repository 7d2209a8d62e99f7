import type { ReadyEvent } from '../contract/gateway-events'
import { resumeAddress } from './address'
import { Delivery } from './delivery'
import { GatewaySession } from './gateway-session'
import { IdentifyLimit } from './identify-limit'
import type { Listeners } from './listeners'
import type { Mask } from './mask'
import type { DispatchFrame, GatewayProtocol } from './protocol'
import type { GatewayConfig } from './read-options'

/** What is said over the connections of one gateway: which session it is about, and what came of it. */
export class Conversation {
  readonly #config: GatewayConfig
  readonly #listeners: Listeners
  readonly #delivery: Delivery
  readonly #arrived: () => boolean
  readonly #session = new GatewaySession()
  readonly #identifies = new IdentifyLimit()
  #ready: ReadyEvent | undefined
  #hash: string | null = null
  #replayed = 0

  /** `arrived` is called when a session has started or was resumed; it says whether there still is a connection. */
  constructor(config: GatewayConfig, listeners: Listeners, mask: Mask, arrived: () => boolean) {
    this.#config = config
    this.#listeners = listeners
    this.#delivery = new Delivery(listeners, config.protocol, mask)
    this.#arrived = arrived
  }

  /** What the session started with. */
  get ready(): ReadyEvent | undefined {
    return this.#ready
  }

  get hash(): string | null {
    return this.#hash
  }

  get sequence(): number | null {
    return this.#session.sequence
  }

  /** Where to connect. */
  get address(): string {
    return this.#session.resumeUrl ?? this.#config.url.href
  }

  get canResume(): boolean {
    return this.#session.id !== undefined
  }

  /** Whether another session may start, or too many have. */
  mayIdentify(): boolean {
    return this.#identifies.take()
  }

  /** The first frame to send: what resumes the session, or starts one. */
  opening(protocol: GatewayProtocol, token: string): unknown {
    const { id: sessionId, sequence } = this.#session
    this.#replayed = 0
    return sessionId === undefined ? protocol.identify({ token }) : protocol.resume({ token, sessionId, sequence })
  }

  resumeFailed(): void {
    this.#session.resumeFailed()
  }

  openFailed(): void {
    this.#session.openFailed()
  }

  /** The next session is a fresh one. */
  drop(): void {
    this.#session.clear()
  }

  /** Forgets everything: what comes next is another life. */
  forget(): void {
    this.drop()
    this.#identifies.reset()
    this.#ready = undefined
    this.#hash = null
  }

  hear(frame: DispatchFrame, isResuming: boolean): void {
    const name = this.#delivery.nameOf(frame)
    if (name === 'ready') {
      if (!this.#isKnown(frame)) this.#begin(frame)
      return
    }
    const isNew = this.#count(frame.sequence)
    if (name === 'resumed') {
      this.#delivery.dispatch('resumed', frame)
      if (isResuming) this.#resumed()
    } else if (isNew) {
      if (isResuming) this.#replayed++
      if (name === 'authSessionChange') this.#adoptHash(frame.data)
      this.#delivery.deliver(name, frame)
    }
  }

  /** Whether Ready has come before, for the session that there is. */
  #isKnown({ data, sequence }: DispatchFrame): boolean {
    const { id, sequence: last } = this.#session
    if (sequence === null || last === null || sequence > last) return false
    return id !== undefined && isReadyEvent(data) && data.session_id === id
  }

  /** Whether an event is new. Events that are missing before it are told. */
  #count(sequence: number | null): boolean {
    const missing = sequence === null ? 0 : this.#session.count(sequence)
    if (missing > 0) {
      const message = `${missing} of the events before number ${sequence} did not come`
      this.#listeners.tell('warning', { code: 'sequence_gap', message })
    }
    return missing >= 0
  }

  #begin(frame: DispatchFrame): void {
    const { data, sequence } = frame
    const isReady = isReadyEvent(data)
    if (isReady) {
      const { url, allowInsecure } = this.#config
      this.#session.begin(data, resumeAddress(data.resume_gateway_url, url, allowInsecure), sequence)
      this.#ready = data
      this.#hash = data.auth_session_id_hash
      if (!this.#arrived()) return
    }
    this.#delivery.dispatch('ready', frame)
    // What else is off in it is told, and stops nothing.
    this.#delivery.isSound('ready', data)
    if (isReady) this.#listeners.emit('ready', data)
  }

  #resumed(): void {
    this.#session.resumed()
    if (this.#arrived()) this.#listeners.emit('resumed', { replayed: this.#replayed })
  }

  #adoptHash(data: unknown): void {
    if (isReadyEvent(data)) this.#hash = data.auth_session_id_hash
  }
}

/** Ready and Auth Session Change have in common what is needed of them. */
function isReadyEvent(data: unknown): data is ReadyEvent {
  return (
    typeof data === 'object' &&
    data !== null &&
    'auth_session_id_hash' in data &&
    typeof data.auth_session_id_hash === 'string'
  )
}
