// The class `Client`, which has all parts.
import * as components from '../components/index'
import type { Gateway } from '../gateway/gateway'
import { showMembers } from '../internal/bind-members'
import type { GameRelationships } from '../resources/game-relationships'
import type { Identities } from '../resources/identities'
import type { Mfa } from '../resources/mfa'
import type { FriendSuggestions, Relationships } from '../resources/relationships'
import type { WidgetConfigs } from '../resources/widget-configs'
import type { Widgets } from '../resources/widgets'
import type { ApiPromise } from '../transport/call'
import type { CustomRequest } from '../transport/custom-request'
import { kyRetryLoop } from '../transport/retry-with-ky'
import type { ChallengeIn, SaveChallengeOptions } from '../types/mfa'
import type { RequestOptions } from '../types/options'
import { BaseClient, ClientCore, type PreparedClient, prepareClient } from './base-client'
import { type ClientState, inspectClient } from './inspect'
import type { ClientOptions, SessionOption } from './options'
import {
  type AuthIn,
  auth,
  friendSuggestions,
  gameRelationships,
  gateway,
  identities,
  live,
  mfa,
  passkeys,
  recovery,
  registration,
  relationships,
  request,
  requireToken,
  type SessionMode,
  type SuspendedClient,
  widgetConfigs,
  widgets,
} from './parts'

const PARTS = [
  auth,
  passkeys,
  registration,
  recovery,
  mfa,
  widgets,
  identities,
  widgetConfigs,
  relationships,
  gameRelationships,
  friendSuggestions,
  gateway,
  live,
  request,
]

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
 * Client for the complete API of the service, signed in as one user.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const relationships = await client.relationships.list()
 */
export class Client<Mode extends SessionMode = 'token'> extends BaseClient {
  readonly #core: ClientCore

  /** Sign-in and sign-out, registration, account recovery. */
  get auth(): AuthIn<Mode> {
    return this.#core.members.auth
  }
  /** Second factors, step by step. */
  get mfa(): Mfa {
    return this.#core.members.mfa
  }
  /** Game widgets on the profile. */
  get widgets(): Widgets {
    return this.#core.members.widgets
  }
  /** Accounts and profiles in applications. */
  get identities(): Identities {
    return this.#core.members.identities
  }
  /** Layouts of applications' data on profiles. */
  get widgetConfigs(): WidgetConfigs {
    return this.#core.members.widgetConfigs
  }
  /** Friends, requests, blocks and ignored users. */
  get relationships(): Relationships {
    return this.#core.members.relationships
  }
  /** Friends and requests inside games. */
  get gameRelationships(): GameRelationships {
    return this.#core.members.gameRelationships
  }
  /** People the user may know. */
  get friendSuggestions(): FriendSuggestions {
    return this.#core.members.friendSuggestions
  }
  /** Builds, validates and reads message and modal components: all of `rapport-sdk/components`. */
  get components(): typeof components {
    return components
  }
  /** Events of the service. */
  get gateway(): Gateway {
    return this.#core.members.gateway
  }

  /**
   * @param options `baseUrl` must be given.
   * @throws RequestValidationError naming every invalid option.
   */
  constructor(options: ClientOptions & SessionOption<Mode>)
  /** @internal */
  constructor(options: ClientOptions, prepared?: PreparedClient)
  constructor(options: ClientOptions, prepared = prepareClient('Client', options, PARTS, kyRetryLoop)) {
    const core = new ClientCore(prepared)
    super(core, NAMESPACES)
    this.#core = core
    showMembers<Client<Mode>>(this, 'Client', this.inspect)
  }

  /**
   * Returns what the client is doing: session, gateway, live stores, limits in force, calls in flight, open prompts. It contains
   * no secret, so that a report of a problem may include it. `console.log(client)` and JSON show the same; consoles of browsers
   * do not. Clients of `createClient` have the function {@link inspectClient} for it.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example' })
   * console.log(JSON.stringify(client.inspect()))
   */
  inspect(): ClientState {
    return inspectClient(this)
  }

  /**
   * Creates a client for another account with the same options. It has its own session and never
   * writes to this client's token store. Clients with the same token share rate limits, prompts and verification. With
   * `gateway.connectOnSignIn`, it connects when its `gateway` or a live store is first used; then dispose of it.
   *
   * @param userId ID of the token's user, if you know it: `session.user` is otherwise `null` until the gateway's Ready.
   * @throws RequestValidationError if the token is not a valid header value.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const ada = new Client({ baseUrl: 'https://service.example', token: 'the token of Ada' })
   * const grace = ada.as('the token of Grace')
   * await Promise.all([ada.relationships.list(), grace.relationships.list()])
   */
  as(token: string, userId?: string): Client {
    return createWithToken(this.#core.prepareWithToken(requireToken('as', token), userId))
  }

  /**
   * Creates a client for a suspended user's token, which is sent in the JSON body as `token`, never in `Authorization`.
   * The API document does not show the paths of the permitted calls. API, "Authentication", 2.
   *
   * @throws RequestValidationError if the token is not a valid header value.
   */
  suspended(token: string): SuspendedClient {
    return this.#core.members.suspended(token)
  }

  /**
   * Continues a challenge that another request or process has saved with `challenge.save`. The client must have the same
   * `baseUrl`, and for a step-up the same token. For a sign-in or reset `verify` completes it; for a step-up it records
   * the verification, and repeating the call passes. Needs WebCrypto.
   *
   * @throws RapportError if the value was altered or has expired, or belongs to another service, account or `context`.
   * @throws RequestValidationError if an option is invalid.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example' })
   * const keys = [{ id: '2026', key: Buffer.from(process.env.SEALING_KEY ?? '', 'base64') }]
   *
   * // In one request: returns what the form of the next one sends back.
   * async function signIn(login: string, password: string) {
   *   const result = await client.auth.login({ login, password })
   *   return result.status === 'mfa' ? result.challenge.save({ keys }) : undefined
   * }
   *
   * // In the next one.
   * async function verify(saved: string, code: string) {
   *   const challenge = await client.resumeChallenge(saved, { keys })
   *   await challenge.verify({ type: 'totp', code })
   * }
   */
  resumeChallenge(saved: string, options: SaveChallengeOptions): Promise<ChallengeIn<Mode>> {
    return this.#core.members.resumeChallenge(saved, options)
  }

  /**
   * Sends a request to an endpoint that the API does not describe, through the same pipeline: validation,
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
    return this.#core.members.request(request, options)
  }
}

/** Outside of the class: bundlers rename a class that refers to itself, and consoles would show that name. */
function createWithToken(prepared: PreparedClient): Client {
  return new Client(prepared.config, prepared)
}
