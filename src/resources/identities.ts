import {
  identities,
  type ListBulkIdentitiesParams,
  type ListIdentitiesParams,
  type PartialApplicationIdentity,
  type UpdateProfileConfigParams,
  type UpdateProfileParams,
  type UserApplicationIdentities,
  type UserApplicationProfile,
} from '../contract/identities'
import { bindMembers } from '../internal/bind-members'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/**
 * Accounts and profiles of users in applications. IDs of users and applications are snowflakes; an `externalUserId`, the
 * ID of the user in the application, is any string. API, "H. Profile widgets and application identities".
 */
export class Identities {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * Returns the external accounts of 1–100 users in the authorized application; the service ignores invalid IDs.
   * API, "H. Profile widgets and application identities".
   *
   * @throws RequestValidationError if there are no IDs or more than 100.
   */
  listBulk(params: ListBulkIdentitiesParams, options?: RequestOptions): ApiPromise<PartialApplicationIdentity[]> {
    return this.#transport.send(identities.listBulk, options, params)
  }

  /** Returns the profile of a user in an application. API, "H. Profile widgets and application identities". */
  getProfile(
    applicationId: string,
    userId: string,
    externalUserId: string,
    options?: RequestOptions,
  ): ApiPromise<UserApplicationProfile> {
    const path = [applicationId, userId, externalUserId]
    return this.#transport.send(identities.getProfile, options, undefined, path)
  }

  /**
   * Updates the profile of a user in an application. API, "H. Profile widgets and application identities".
   *
   * @throws RequestValidationError if the username has more than 1024 characters, if there are more than 25 metadata
   * keys, or if a metadata key or value has more than 1024 characters.
   *
   * @example
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
    return this.#transport.send(identities.updateProfile, options, params, path)
  }

  /** Returns the accounts of a user in applications. API, "H. Profile widgets and application identities". */
  list(userId: string, params?: ListIdentitiesParams, options?: RequestOptions): ApiPromise<UserApplicationIdentities> {
    return this.#transport.send(identities.list, options, params, [userId])
  }

  /** Updates how a profile shows the user's account. API, "H. Profile widgets and application identities". */
  updateConfig(
    applicationId: string,
    externalUserId: string,
    params?: UpdateProfileConfigParams,
    options?: RequestOptions,
  ): ApiPromise<undefined> {
    return this.#transport.send(identities.updateConfig, options, params, [applicationId, externalUserId])
  }
}
