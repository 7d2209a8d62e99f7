// The class `Client`, which has all parts.
import * as components from '../components/index'
import { showMembers } from '../internal/bind-members'
import type { SessionMode } from '../resources/auth'
import { kyRetryLoop } from '../transport/retry-with-ky'
import { BaseClient, type PreparedClient, prepareClient } from './base-client'
import { type ClientState, inspectClient } from './inspect'
import type { ClientOptions, SessionOption } from './options'
import { ALL_PARTS, type PartMembers } from './parts'

// The members of the parts, which `BaseClient` defines.
export interface Client<Mode extends SessionMode = 'token'>
  extends Omit<PartMembers<Mode>, 'live' | 'passkeys' | 'registration' | 'recovery'> {}

/**
 * Client for the complete API of the service, signed in as one user.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const relationships = await client.relationships.list()
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the types of parts tie each member to its name
export class Client<Mode extends SessionMode = 'token'> extends BaseClient<Client> {
  /** Builds, validates and reads message and modal components: all of `rapport-sdk/components`. */
  get components(): typeof components {
    return components
  }

  /**
   * @param options `baseUrl` must be given.
   * @throws RequestValidationError naming every invalid option.
   */
  constructor(options: ClientOptions & SessionOption<Mode>)
  /** @internal */
  constructor(options: ClientOptions, prepared?: PreparedClient)
  constructor(options: ClientOptions, prepared = prepareClient('Client', options, ALL_PARTS, kyRetryLoop)) {
    super(prepared, createWithToken)
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
}

/** Outside of the class: bundlers rename a class that refers to itself, and consoles would show that name. */
function createWithToken(prepared: PreparedClient): Client {
  return new Client(prepared.config, prepared)
}
