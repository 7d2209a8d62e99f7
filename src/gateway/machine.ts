import type { ReadyEvent } from '../contract/gateway-events'
import { GatewayError, type GatewayFailure, isGatewayError } from '../errors/gateway-error'
import { redactError, tokenSecrets } from '../internal/redact'
import type { SessionState } from '../session/session'
import { after } from '../transport/timer'
import { Backoff } from './backoff'
import { Connection, type ConnectionEnd, type ConnectionOwner } from './connection'
import { Delivery } from './delivery'
import { GatewaySession } from './gateway-session'
import type { Listeners } from './listeners'
import { prepareSocket } from './open-socket'
import type { DispatchFrame, GatewayCloseAction } from './protocol'
import type { GatewayConfig } from './read-options'
import type { GatewayState, GatewayStateChange } from './state'
import { waiting } from './waiting'
import { onWake } from './wakes'
import type { GatewayWarningCode } from './warning'

/** How long Ready and Resumed may take. What is sent again comes before the latter. */
const SESSION_MS = 30_000

type StateDetails = Omit<GatewayStateChange, 'state' | 'previous'>

/** Keeps a gateway connected: one connection at a time, and a wait before the next. */
export class Machine implements ConnectionOwner {
  /** Changed by `#enter` alone, which tells of it. */
  state: GatewayState = 'idle'
  readonly #config: GatewayConfig
  readonly #session: SessionState
  readonly #listeners: Listeners
  readonly #gatewaySession = new GatewaySession()
  readonly #delivery: Delivery
  readonly #backoff: Backoff
  /** Whoever waits for it to be ready. */
  readonly #arrivals = new Set<(ready: ReadyEvent) => void>()
  #connection: Connection | undefined
  /** Goes up with each attempt and each end, so that what was awaited before is known to be over. */
  #turn = 0
  #cancelWait = () => {}
  #stopWaking = () => {}
  #isBackingOff = false
  /** Whether it goes on though nobody waits for it to be ready. */
  #isWanted = false
  /** How the last connection was lost. */
  #loss: ConnectionEnd = { reason: '' }
  #closing: Promise<void> = Promise.resolve()

  constructor(config: GatewayConfig, session: SessionState, listeners: Listeners) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#delivery = new Delivery(config, session, listeners, this.#gatewaySession, (ready) => this.#arrive(ready))
    this.#backoff = new Backoff(config.backoff)
  }

  get isActive(): boolean {
    return this.state !== 'idle' && this.state !== 'closed'
  }

  get sessionHash(): string | null {
    return this.#gatewaySession.hash
  }

  get latency(): number | null {
    return this.#connection?.heartbeat?.latency ?? null
  }

  /** Connects, or joins in waiting for it. */
  connect(signal: AbortSignal | undefined): Promise<ReadyEvent> {
    const { ready } = this.#gatewaySession
    if (this.state === 'ready' && ready !== undefined) return Promise.resolve(ready)
    const arrived = waiting<ReadyEvent>(this.#listeners, signal, (resolve) => {
      this.#arrivals.add(resolve)
      return [() => this.#leftBy(resolve)]
    })
    this.start(false)
    return arrived
  }

  /** Connects, and goes on though nobody waits for it if it `isWanted`. */
  start(isWanted: boolean): void {
    this.#isWanted ||= isWanted
    if (this.isActive) return
    this.#stopWaking = onWake(() => this.#wake())
    this.#open()
  }

  /** Starts a fresh session: the one there is belongs to another token. */
  renew(): void {
    if (!this.isActive) return
    this.#close()
    this.#open({ reason: 'the token changed' })
  }

  /** Ends for good, until it is started anew. */
  disconnect(why: string): Promise<void> {
    const error = new GatewayError('disconnected', `disconnected: ${why}.`)
    if (this.isActive) this.#stop(error)
    else this.#listeners.takeWaiting()(error)
    return this.#closing
  }

  greeted(): void {
    const connection = this.#connection
    const { token } = this.#session
    if (connection === undefined || token === null) return
    const { id: sessionId, sequence } = this.#gatewaySession
    const isFresh = sessionId === undefined
    if (isFresh && !this.#backoff.mayIdentify()) {
      const { reason, ...details } = this.#loss
      const message = `sessions end as soon as they begin; the last one: ${reason}.`
      this.#stop(new GatewayError('identify_loop', message, details))
      return
    }
    this.#gatewaySession.replayed = 0
    this.#enter(isFresh ? 'identifying' : 'resuming')
    // Whoever has heard of that may have disconnected.
    if (this.#connection !== connection) return
    connection.expect(isFresh ? 'Ready' : 'Resumed', SESSION_MS)
    connection.send((protocol) =>
      isFresh ? protocol.identify({ token }) : protocol.resume({ token, sessionId, sequence }),
    )
  }

  dispatched(frame: DispatchFrame): void {
    this.#delivery.take(frame, this.state === 'resuming')
  }

  invalidated(resumable: boolean): void {
    this.#leave()?.abandon()
    if (resumable) this.#gatewaySession.resumeFailed()
    else this.#gatewaySession.clear()
    const delayMs = resumable ? this.#backoff.next() : this.#backoff.afterInvalid()
    this.#wait(delayMs, resumable, { reason: 'the service says that the session is not valid' })
  }

  warned(code: GatewayWarningCode, message: string): void {
    this.#listeners.warn(code, message)
  }

  ended(end: ConnectionEnd, action: GatewayCloseAction): void {
    const loss = { ...end, reason: tokenSecrets(this.#session).text(end.reason) }
    this.#leave()
    if (action === 'fatal') {
      this.#stop(new GatewayError('closed_for_good', `${loss.reason}. Trying again would be in vain.`, loss))
      return
    }
    if (action === 'fresh') this.#gatewaySession.clear()
    if (this.state === 'resuming') this.#gatewaySession.resumeFailed()
    if (this.state === 'connecting') this.#gatewaySession.openFailed()
    this.#wait(this.#backoff.next(), true, loss)
  }

  broke(cause: unknown): void {
    this.#leave()
    this.#stop(this.#failure('protocol_threw', 'the option `gateway.protocol` threw.', cause))
  }

  async #open(details?: StateDetails): Promise<void> {
    const turn = ++this.#turn
    this.#enter('connecting', details)
    try {
      // There is never more than one connection: the one of before may be closing.
      const [Socket] = await Promise.all([prepareSocket(this.#session, this.#config.WebSocket), this.#closing])
      if (turn !== this.#turn) return
      const address = this.#gatewaySession.resumeUrl ?? this.#config.url.href
      this.#connection = new Connection(new Socket(address), this.#config.protocol, this.#gatewaySession, this)
    } catch (cause) {
      if (turn !== this.#turn) return
      this.#stop(isGatewayError(cause) ? cause : this.#failure('no_socket', 'no socket could be opened.', cause))
    }
  }

  /** Returns whether there still is a connection once those who hear of it have acted. */
  #arrive(ready: ReadyEvent): boolean {
    const connection = this.#connection
    if (connection === undefined) return false
    connection.settled()
    this.#isWanted = true
    this.#backoff.began()
    for (const arrived of this.#arrivals) arrived(ready)
    this.#enter('ready')
    return this.#connection === connection
  }

  /** Somebody does not wait any more for it to be ready. */
  #leftBy(waiter: (ready: ReadyEvent) => void): void {
    this.#arrivals.delete(waiter)
    const isForNobody = this.#arrivals.size === 0 && !this.#isWanted
    if (isForNobody && this.isActive) this.disconnect('everyone who called `connect` has aborted it')
  }

  #failure(reason: GatewayFailure, message: string, cause: unknown): GatewayError {
    return new GatewayError(reason, message, { cause: redactError(cause, tokenSecrets(this.#session)) })
  }

  #wait(delayMs: number, isBackingOff: boolean, loss: ConnectionEnd): void {
    this.#loss = loss
    this.#isBackingOff = isBackingOff
    this.#cancelWait = after(delayMs, () => this.#open())
    this.#enter('reconnecting', { ...loss, delayMs })
  }

  /** The network is back, or the page is seen again: a machine that has slept may have lost the connection. */
  #wake(): void {
    if (this.state === 'reconnecting' && this.#isBackingOff) {
      this.#cancelWait()
      this.#open()
    } else this.#connection?.heartbeat?.look()
  }

  /** Parts with the connection, or the wait for one. */
  #leave(): Connection | undefined {
    const connection = this.#connection
    this.#connection = undefined
    this.#cancelWait()
    this.#backoff.ended()
    return connection
  }

  /** Ends the connection and all that it was about: what comes next is another life. */
  #close(): void {
    this.#closing = this.#leave()?.close() ?? this.#closing
    this.#gatewaySession.forget()
    this.#backoff.reset()
  }

  #stop(error: GatewayError): void {
    this.#turn++
    this.#isWanted = false
    this.#stopWaking()
    this.#close()
    // Whoever hears of the new state may start anew, and wait: that is not to be ended.
    const endWaiting = this.#listeners.takeWaiting()
    const { message: reason, closeCode } = error
    this.#enter('closed', { reason, ...(closeCode !== undefined && { closeCode }) })
    if (error.reason !== 'disconnected') this.#listeners.tell('error', error)
    endWaiting(error)
  }

  #enter(state: GatewayState, details?: StateDetails): void {
    const previous = this.state
    if (state === previous) return
    this.state = state
    this.#listeners.tell('stateChange', { state, previous, ...details })
  }
}
