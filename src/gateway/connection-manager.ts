import { setSafeTimeout } from '../abort'
import type { ReadyEvent } from '../contract/gateway-events'
import { GatewayError, type GatewayFailure, isGatewayError, TimeoutError } from '../errors/client-errors'
import { redactError, tokenSecrets } from '../internal/redact'
import type { SessionManager } from '../session/session'
import { Backoff } from './backoff'
import { Connection, type ConnectionEnd, type ConnectionHandlers } from './connection'
import { Dispatcher, GatewaySession } from './dispatcher'
import type { GatewayState, GatewayStateChange, GatewayWarningCode } from './events'
import { type Listeners, untilClosed } from './listeners'
import type { GatewayConfig, GatewayConnectOptions } from './options'
import type { DispatchFrame, GatewayCloseAction } from './protocol'
import { type GatewaySocketClass, onConnectivityChange, resolveSocketClass } from './socket'

/** How long Ready and Resumed may take. What is sent again comes before the latter. */
const SESSION_MS = 30_000

type StateDetails = Omit<GatewayStateChange, 'state' | 'previous'>

/** Keeps a gateway connected: one connection at a time, and a wait before the next. */
export class ConnectionManager implements ConnectionHandlers {
  /** Changed by `#enter` only, which emits it. */
  state: GatewayState = 'idle'
  readonly #config: GatewayConfig
  readonly #session: SessionManager
  readonly #listeners: Listeners
  readonly #gatewaySession = new GatewaySession()
  readonly #dispatcher: Dispatcher
  readonly #backoff: Backoff
  /** Whoever waits for it to be ready. */
  readonly #arrivals = new Set<(ready: ReadyEvent) => void>()
  #connection: Connection | undefined
  /** Incremented by each attempt and each end; lets awaited code detect that it is stale. */
  #turn = 0
  #cancelWait = () => {}
  #stopWaking = () => {}
  #isBackingOff = false
  /** Whether it goes on though nobody waits for it to be ready. */
  #isWanted = false
  /** Why there is no connection; `undefined` before the first attempt and while there is one. */
  #failure: StateDetails | undefined
  #closing: Promise<void> = Promise.resolve()

  constructor(config: GatewayConfig, session: SessionManager, listeners: Listeners) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#dispatcher = new Dispatcher(config, session, listeners, this.#gatewaySession, (ready) => this.#onReady(ready))
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
  connect({ signal, timeout = Infinity }: GatewayConnectOptions): Promise<ReadyEvent> {
    const { ready } = this.#gatewaySession
    if (this.state === 'ready' && ready !== undefined) return Promise.resolve(ready)
    const arrived = untilClosed<ReadyEvent>(this.#listeners, signal, (resolve, reject) => {
      const expire = () => {
        const { reason, error: cause } = this.#failure ?? {}
        const what = `no session started${reason === undefined ? '' : ` (${reason})`}`
        reject(new TimeoutError('gateway.connect', 'timeout', timeout, what, { cause }))
      }
      this.#arrivals.add(resolve)
      return [() => this.#leftBy(resolve), setSafeTimeout(timeout, expire)]
    })
    this.start(false)
    return arrived
  }

  /** Connects, and goes on though nobody waits for it if it `isWanted`. */
  start(isWanted: boolean): void {
    this.#isWanted ||= isWanted
    if (this.isActive) return
    this.#stopWaking = onConnectivityChange(() => this.#wake())
    this.#begin(this.#backoff.beforeConnect())
  }

  /** Starts a fresh session: the one there is belongs to another token. */
  restartSession(): void {
    if (!this.isActive) return
    this.#close(true)
    this.#begin(0, { reason: 'the token changed' })
  }

  /** Forgets how often connecting has failed: somebody else is signed in now. */
  resetBackoff(): void {
    this.#backoff.reset()
  }

  /** Ends for good, until it is started again. */
  disconnect(why: string): Promise<void> {
    const error = new GatewayError('disconnected', `disconnected: ${why}.`)
    if (this.isActive) this.#stop(error)
    else this.#listeners.drainWaiters()(error)
    return this.#closing
  }

  onHello(): void {
    const connection = this.#connection
    const { token } = this.#session
    if (connection === undefined || token === null) return
    const { id: sessionId, sequence } = this.#gatewaySession
    const isFresh = sessionId === undefined
    if (isFresh) this.#backoff.markIdentified()
    else this.#gatewaySession.resuming()
    this.#enter(isFresh ? 'identifying' : 'resuming')
    // Whoever has heard of that may have disconnected.
    if (this.#connection !== connection) return
    connection.expect(isFresh ? 'Ready' : 'Resumed', SESSION_MS)
    connection.send((protocol) =>
      isFresh ? protocol.identify({ token }) : protocol.resume({ token, sessionId, sequence }),
    )
  }

  onDispatch(frame: DispatchFrame, raw: string | ArrayBuffer): void {
    this.#dispatcher.handle(frame, raw, this.state === 'resuming')
  }

  onInvalidSession(resumable: boolean): void {
    this.#detach()?.terminate()
    if (resumable) this.#gatewaySession.resumeFailed()
    else this.#gatewaySession.clear()
    const delayMs = resumable ? this.#backoff.next() : this.#backoff.afterInvalid()
    this.#retry(delayMs, resumable, { reason: 'the service says that the session is not valid' })
  }

  onWarning(code: GatewayWarningCode, message: string): void {
    this.#listeners.warn(code, message)
  }

  onClose(end: ConnectionEnd, action: GatewayCloseAction): void {
    const secrets = tokenSecrets(this.#session)
    const { reason, code, ...known } = end
    const details = { ...known, reason: secrets.text(reason), ...(code !== undefined && { code: secrets.text(code) }) }
    this.#detach()
    if (action === 'fatal') {
      this.#stop(new GatewayError('closed_for_good', `${details.reason}. Trying again would be in vain.`, details))
      return
    }
    if (action === 'fresh') this.#gatewaySession.clear()
    if (this.state === 'resuming') this.#gatewaySession.resumeFailed()
    if (this.state === 'connecting') this.#gatewaySession.openFailed()
    this.#retry(this.#backoff.next(), true, details)
  }

  onProtocolError(cause: unknown): void {
    this.#detach()
    this.#stop(this.#errorOf('protocol_threw', 'the option `gateway.protocol` threw.', cause))
  }

  async #open(details?: StateDetails): Promise<void> {
    const turn = ++this.#turn
    this.#enter('connecting', details)
    try {
      // There is never more than one connection: the one of before may be closing.
      const [Socket] = await Promise.all([prepareSocket(this.#session, this.#config.WebSocket), this.#closing])
      if (turn !== this.#turn) return
      const address = this.#gatewaySession.resumeUrl ?? this.#config.url.href
      this.#connection = new Connection(new Socket(address), this.#config, this.#gatewaySession, this)
    } catch (cause) {
      if (turn !== this.#turn) return
      this.#stop(isGatewayError(cause) ? cause : this.#errorOf('no_socket', 'no socket could be opened.', cause))
    }
  }

  /** Returns whether there still is a connection once those who hear of it have acted. */
  #onReady(ready: ReadyEvent): boolean {
    const connection = this.#connection
    if (connection === undefined) return false
    connection.clearTimeLimit()
    this.#isWanted = true
    this.#failure = undefined
    this.#backoff.markConnected()
    for (const arrived of this.#arrivals) arrived(ready)
    this.#enter('ready')
    return this.#connection === connection
  }

  /** Somebody does not wait any more for it to be ready. */
  #leftBy(waiter: (ready: ReadyEvent) => void): void {
    this.#arrivals.delete(waiter)
    const isForNobody = this.#arrivals.size === 0 && !this.#isWanted
    if (isForNobody && this.isActive)
      this.disconnect('everyone who called `connect` has aborted it, or their time was over')
  }

  #errorOf(reason: GatewayFailure, message: string, cause: unknown): GatewayError {
    return new GatewayError(reason, message, { cause: redactError(cause, tokenSecrets(this.#session)) })
  }

  /** Connects again after a connection was lost. */
  #retry(delayMs: number, isBackingOff: boolean, end: ConnectionEnd): void {
    const { reason, closeCode } = end
    const error = new GatewayError('connection_failed', reason, end)
    this.#failure = { reason, error, ...(closeCode !== undefined && { closeCode }) }
    // What is refused again and again, or ends as soon as it starts, is a loop.
    const isLoop = this.state === 'identifying' || this.#identifyDelay() > delayMs
    this.#wait(Math.max(delayMs, this.#identifyDelay()), isBackingOff, this.#failure)
    if (isLoop) this.#listeners.warn('identify_failed', `no session started, or none that lasted: ${reason}`)
  }

  #wait(delayMs: number, isBackingOff: boolean, details: StateDetails | undefined): void {
    this.#isBackingOff = isBackingOff
    this.#cancelWait = setSafeTimeout(delayMs, () => this.#open())
    this.#enter('reconnecting', { ...details, delayMs })
  }

  /** Opens a connection, after `delayMs` and not before a session may start. */
  #begin(delayMs: number, details?: StateDetails): void {
    const waitMs = Math.max(delayMs, this.#identifyDelay())
    if (waitMs === 0) this.#open(details)
    else this.#wait(waitMs, true, details ?? this.#failure)
  }

  /** How long the service must be left alone before a session may start; a resume may be tried at any time. */
  #identifyDelay(): number {
    return this.#gatewaySession.id === undefined ? this.#backoff.beforeIdentify() : 0
  }

  /** The network is back, or the page is seen again: a machine that has slept may have lost the connection. */
  #wake(): void {
    if (this.state === 'reconnecting') {
      if (!this.#isBackingOff || this.#identifyDelay() > 0) return
      this.#cancelWait()
      this.#open()
    } else this.#connection?.heartbeat?.tick()
  }

  /** Detaches the connection, or cancels the wait for one. */
  #detach(isByApp = false): Connection | undefined {
    const connection = this.#connection
    this.#connection = undefined
    this.#cancelWait()
    this.#backoff.markEnded(isByApp)
    return connection
  }

  /** Closes the connection and forgets its session: what comes next is another life. */
  #close(isByApp: boolean): void {
    this.#closing = this.#detach(isByApp)?.close() ?? this.#closing
    this.#gatewaySession.forget()
    if (isByApp) this.#backoff.reset()
    else this.#backoff.markFailed()
  }

  #stop(error: GatewayError): void {
    this.#turn++
    this.#isWanted = false
    this.#stopWaking()
    const isByApp = error.reason === 'disconnected'
    this.#close(isByApp)
    // Take the waiters first: a `stateChange` listener may call `connect()` again.
    const rejectWaiters = this.#listeners.drainWaiters()
    const { message: reason, closeCode } = error
    const details = { reason, error, ...(closeCode !== undefined && { closeCode }) }
    this.#failure = isByApp ? undefined : details
    this.#enter('closed', details)
    if (!isByApp) this.#listeners.emitAndLog('error', error)
    rejectWaiters(error)
  }

  #enter(state: GatewayState, details?: StateDetails): void {
    const previous = this.state
    if (state === previous) return
    this.state = state
    this.#listeners.emitAndLog('stateChange', { state, previous, ...details })
  }
}

/** Waits for all that a connection needs. Returns the class that opens it. */
async function prepareSocket(
  session: SessionManager,
  given: GatewaySocketClass | undefined,
): Promise<GatewaySocketClass> {
  try {
    await session.ready
  } catch (cause) {
    throw new GatewayError('not_signed_in', 'the stored token could not be loaded.', { cause })
  }
  if (session.token === null)
    throw new GatewayError('not_signed_in', 'there is no token to connect with. Sign in first.')
  return resolveSocketClass(given)
}
