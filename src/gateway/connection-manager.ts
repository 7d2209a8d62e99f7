import { setSafeTimeout } from '../abort'
import type { ReadyEvent } from '../contract/gateway-events'
import { redactError } from '../errors/base'
import { GatewayError, type GatewayFailure, isGatewayError, TimeoutError } from '../errors/client-errors'
import { tokenSecrets } from '../internal/redact'
import type { SessionManager } from '../session/session'
import { Backoff, type InternalProtocol } from './backoff'
import { Connection, type ConnectionFailure, type ConnectionHandlers } from './connection'
import { Dispatcher, GatewaySession } from './dispatcher'
import type { GatewayState, GatewayStateChange, GatewayWarningCode } from './events'
import { type Listeners, untilClosed } from './listeners'
import type { GatewayConfig, GatewayConnectOptions } from './options'
import type { GatewayCloseAction } from './protocol'
import { type GatewaySocketClass, onConnectivityChange, resolveSocketClass } from './socket'

/** Maximum time until Ready or Resumed, in milliseconds. Events are replayed before Resumed. */
const SESSION_TIMEOUT_MS = 30_000
/** Maximum `Retry-After` of a rejected upgrade that is kept, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000

type StateDetails = Omit<GatewayStateChange, 'state' | 'previous'>

/** Opens connections, one at a time, and reconnects with backoff. */
export class ConnectionManager implements ConnectionHandlers {
  /** Changed only by `#setState`, which emits `stateChange`. */
  state: GatewayState = 'idle'
  readonly #config: GatewayConfig
  readonly #session: SessionManager
  readonly #listeners: Listeners
  readonly #gatewaySession = new GatewaySession()
  readonly #dispatcher: Dispatcher
  readonly #backoff: Backoff
  /** Pending calls of `connect`. */
  readonly #readyCallbacks = new Set<(ready: ReadyEvent) => void>()
  #connection: Connection | undefined
  /** Incremented by each attempt and each stop; lets awaited code detect that it is stale. */
  #generation = 0
  #cancelReconnect = () => {}
  #unsubscribeConnectivity = () => {}
  #isBackingOff = false
  /** Whether to keep connecting when no `connect` call is pending. */
  #keepsConnecting = false
  /** Why there is no connection; `undefined` before the first attempt and while connected. */
  #failure: StateDetails | undefined
  /** Resolves once the previous socket has closed. */
  #closing: Promise<void> = Promise.resolve()

  constructor(config: GatewayConfig, session: SessionManager, listeners: Listeners) {
    this.#config = config
    this.#session = session
    this.#listeners = listeners
    this.#dispatcher = new Dispatcher(config, session, listeners, this.#gatewaySession, (ready) => this.#onReady(ready))
    const { backoff = new Backoff(config.backoff), session: given }: InternalProtocol = config.protocol
    this.#backoff = backoff
    if (given) this.#dispatcher.startSession(given.ready, given.sequence)
  }

  get isActive(): boolean {
    return this.state !== 'idle' && this.state !== 'closed'
  }

  /** Whether a first attempt to start a session is in progress. */
  get isStarting(): boolean {
    return this.#failure === undefined && (this.state === 'connecting' || this.state === 'identifying')
  }

  get sessionHash(): string | null {
    return this.#gatewaySession.hash
  }

  get latency(): number | null {
    return this.#connection?.heartbeat?.latency ?? null
  }

  /** Connects, or waits for the attempt in progress. */
  connect({ signal, timeout = Infinity }: GatewayConnectOptions): Promise<ReadyEvent> {
    const current = this.#gatewaySession.ready
    if (this.state === 'ready' && current !== undefined) return Promise.resolve(current)
    const ready = untilClosed<ReadyEvent>(this.#listeners, signal, (resolve, reject) => {
      const expire = () => {
        const { reason, error: cause } = this.#failure ?? {}
        const problem = `no session started${reason === undefined ? '' : ` (${reason})`}`
        reject(new TimeoutError('gateway.connect', 'timeout', timeout, problem, { cause }))
      }
      this.#readyCallbacks.add(resolve)
      return [() => this.#removeReadyCallback(resolve), setSafeTimeout(timeout, expire)]
    })
    this.start(false)
    return ready
  }

  /** Connects; with `keepsConnecting` also when no `connect` call is pending. */
  start(keepsConnecting: boolean): void {
    this.#keepsConnecting ||= keepsConnecting
    if (this.isActive) return
    this.#unsubscribeConnectivity = onConnectivityChange(() => this.#checkConnection())
    this.#openAfter(this.#backoff.beforeConnect())
  }

  /** Starts a new session for a new token, also if the service has closed that of the old one for good. */
  restartSession(): void {
    if (this.isActive) {
      this.#close(true)
      this.#openAfter(0, { reason: 'the token changed' })
    } else if (this.#failure?.closeCode) {
      this.start(true)
    }
  }

  /** Resets the backoff after a sign-in, sign-out or token change. */
  resetBackoff(): void {
    this.#backoff.reset()
  }

  /** Closes the connection and stops reconnecting until the next `start`. */
  disconnect(reason: string): Promise<void> {
    const error = new GatewayError('disconnected', `disconnected: ${reason}.`)
    if (this.isActive) this.#stop(error, reason)
    else this.#listeners.drainCloseCallbacks()(error)
    this.#failure = undefined
    return this.#closing
  }

  onHello(): void {
    const connection = this.#connection
    const { token } = this.#session
    if (connection === undefined || token === null) return
    const { id: sessionId, sequence } = this.#gatewaySession
    const isNew = sessionId === undefined
    if (isNew) this.#backoff.markIdentified()
    else this.#gatewaySession.startResume()
    this.#setState(isNew ? 'identifying' : 'resuming')
    // A `stateChange` listener may have disconnected.
    if (this.#connection !== connection) return
    const { resumeTimeoutMs = SESSION_TIMEOUT_MS }: InternalProtocol = this.#config.protocol
    connection.startTimeLimit(isNew ? 'Ready' : 'Resumed', isNew ? SESSION_TIMEOUT_MS : resumeTimeoutMs)
    connection.send((protocol) =>
      isNew ? protocol.identify({ token }) : protocol.resume({ token, sessionId, sequence }),
    )
  }

  onInvalidSession(resumable: boolean): void {
    this.#detach()?.terminate()
    if (resumable) this.#gatewaySession.recordResumeFailure()
    else this.#gatewaySession.clear()
    const delayMs = resumable ? this.#backoff.next() : this.#backoff.afterInvalid()
    this.#retry(delayMs, resumable, { reason: 'the service reported an invalid session' })
  }

  onWarning(code: GatewayWarningCode, message: string): void {
    this.#listeners.warn(code, message)
  }

  onClose(failure: ConnectionFailure, action: GatewayCloseAction): void {
    const secrets = tokenSecrets(this.#session)
    const { reason, code, ...others } = failure
    const details = { ...others, reason: secrets.text(reason), ...(code !== undefined && { code: secrets.text(code) }) }
    this.#detach()
    if (action === 'fatal') {
      const stated = details.reason.replace(/\.$/, '')
      this.#stop(new GatewayError('closed_for_good', `${stated}. Not retryable.`, details), stated)
      return
    }
    if (action === 'fresh') this.#gatewaySession.clear()
    if (this.state === 'resuming') this.#gatewaySession.recordResumeFailure()
    if (this.state === 'connecting') this.#gatewaySession.recordOpenFailure()
    const { retryAfterMs = 0 } = failure
    this.#retry(this.#backoff.next(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)), retryAfterMs === 0, details)
  }

  onProtocolError(cause: unknown): void {
    this.#detach()
    this.#stop(this.#createError('protocol_threw', 'the option `gateway.protocol` threw.', cause))
  }

  async #open(details?: StateDetails): Promise<void> {
    const generation = ++this.#generation
    this.#setState('connecting', details)
    try {
      // At most one connection: wait until the previous one has closed.
      const [Socket] = await Promise.all([prepareSocketClass(this.#session, this.#config.WebSocket), this.#closing])
      if (this.#gatewaySession.id === undefined) await this.#backoff.enter()
      if (generation !== this.#generation) return
      const address = this.#gatewaySession.resumeUrl ?? this.#config.url.href
      this.#connection = new Connection(
        new Socket(address),
        this.#config.protocol,
        this.#gatewaySession,
        this.#dispatcher,
        this,
      )
    } catch (cause) {
      if (generation !== this.#generation) return
      this.#stop(
        isGatewayError(cause) ? cause : this.#createError('no_socket', 'the WebSocket could not be created.', cause),
      )
    }
  }

  /** Returns whether the connection is still open after the `stateChange` listeners have run. */
  #onReady(ready: ReadyEvent): boolean {
    const connection = this.#connection
    if (connection === undefined) return false
    connection.clearTimeLimit()
    this.#keepsConnecting = true
    this.#failure = undefined
    this.#backoff.markConnected()
    for (const resolve of this.#readyCallbacks) resolve(ready)
    this.#setState('ready')
    return this.#connection === connection
  }

  /** Removes a pending `connect` call; disconnects after the last one. */
  #removeReadyCallback(callback: (ready: ReadyEvent) => void): void {
    this.#readyCallbacks.delete(callback)
    if (this.#readyCallbacks.size > 0 || this.#keepsConnecting) return
    if (this.isActive) this.disconnect('every call of `connect` was aborted or timed out')
  }

  #createError(reason: GatewayFailure, message: string, cause: unknown): GatewayError {
    return new GatewayError(reason, message, { cause: redactError(cause, tokenSecrets(this.#session)) })
  }

  /** Schedules a reconnect after a connection was lost. */
  #retry(delayMs: number, isBackingOff: boolean, failure: ConnectionFailure): void {
    const { reason, closeCode } = failure
    const error = new GatewayError('connection_failed', reason, failure)
    this.#failure = { reason, error, ...(closeCode !== undefined && { closeCode }) }
    // Identify failed, or sessions end so quickly that the next one is rate limited.
    const isLoop = this.state === 'identifying' || this.#identifyDelay() > delayMs
    this.#scheduleOpen(Math.max(delayMs, this.#identifyDelay()), isBackingOff, this.#failure)
    if (isLoop) this.#listeners.warn('identify_failed', `no session started, or it did not last: ${reason}`)
  }

  #scheduleOpen(waitMs: number, isBackingOff: boolean, details: StateDetails | undefined): void {
    // For people, who may read it. Rounded up, because a session must not start earlier.
    const delayMs = Math.ceil(waitMs)
    this.#isBackingOff = isBackingOff
    this.#cancelReconnect = setSafeTimeout(delayMs, () => this.#open())
    this.#setState('reconnecting', { ...details, delayMs })
  }

  /** Opens a connection after `delayMs`, or once a session may start if that is later. */
  #openAfter(delayMs: number, details?: StateDetails): void {
    const waitMs = Math.max(delayMs, this.#identifyDelay())
    if (waitMs === 0) this.#open(details)
    else this.#scheduleOpen(waitMs, true, details ?? this.#failure)
  }

  /** Returns the wait before a new session may start, in milliseconds; 0 for a resume. */
  #identifyDelay(): number {
    return this.#gatewaySession.id === undefined ? this.#backoff.beforeIdentify() : 0
  }

  /** Ends a backoff early, or checks whether the connection survived: the network may be back after a sleep. */
  #checkConnection(): void {
    if (this.state !== 'reconnecting') {
      this.#connection?.heartbeat?.tick()
      return
    }
    if (!this.#isBackingOff || this.#identifyDelay() > 0) return
    this.#cancelReconnect()
    this.#open()
  }

  /** Detaches the current connection or cancels the pending reconnect. */
  #detach(isByApp = false): Connection | undefined {
    const connection = this.#connection
    this.#connection = undefined
    this.#cancelReconnect()
    this.#backoff.markEnded(isByApp)
    return connection
  }

  /** Closes the connection and discards its session. */
  #close(isByApp: boolean): void {
    this.#closing = this.#detach(isByApp)?.close() ?? this.#closing
    this.#gatewaySession.reset()
    if (!isByApp) this.#backoff.markFailed()
  }

  /** @param reason The cause in words, by default that of the error's message. */
  #stop(error: GatewayError, reason = error.message.replace(/^gateway: |\.$/g, '')): void {
    this.#generation++
    this.#keepsConnecting = false
    this.#unsubscribeConnectivity()
    const isByApp = error.reason === 'disconnected'
    this.#close(isByApp)
    // Drain before `stateChange` is emitted: its listener may call `connect` again.
    const callCloseCallbacks = this.#listeners.drainCloseCallbacks()
    const { closeCode } = error
    const details = { reason, error, ...(closeCode !== undefined && { closeCode }) }
    this.#failure = isByApp ? undefined : details
    this.#setState('closed', details)
    if (!isByApp) this.#listeners.fail(error)
    callCloseCallbacks(error)
  }

  #setState(state: GatewayState, details?: StateDetails): void {
    const previous = this.state
    if (state === previous) return
    this.state = state
    this.#gatewaySession.isResuming = state === 'resuming'
    const data = { state, previous, ...details }
    this.#listeners.follow({ type: 'stateChange', data })
    this.#listeners.emitAndLog('stateChange', data)
  }
}

/** Waits for the token and returns the class to open a socket with. */
async function prepareSocketClass(
  session: SessionManager,
  option: GatewaySocketClass | undefined,
): Promise<GatewaySocketClass> {
  try {
    await session.ready
  } catch (cause) {
    throw new GatewayError('not_signed_in', 'the stored token could not be loaded.', { cause })
  }
  if (session.token === null) throw new GatewayError('not_signed_in', 'no token to connect with. Sign in first.')
  return resolveSocketClass(option)
}
