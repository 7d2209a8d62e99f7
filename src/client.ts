import * as components from './components/index'
import type { ClientOptions } from './config'
import { type Config, readClientOptions } from './config'
import { RequestValidationError } from './errors/client-errors'
import { Gateway } from './gateway/gateway'
import { bindMembers } from './internal/bind-members'
import { isHeaderValue, validateHeaderValue } from './internal/headers'
import { LiveStores } from './live/stores'
import { sendWithStepUp } from './mfa/step-up'
import { Auth } from './resources/auth'
import { FriendSuggestions } from './resources/friend-suggestions'
import { GameRelationships } from './resources/game-relationships'
import { Identities } from './resources/identities'
import { Mfa } from './resources/mfa'
import { Relationships } from './resources/relationships'
import { WidgetConfigs } from './resources/widget-configs'
import { Widgets } from './resources/widgets'
import { type Session, SessionManager } from './session/session'
import type { ApiPromise } from './transport/call'
import { type ClientEvents, Events } from './transport/events'
import { RateLimiter } from './transport/rate-limit'
import type { CustomRequest } from './transport/request'
import { Transport } from './transport/transport'
import type { RequestOptions } from './types/options'

/** What a suspended user can do: send requests whose body carries the suspended token. */
export interface SuspendedClient {
  /** Sends a request; see {@link Client.request}. GET is refused: it has no body for the token. */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T>
}

/** What siblings have in common. */
interface Shared {
  readonly config: Config
  readonly rateLimiter: RateLimiter
}

/** Created on first use; enumerable, so that a spread has them. */
const NAMESPACES = [
  'auth',
  'mfa',
  'widgets',
  'identities',
  'widgetConfigs',
  'relationships',
  'gameRelationships',
  'friendSuggestions',
  'gateway',
] as const satisfies readonly (keyof Client)[]

/**
 * The service's whole interface, signed in as one user.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const relationships = await client.relationships.list()
 */
export class Client {
  /** Signing in and out, registration, recovery. */
  get auth(): Auth {
    this.#auth ??= new Auth(this.#transport)
    return this.#auth
  }
  /** Second factors, step by step. */
  get mfa(): Mfa {
    this.#mfa ??= new Mfa(this.#transport)
    return this.#mfa
  }
  /** Game widgets on the profile. */
  get widgets(): Widgets {
    this.#widgets ??= new Widgets(this.#transport)
    return this.#widgets
  }
  /** Accounts and profiles in applications. */
  get identities(): Identities {
    this.#identities ??= new Identities(this.#transport)
    return this.#identities
  }
  /** How applications' data look on profiles. */
  get widgetConfigs(): WidgetConfigs {
    this.#widgetConfigs ??= new WidgetConfigs(this.#transport)
    return this.#widgetConfigs
  }
  /** Friends, requests, blocks and ignored users. */
  get relationships(): Relationships {
    this.#relationships ??= new Relationships(this.#transport, () => this.#liveStores)
    return this.#relationships
  }
  /** Friends and requests inside games. */
  get gameRelationships(): GameRelationships {
    this.#gameRelationships ??= new GameRelationships(this.#transport, () => this.#liveStores)
    return this.#gameRelationships
  }
  /** People the user may know. */
  get friendSuggestions(): FriendSuggestions {
    this.#friendSuggestions ??= new FriendSuggestions(this.#transport, () => this.#liveStores)
    return this.#friendSuggestions
  }
  /** How message and modal components are built, checked and read: all of `rapport-sdk/components`. */
  get components(): typeof components {
    return components
  }
  /** Who is signed in. */
  readonly session: Session
  /** The service's events. */
  get gateway(): Gateway {
    this.#gateway ??= new Gateway(this.#config.gateway, this.#state, this.#transport.events)
    return this.#gateway
  }
  readonly #config: Config
  readonly #state: SessionManager
  readonly #transport: Transport
  #gateway: Gateway | undefined
  #stores: LiveStores | undefined
  #auth: Auth | undefined
  #mfa: Mfa | undefined
  #widgets: Widgets | undefined
  #identities: Identities | undefined
  #widgetConfigs: WidgetConfigs | undefined
  #relationships: Relationships | undefined
  #gameRelationships: GameRelationships | undefined
  #friendSuggestions: FriendSuggestions | undefined

  /**
   * @param options `baseUrl` must be given.
   * @throws RequestValidationError naming every option that cannot be used.
   */
  constructor(options: ClientOptions)
  /** @internal */
  constructor(options: ClientOptions, shared?: Shared)
  constructor(
    options: ClientOptions,
    { config, rateLimiter }: Shared = { config: readClientOptions(options), rateLimiter: new RateLimiter() },
  ) {
    this.#config = config
    const { tokenStore, token, fingerprint } = config
    const events = new Events(config.logger)
    this.#state = new SessionManager(tokenStore, token, fingerprint, config.timeout, events.report)
    this.#transport = new Transport(config, this.#state, events, rateLimiter, sendWithStepUp)
    this.session = this.#state
    bindMembers(this)
    for (const name of NAMESPACES) Object.defineProperty(this, name, { enumerable: true })
    // It follows the session from now on.
    if (config.gateway?.connectOnSignIn) this.#gateway = this.gateway
  }

  /** Resolves when the stored token is loaded. Calls wait for it by themselves. */
  get ready(): Promise<void> {
    return this.#state.ready ?? Promise.resolve()
  }

  /**
   * A client for another account with the same options: it has its own session, prompts and verification, shares the
   * waits that the service has asked for, and never writes to this client's token store.
   *
   * @throws RequestValidationError where the token cannot be one.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const ada = new Client({ baseUrl: 'https://service.example', token: 'the token of Ada' })
   * const grace = ada.as('the token of Grace')
   * await Promise.all([ada.relationships.list(), grace.relationships.list()])
   */
  as(token: string): Client {
    return createSibling(requireToken('as', token), this.#config, this.#transport.rateLimiter)
  }

  /**
   * What a suspended user's token is good for. It travels in the JSON body as `token`, never in `Authorization`. The
   * paths of the calls it permits are not shown. Interface, "Authentication", 2.
   *
   * @throws RequestValidationError where the token cannot be one.
   */
  suspended(token: string): SuspendedClient {
    requireToken('suspended', token)
    return { request: (request, options) => this.#transport.request(request, options, token) }
  }

  /**
   * Sends what the document leaves out through the same pipeline: checks, step-up, retries, typed errors.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * await client.request({
   *   method: 'POST',
   *   path: '/channels/{channel.id}/messages',
   *   pathParams: { 'channel.id': '300' },
   *   body: { content: 'Hello' },
   * })
   */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T> {
    return this.#transport.request(request, options)
  }

  /**
   * Calls `listener` for each event of a kind. What it throws stops no call: it goes to the logger, or else surfaces as
   * an uncaught error.
   *
   * @returns What ends it.
   * @throws RequestValidationError for a name that no event has.
   */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    return this.#transport.events.on(type, listener)
  }

  /**
   * Ends every call that is open, closes live stores, disconnects the gateway and forgets listeners. Nothing of it keeps
   * a process alive; it cannot be used again.
   */
  dispose(): void {
    this.#liveStores.dispose()
    this.gateway.dispose()
    this.#transport.dispose()
    this.#state.dispose()
  }

  get #liveStores(): LiveStores {
    const { report } = this.#transport.events
    this.#stores ??= new LiveStores(this.gateway, this.#config.gateway !== undefined, this.#state, report)
    return this.#stores
  }

  /** {@link Client.dispose}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
  }
}

/** A token that is missing must not turn into a call without one, or with another. */
function requireToken(method: string, token: unknown): string {
  if (isHeaderValue(token)) return token
  throw new RequestValidationError(`client.${method}`, validateHeaderValue('token', token))
}

/** Outside of the class: where a class names itself, bundlers give it another name, which consoles would show. */
function createSibling(
  token: string,
  { tokenStore: _, fingerprint: __, ...rest }: Config,
  rateLimiter: RateLimiter,
): Client {
  const config: Config = { ...rest, token }
  return new Client(config, { config, rateLimiter })
}
