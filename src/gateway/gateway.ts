import { throwIfAborted } from '../abort'
import type { ReadyEvent } from '../contract/gateway-events'
import { GatewayError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import { deepCopy } from '../internal/json'
import type { SessionChange, SessionManager } from '../session/session'
import { checkEventNames } from '../transport/events'
import { ConnectionManager } from './connection-manager'
import { openStream } from './event-stream'
import type { GatewayEvents, GatewayMessage, GatewayState } from './events'
import { GATEWAY_EVENT_NAMES } from './events'
import { Listeners, type Reporter, waitFor } from './listeners'
import type { GatewayCallOptions, GatewayConfig, GatewayConnectOptions, WaitForOptions } from './options'
import { CALL_OPTIONS, CONNECT_OPTIONS, checkCallOptions, WAITING_OPTIONS } from './options'

/**
 * The service's events, as they happen. A lost connection is resumed by itself; what happened in between is delivered.
 * How it speaks is a convention that can be replaced: see {@link GatewayProtocol}. Interface, "Events".
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
  /** Whether it was told to disconnect, and by nobody since to connect. */
  #staysAway = false
  #isDisposed = false

  /** @internal */
  constructor(config: GatewayConfig | undefined, session: SessionManager, reporter: Reporter) {
    this.#listeners = new Listeners(reporter)
    bindMembers(this)
    this.#session = session
    this.#connection = config && new ConnectionManager(config, session, this.#listeners)
    this.#connectsOnSignIn = config?.connectOnSignIn ?? false
    session.onChange((change) => this.#follow(change))
    // Not before whoever made the client could add listeners.
    queueMicrotask(() => this.#connectOnSignIn())
  }

  /** Where it is in its life. */
  get state(): GatewayState {
    return this.#connection?.state ?? 'idle'
  }

  /** ID hash of the authentication session that the Gateway session belongs to; `null` where there is none. */
  get sessionHash(): string | null {
    return this.#connection?.sessionHash ?? null
  }

  /** How long the last heartbeat took to be acknowledged, in milliseconds; `null` before the first of a connection. */
  get latency(): number | null {
    return this.#connection?.latency ?? null
  }

  /**
   * Connects, and stays connected until `disconnect`, signing out or a close code that is fatal. Add listeners before:
   * events may come right after what the session starts with. An outage never ends it: it tries again and again, in
   * growing intervals, and each `stateChange` says why it cannot connect; give a `timeout` or a `signal` to stop waiting.
   * Resolves at once if it is connected already. Called again after a fatal close, it waits in growing intervals,
   * too, even if `disconnect` was called in between; another token ends that.
   *
   * @returns What the session started with.
   * @throws GatewayError if it has ended for good (`reason` tells why), or `disconnect` was called.
   * @throws TimeoutError after `timeout`, with why the last attempt failed.
   */
  async connect(options: GatewayConnectOptions = {}): Promise<ReadyEvent> {
    checkCallOptions('gateway.connect', options, CONNECT_OPTIONS)
    throwIfAborted(options.signal)
    if (this.#isDisposed) throw disposed()
    if (this.#connection === undefined)
      throw new GatewayError('not_configured', 'give the client the option `gateway: { url }`.')
    this.#staysAway = false
    return deepCopy(await this.#connection.connect(options))
  }

  /**
   * Disconnects. Nothing of it is left when the promise resolves. `connect` may follow; it starts a fresh session.
   * Streams end, and who waits for an event is rejected.
   */
  async disconnect(): Promise<void> {
    this.#staysAway = true
    await this.#connection?.disconnect('`disconnect` was called')
  }

  /**
   * Calls `listener` for each event of a kind, also after any number of reconnects. Each listener receives a payload of
   * its own, which it may change. What it throws, or rejects with, is emitted as `error`; if nobody listens to that, it is
   * logged, or surfaces as an uncaught error if there is no logger. Events that the interface does not name are emitted as
   * `dispatch` only.
   *
   * @throws RequestValidationError for a name that no event has; so do all methods that take one.
   */
  on<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): this {
    checkEventNames('gateway.on', [type], GATEWAY_EVENT_NAMES)
    this.#listeners.on(type, listener)
    return this
  }

  /** Calls `listener` for the next event of a kind. */
  once<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): this {
    checkEventNames('gateway.once', [type], GATEWAY_EVENT_NAMES)
    this.#listeners.on(type, listener, { once: true })
    return this
  }

  /** Takes a listener away. */
  off<K extends keyof GatewayEvents>(type: K, listener: (event: GatewayEvents[K]) => void): this {
    checkEventNames('gateway.off', [type], GATEWAY_EVENT_NAMES)
    this.#listeners.off(type, listener)
    return this
  }

  /**
   * Events in the order in which they come, from this call on. It ends with `disconnect`; where the gateway ends for good,
   * and where 1,024 events wait to be read, it rejects with `GatewayError`.
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
    checkEventNames('gateway.stream', types, GATEWAY_EVENT_NAMES)
    checkCallOptions('gateway.stream', options, CALL_OPTIONS)
    const stream = openStream(this.#listeners, types, options.signal)
    if (this.#isDisposed) stream.end()
    return stream
  }

  /**
   * The next event of a kind, of those that `filter` lets through.
   *
   * @throws GatewayError where the gateway ends before, TimeoutError where `timeout` is over.
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
    checkEventNames('gateway.waitFor', [type], GATEWAY_EVENT_NAMES)
    checkCallOptions('gateway.waitFor', options, WAITING_OPTIONS)
    throwIfAborted(options.signal)
    if (this.#isDisposed) throw disposed()
    return waitFor(this.#listeners, type, options)
  }

  /** @internal */
  dispose(): void {
    this.#isDisposed = true
    this.#connection?.disconnect('the client was disposed')
    this.#listeners.clear()
  }

  #follow({ type }: SessionChange): void {
    if (type === 'signedOut') this.#connection?.disconnect('the session was signed out')
    if (type === 'tokenChanged') this.#connection?.restartSession()
    if (type === 'signedIn') this.#staysAway = false
    if (type !== 'elevated') this.#connection?.resetBackoff()
    // A second factor that was verified is no reason to try again what has ended for good.
    if (type !== 'elevated') this.#connectOnSignIn()
  }

  #connectOnSignIn(): void {
    if (!this.#connectsOnSignIn || this.#staysAway || this.#isDisposed || !this.#session.isAuthenticated) return
    this.#connection?.start(true)
  }
}

function disposed(): GatewayError {
  return new GatewayError('disconnected', 'the client was disposed.')
}
