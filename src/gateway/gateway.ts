// `client.gateway`: what apps call. The connection is in `connection-manager.ts`.
import { throwIfAborted } from '../abort'
import type { ReadyEvent } from '../contract/gateway-events'
import { GatewayError, RequestValidationError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import { deepCopy } from '../internal/json'
import { validateName } from '../internal/options'
import type { SessionChange, SessionManager } from '../session/session'
import { ConnectionManager } from './connection-manager'
import type { GatewayEvents, GatewayMessage, GatewayState } from './events'
import { GATEWAY_EVENT_NAMES } from './events'
import { Listeners, openStream, type Reporter, waitFor } from './listeners'
import type { GatewayCallOptions, GatewayConfig, GatewayConnectOptions, WaitForOptions } from './options'
import { CALL_OPTIONS, CONNECT_OPTIONS, readCallOptions, WAIT_FOR_OPTIONS } from './options'

/**
 * Receives the service's events. A lost connection is resumed automatically, and the events missed meanwhile are delivered.
 * The wire format follows a convention and can be replaced: see {@link GatewayProtocol}. API, "Events".
 *
 * @example
 * import { Client } from 'rapport-sdk'
 *
 * const client = new Client({
 *   baseUrl: 'https://service.example',
 *   token: 'a token',
 *   gateway: { url: 'wss://gateway.service.example' },
 * })
 * client.gateway.on('relationshipAdd', ({ user, type }) => console.log(user.id, type))
 * await client.gateway.connect()
 */
export class Gateway {
  readonly #listeners: Listeners
  readonly #connection: ConnectionManager | undefined
  readonly #connectsOnSignIn: boolean
  readonly #session: SessionManager
  readonly #names: readonly unknown[]
  /** Whether `disconnect` was called, and since then neither `connect` nor a sign-in. */
  #isDisconnectRequested = false
  #isDisposed = false

  /** @internal */
  constructor(config: GatewayConfig | undefined, session: SessionManager, reporter: Reporter) {
    this.#listeners = new Listeners(reporter)
    bindMembers(this)
    this.#session = session
    this.#connection = config && new ConnectionManager(config, session, this.#listeners)
    this.#names = [...GATEWAY_EVENT_NAMES, ...[...(config?.events.values() ?? [])].map(({ name }) => name)]
    this.#connectsOnSignIn = config?.connectOnSignIn ?? false
    session.follow('gateway', (change) => this.#onSessionChange(change))
    // Deferred, so that the code that creates the client can add listeners first.
    queueMicrotask(() => this.#connectOnSignIn())
  }

  /** Current state. */
  get state(): GatewayState {
    return this.#connection?.state ?? 'idle'
  }

  /** ID hash of the authentication session that the Gateway session belongs to; `null` if there is none. */
  get sessionHash(): string | null {
    return this.#connection?.sessionHash ?? null
  }

  /** Round-trip time of the last acknowledged heartbeat in milliseconds; `null` before the first one of a connection. */
  get latency(): number | null {
    return this.#connection?.latency ?? null
  }

  /**
   * Connects, and stays connected until `disconnect`, a sign-out or a fatal close code. Add listeners before you call it:
   * events may follow Ready immediately. During an outage it retries with backoff, without a limit, and each `stateChange`
   * says why it cannot connect; pass a `timeout` or a `signal` to stop waiting. Resolves immediately if it is already
   * connected. After a fatal close, further calls wait with backoff, too, even if `disconnect` was called in between;
   * a new token resets the backoff, and connects again if there was neither a sign-out nor `disconnect`.
   *
   * @returns The payload of Ready.
   * @throws GatewayError if the connection was closed for good (see `reason`), or `disconnect` was called.
   * @throws TimeoutError after `timeout`, with the reason why the last attempt failed.
   */
  async connect(options: GatewayConnectOptions = {}): Promise<ReadyEvent> {
    const read = readCallOptions('gateway.connect', options, CONNECT_OPTIONS)
    throwIfAborted(read.signal)
    if (this.#isDisposed) throw disposedError()
    if (this.#connection === undefined)
      throw new GatewayError('not_configured', 'pass the option `gateway: { url }` to the client.')
    this.#isDisconnectRequested = false
    return deepCopy(await this.#connection.connect(read))
  }

  /**
   * Disconnects. Once the promise resolves, no socket or timer is left. Ends streams and rejects pending `connect` and
   * `waitFor` calls. A later `connect` starts a new session.
   */
  async disconnect(): Promise<void> {
    this.#isDisconnectRequested = true
    await this.#connection?.disconnect('`disconnect` was called')
  }

  /**
   * Calls `listener` for each event of `type`, also after reconnects. Each listener receives its own copy of the payload,
   * which it may change. Its exceptions and rejections are emitted as `error`; without a listener for `error` they are
   * logged, or surface as uncaught errors if there is no logger. Events that neither the API nor the option `events` names
   * are emitted only as `dispatch`.
   *
   * @throws RequestValidationError for an unknown event name, as do all methods that take one.
   */
  on<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): this {
    this.#checkNames('on', [type])
    this.#listeners.on(type, listener)
    return this
  }

  /** Calls `listener` for the next event of `type` only. */
  once<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): this {
    this.#checkNames('once', [type])
    this.#listeners.on(type, listener, { once: true })
    return this
  }

  /** Removes a listener. */
  off<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): this {
    this.#checkNames('off', [type])
    this.#listeners.off(type, listener)
    return this
  }

  /**
   * Returns the events received from now on, in order. The stream ends with `disconnect`. It rejects with `GatewayError` if
   * the gateway closes for good, or if 1,024 events are unread.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({
   *   baseUrl: 'https://service.example',
   *   token: 'a token',
   *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
   * })
   * for await (const { type, data } of client.gateway.stream(['relationshipAdd', 'relationshipRemove'])) {
   *   console.log(type, data.id)
   * }
   */
  stream<K extends keyof GatewayEvents>(
    types: readonly K[],
    options: GatewayCallOptions = {},
  ): AsyncIterableIterator<GatewayMessage<K>> {
    this.#checkNames('stream', types)
    const { signal } = readCallOptions('gateway.stream', options, CALL_OPTIONS)
    const stream = openStream(this.#listeners, types, signal)
    if (this.#isDisposed) void stream.return?.()
    return stream
  }

  /**
   * Resolves with the next event of `type` that passes `filter`. Rejects with the error that `filter` throws, unchanged.
   *
   * @throws GatewayError if the gateway closes before that.
   * @throws TimeoutError after `timeout`.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({
   *   baseUrl: 'https://service.example',
   *   token: 'a token',
   *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
   * })
   * const added = await client.gateway.waitFor('relationshipAdd', { filter: ({ id }) => id === '42', timeout: 60_000 })
   */
  async waitFor<K extends keyof GatewayEvents>(
    type: K,
    options: WaitForOptions<GatewayEvents[K]> = {},
  ): Promise<GatewayEvents[K]> {
    this.#checkNames('waitFor', [type])
    const read = readCallOptions('gateway.waitFor', options, WAIT_FOR_OPTIONS)
    throwIfAborted(read.signal)
    if (this.#isDisposed) throw disposedError()
    return waitFor(this.#listeners, type, read)
  }

  /** @internal Whether the client has the option `gateway`. */
  get isConfigured(): boolean {
    return this.#connection !== undefined
  }

  /** @internal Whether a new session is about to start, without a failure so far. */
  get isStarting(): boolean {
    return this.state === 'idle' ? this.#connectsNow : this.#connection?.isStarting === true
  }

  /** @internal */
  dispose(): void {
    this.#isDisposed = true
    this.#connection?.disconnect('the client was disposed')
    this.#listeners.clear()
  }

  /** Validates names of events: one that is misspelt, or that the option `events` lacks, would never be emitted. */
  #checkNames(method: string, names: Iterable<unknown>): void {
    const issues = [...names].flatMap((name) => validateName([String(name)], name, this.#names))
    if (issues.length > 0) throw new RequestValidationError(`gateway.${method}`, issues)
  }

  #onSessionChange({ type }: SessionChange): void {
    if (type === 'signedOut') this.#connection?.disconnect('the session was signed out')
    if (type === 'signedIn') this.#isDisconnectRequested = false
    // Any other change, such as a step-up, must not reconnect a gateway that was closed for good.
    if (!/sign|token/.test(type)) return
    this.#connection?.resetBackoff()
    if (type === 'tokenChanged') this.#connection?.restartSession()
    this.#connectOnSignIn()
  }

  get #connectsNow(): boolean {
    const mayConnect = this.#connectsOnSignIn && !this.#isDisconnectRequested && !this.#isDisposed
    return mayConnect && this.#session.isAuthenticated
  }

  #connectOnSignIn(): void {
    if (this.#connectsNow) this.#connection?.start(true)
  }
}

function disposedError(): GatewayError {
  return new GatewayError('disconnected', 'the client was disposed.')
}
