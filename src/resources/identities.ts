import { contract } from '../contract'
import type {
  ListBulkIdentitiesParams,
  ListIdentitiesParams,
  PartialApplicationIdentity,
  UpdateProfileConfigParams,
  UpdateProfileParams,
  UserApplicationIdentities,
  UserApplicationProfile,
} from '../contract/identities'
import { bindMembers } from '../internal/bind-members'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Users' accounts and profiles in applications. Interface, "H. Profile widgets and application identities". */
export class Identities {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * Which external accounts up to 100 users have in the authorized application; invalid IDs are ignored.
   * Interface, "H. Profile widgets and application identities".
   *
   * @throws RequestValidationError for no ID or more than 100.
   */
  listBulk(params: ListBulkIdentitiesParams, options?: RequestOptions): ApiPromise<PartialApplicationIdentity[]> {
    return this.#transport.send(contract.identities.listBulk, [], params, options)
  }

  /**
   * A user's profile in an application. Interface, "H. Profile widgets and application identities".
   *
   * @param applicationId Snowflake of the application.
   * @param userId Snowflake of the user.
   * @param externalUserId The user's ID in the application; any text.
   */
  getProfile(
    applicationId: string,
    userId: string,
    externalUserId: string,
    options?: RequestOptions,
  ): ApiPromise<UserApplicationProfile> {
    const path = [applicationId, userId, externalUserId]
    return this.#transport.send(contract.identities.getProfile, path, undefined, options)
  }

  /**
   * Changes a user's profile in an application. Interface, "H. Profile widgets and application identities".
   *
   * @param applicationId Snowflake of the application.
   * @param userId Snowflake of the user.
   * @param externalUserId The user's ID in the application; any text.
   * @throws RequestValidationError for a username over 1024 characters, more than 25 metadata keys, or a metadata key
   * or value over 1024 characters.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * await client.identities.updateProfile('200', '100', 'player-7', {
   *   username: 'Player 7',
   *   data: { primary: { rank_name: 'Gold', total_wins: 12 } },
   * })
   */
  updateProfile(
    applicationId: string,
    userId: string,
    externalUserId: string,
    params?: UpdateProfileParams,
    options?: RequestOptions,
  ): ApiPromise<UserApplicationProfile> {
    const path = [applicationId, userId, externalUserId]
    return this.#transport.send(contract.identities.updateProfile, path, params, options)
  }

  /**
   * A user's accounts in applications. Interface, "H. Profile widgets and application identities".
   *
   * @param userId Snowflake of the user.
   */
  list(userId: string, params?: ListIdentitiesParams, options?: RequestOptions): ApiPromise<UserApplicationIdentities> {
    return this.#transport.send(contract.identities.list, [userId], params, options)
  }

  /**
   * Changes how the current user's account in an application is shown.
   * Interface, "H. Profile widgets and application identities".
   *
   * @param applicationId Snowflake of the application.
   * @param externalUserId The user's ID in the application; any text.
   */
  updateConfig(
    applicationId: string,
    externalUserId: string,
    params?: UpdateProfileConfigParams,
    options?: RequestOptions,
  ): ApiPromise<undefined> {
    return this.#transport.send(contract.identities.updateConfig, [applicationId, externalUserId], params, options)
  }
}
