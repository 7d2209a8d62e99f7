import type { ReadyEvent } from '../contract/gateway-events'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import type { SessionState } from '../session/session'
import { after } from '../transport/timer'
import { Arrival } from './arrival'
import { Backoff } from './backoff'
import { Connection, type ConnectionEnd, type ConnectionOwner } from './connection'
import { Conversation } from './conversation'
import type { Listeners } from './listeners'
import { Mask } from './mask'
import { prepareSocket } from './open-socket'
import type { DispatchFrame } from './protocol'
import type { GatewayConfig } from './read-options'
import type { GatewayState, GatewayStateChange } from './state'
import { onWake } from './wakes'
import type { GatewayWarningCode } from './warning'

/** How long Ready and Resumed may take. What is sent again comes before the latter. */
const SESSION_MS = 30_000

/** Keeps a gateway connected: one connection at a time, and a wait before the next. */
export class Machine implements ConnectionOwner {
  readonly #config: GatewayConfig
  readonly #session: SessionState
  readonly #listeners: Listeners
  readonly #mask: Mask
  readonly #conversation: Conversation
  readonly #backoff: Backoff
  readonly #arrival: Arrival
  #state: GatewayState = 'idle'
  #connection: Connection | undefined
  /** Goes up with each attempt and each end, so that what was awaited before is known to be over. */
  #turn = 0
  #cancelWait = () => {}
  #stopWaking = () => {}
  #isBackingOff = false
  /** Whether it goes on though nobody waits for it to be ready. */
  #isWanted = false
  #readyAt = Infinity
  /** How the last connection was lost. */
  #loss: ConnectionEnd = { reason: '' }
  #closing: Promise<void> = Promise.resolve()

  constructor(config: GatewayConfig, session: SessionState, listeners: Listeners) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#mask = new Mask(session)
    this.#conversation = new Conversation(config, listeners, this.#mask, () => this.#arrive())
    this.#backoff = new Backoff(config.backoff)
    this.#arrival = new Arrival(() => {
      if (!this.#isWanted) this.disconnect('everyone who called `connect` has aborted it')
    })
  }

  get state(): GatewayState {
    return this.#state
  }

  get isActive(): boolean {
    return this.#state !== 'idle' && this.#state !== 'closed'
  }

  get sessionHash(): string | null {
    return this.#conversation.hash
  }

  get latency(): number | null {
    return this.#connection?.latency ?? null
  }

  get sequence(): number | null {
    return this.#conversation.sequence
  }

  /** Connects, or joins in waiting for it. */
  connect(signal: AbortSignal | undefined): Promise<ReadyEvent> {
    const { ready } = this.#conversation
    if (this.#state === 'ready' && ready !== undefined) return Promise.resolve(ready)
    const arrived = this.#arrival.wait(signal)
    this.start(false)
    return arrived
  }

  /** Connects, and goes on though nobody waits for it if it `isWanted`. */
  start(isWanted: boolean): void {
    if (this.isActive) this.#isWanted ||= isWanted
    if (this.isActive) return
    this.#isWanted = isWanted
    this.#backoff.reset()
    this.#stopWaking = onWake(() => this.#wake())
    this.#open()
  }

  /** Starts a fresh session: the one there is belongs to another token. */
  renew(): void {
    if (!this.isActive) return
    this.#close()
    this.#conversation.forget()
    this.#backoff.reset()
    this.#open('the token changed')
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
    const { canResume } = this.#conversation
    if (!canResume && !this.#conversation.mayIdentify()) {
      const { reason, ...details } = this.#loss
      const message = `sessions end as soon as they begin; the last one: ${reason}.`
      this.#stop(new GatewayError('identify_loop', message, details))
      return
    }
    this.#enter(canResume ? 'resuming' : 'identifying')
    // Whoever has heard of that may have disconnected.
    if (this.#connection !== connection) return
    connection.expect(canResume ? 'Resumed' : 'Ready', SESSION_MS)
    connection.send((protocol) => this.#conversation.opening(protocol, token))
  }

  dispatched(frame: DispatchFrame): void {
    this.#conversation.hear(frame, this.#state === 'resuming')
  }

  invalidated(resumable: boolean): void {
    this.#leave()?.abandon()
    if (resumable) this.#conversation.resumeFailed()
    else this.#conversation.drop()
    const delayMs = resumable ? this.#backoff.next() : this.#backoff.afterInvalid()
    this.#wait(delayMs, resumable, { reason: 'the service says that the session is not valid' })
  }

  warned(code: GatewayWarningCode, message: string): void {
    this.#listeners.tell('warning', { code, message })
  }

  ended({ reason, closeCode }: ConnectionEnd): void {
    const details = { reason: this.#mask.text(reason), ...(closeCode !== undefined && { closeCode }) }
    this.#leave()
    try {
      const action = closeCode === undefined ? 'resume' : this.#config.protocol.classifyClose(closeCode)
      if (action === 'fatal') {
        this.#stop(new GatewayError('closed_for_good', `${details.reason}. Trying again would be in vain.`, details))
        return
      }
      if (action === 'fresh') this.#conversation.drop()
    } catch (cause) {
      this.broke(cause)
      return
    }
    if (this.#state === 'resuming') this.#conversation.resumeFailed()
    if (this.#state === 'connecting') this.#conversation.openFailed()
    this.#wait(this.#backoff.next(), true, details)
  }

  broke(cause: unknown): void {
    this.#stop(
      new GatewayError('protocol_threw', 'the option `gateway.protocol` threw.', { cause: this.#mask.error(cause) }),
    )
  }

  #open(reason?: string): void {
    const turn = ++this.#turn
    this.#enter('connecting', reason === undefined ? {} : { reason })
    this.#connect(turn).catch((cause) => {
      if (turn !== this.#turn) return
      const error = new GatewayError('no_socket', 'no socket could be opened.', { cause: this.#mask.error(cause) })
      this.#stop(isGatewayError(cause) ? cause : error)
    })
  }

  async #connect(turn: number): Promise<void> {
    // There is never more than one connection: the one of before may be closing.
    const [open] = await Promise.all([prepareSocket(this.#session, this.#config.WebSocket), this.#closing])
    if (turn !== this.#turn) return
    this.#connection = new Connection(open(this.#conversation.address), this.#config.protocol, this)
  }

  /** Returns whether there still is a connection once those who hear of it have acted. */
  #arrive(): boolean {
    const connection = this.#connection
    const { ready } = this.#conversation
    if (connection === undefined || ready === undefined) return false
    connection.settled()
    this.#isWanted = true
    this.#readyAt = performance.now()
    this.#arrival.resolve(ready)
    this.#enter('ready')
    return this.#connection === connection
  }

  #wait(delayMs: number, isBackingOff: boolean, loss: ConnectionEnd): void {
    this.#loss = loss
    this.#isBackingOff = isBackingOff
    this.#cancelWait = after(delayMs, () => this.#open())
    this.#enter('reconnecting', { ...loss, delayMs })
  }

  /** The network is back, or the page is seen again. */
  #wake(): void {
    if (this.#state === 'reconnecting' && this.#isBackingOff) {
      this.#cancelWait()
      this.#open()
    } else this.#connection?.look()
  }

  /** Parts with the connection, or the wait for one. */
  #leave(): Connection | undefined {
    const connection = this.#connection
    this.#connection = undefined
    this.#cancelWait()
    this.#backoff.endedAfter(performance.now() - this.#readyAt)
    this.#readyAt = Infinity
    return connection
  }

  #close(): void {
    this.#closing = this.#leave()?.close() ?? this.#closing
  }

  #stop(error: GatewayError): void {
    this.#turn++
    this.#stopWaking()
    this.#close()
    this.#conversation.forget()
    // Whoever hears of the new state may start anew, and wait: that is not to be ended.
    this.#arrival.reject(error)
    const endWaiting = this.#listeners.takeWaiting()
    const { message: reason, closeCode } = error
    this.#enter('closed', { reason, ...(closeCode !== undefined && { closeCode }) })
    if (error.reason !== 'disconnected') this.#listeners.tell('error', error)
    endWaiting(error)
  }

  #enter(state: GatewayState, details: Omit<GatewayStateChange, 'state' | 'previous'> = {}): void {
    const previous = this.#state
    if (state === previous) return
    this.#state = state
    this.#listeners.tell('stateChange', { state, previous, ...details })
  }
}
