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

/** Client of a suspended user: sends requests with the suspended token in the body. */
export interface SuspendedClient {
  /** Sends a request; see {@link Client.request}. GET is refused: it has no body for the token. */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T>
}

/** State shared by the clients that {@link Client.as} creates. */
interface Shared {
  readonly config: Config
  readonly rateLimiter: RateLimiter
}

/** Namespaces that are created on first use. Enumerable, so that a spread includes them. */
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
 * Client for the complete interface of the service, signed in as one user.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const relationships = await client.relationships.list()
 */
export class Client {
  /** The signed-in user's session. */
  readonly session: Session
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

  /** Sign-in and sign-out, registration, account recovery. */
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
  /** Layouts of applications' data on profiles. */
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
  /** Builds, validates and reads message and modal components: all of `rapport-sdk/components`. */
  get components(): typeof components {
    return components
  }
  /** Events of the service. */
  get gateway(): Gateway {
    return this.#openGateway()
  }

  /**
   * @param options `baseUrl` must be given.
   * @throws RequestValidationError naming every invalid option.
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
    for (const name of NAMESPACES) {
      // Tests of apps replace namespaces by assignment.
      const replace = (value: unknown) => Object.defineProperty(this, name, { value, writable: true })
      const { set = replace } = Object.getOwnPropertyDescriptor(this, name) ?? {}
      Object.defineProperty(this, name, { enumerable: true, set })
    }
    // The gateway observes the session from now on.
    if (config.gateway?.connectOnSignIn) this.#openGateway()
  }

  /** Resolves when the stored token is loaded. Calls wait for it automatically. */
  get ready(): Promise<void> {
    return this.#state.ready ?? Promise.resolve()
  }

  /**
   * Creates a client for another account with the same options. It has its own session, prompts and verification,
   * shares the rate limits, and never writes to this client's token store.
   *
   * @throws RequestValidationError if the token is not a valid header value.
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
   * Creates a client for a suspended user's token, which is sent in the JSON body as `token`, never in `Authorization`.
   * The interface does not show the paths of the permitted calls. Interface, "Authentication", 2.
   *
   * @throws RequestValidationError if the token is not a valid header value.
   */
  suspended(token: string): SuspendedClient {
    requireToken('suspended', token)
    return { request: (request, options) => this.#transport.request(request, options, token) }
  }

  /**
   * Sends a request to an endpoint that the interface does not describe, through the same pipeline: validation,
   * step-up, retries, typed errors.
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
   * Calls `listener` for each event of a type. An error thrown by the listener does not affect the call: it is passed
   * to `logger.error`, or else becomes an uncaught exception.
   *
   * @returns An unsubscribe function.
   * @throws RequestValidationError if the event is unknown.
   */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    return this.#transport.events.on(type, listener)
  }

  /**
   * Aborts pending requests, closes live stores, disconnects the gateway and removes all listeners. No handle keeps the
   * process alive. The client cannot be used again.
   */
  dispose(): void {
    this.#liveStores.dispose()
    this.#openGateway().dispose()
    this.#transport.dispose()
    this.#state.dispose()
  }

  /** Not the accessor, which a subclass or a test may replace. */
  #openGateway(): Gateway {
    this.#gateway ??= new Gateway(this.#config.gateway, this.#state, this.#transport.events)
    return this.#gateway
  }

  get #liveStores(): LiveStores {
    const { report } = this.#transport.events
    this.#stores ??= new LiveStores(this.#openGateway(), this.#config.gateway !== undefined, this.#state, report)
    return this.#stores
  }

  /** Calls {@link Client.dispose}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
  }
}

/** Rejects a missing token: the call would otherwise be sent without a token, or with another one. */
function requireToken(method: string, token: unknown): string {
  if (isHeaderValue(token)) return token
  throw new RequestValidationError(`client.${method}`, validateHeaderValue('token', token))
}

/** Outside of the class: bundlers rename a class that refers to itself, and consoles would show that name. */
function createSibling(
  token: string,
  { tokenStore: _, fingerprint: __, ...rest }: Config,
  rateLimiter: RateLimiter,
): Client {
  const config: Config = { ...rest, token }
  return new Client(config, { config, rateLimiter })
}
