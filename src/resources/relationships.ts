import { contract } from '../contract'
import {
  type AddBulkRelationshipsParams,
  type BulkAddResult,
  type CreateRelationshipParams,
  type DeleteBulkRelationshipsParams,
  type Relationship,
  RelationshipType,
  type SendFriendRequestParams,
  type UpdateRelationshipParams,
} from '../contract/relationships'
import { bindMembers } from '../internal/bind-members'
import type { LiveStores } from '../live/stores'
import { type RelationshipStore, relationships } from '../live/stores'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Friends, requests, blocks and ignored users. Interface, "J. Relationships". */
export class Relationships {
  readonly #transport: Transport
  readonly #openStore: () => RelationshipStore

  /** @internal */
  constructor(transport: Transport, stores: LiveStores) {
    this.#transport = transport
    this.#openStore = stores.opener(relationships, (options) => this.list(options))
    bindMembers(this)
  }

  /**
   * Everyone the current user has a relationship with. Interface, "J. Relationships".
   *
   * @example
   * import { Client, RelationshipType } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * const relationships = await client.relationships.list()
   * console.log(relationships.filter(({ type }) => type === RelationshipType.FRIEND).length)
   */
  list(options?: RequestOptions): ApiPromise<Relationship[]> {
    return this.#transport.send(contract.relationships.list, [], undefined, options)
  }

  /**
   * {@link Relationships.list}, kept up to date by the gateway's events until it is closed; see
   * {@link RelationshipStore}. It does not connect the gateway, and is `stale` until that is done. Interface,
   * "Relationship" and "Events".
   *
   * @returns A store whose keys are the IDs of the other users.
   * @throws GatewayError where the client has no `gateway` option, or was disposed.
   *
   * @example
   * import { Client, RelationshipType } from 'rapport-sdk'
   *
   * const client = new Client({
   *   baseUrl: 'https://service.example',
   *   token: 'a token',
   *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
   * })
   * const relationships = client.relationships.live()
   * relationships.subscribe(() => {
   *   const requests = relationships.filter(RelationshipType.INCOMING_REQUEST)
   *   console.log(requests.map(({ user }) => user.id))
   * })
   */
  live(): RelationshipStore {
    return this.#openStore()
  }

  /**
   * Sends a friend request by username. Interface, "J. Relationships".
   *
   * @throws RequestValidationError for a note over 120 characters.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * await client.relationships.sendRequest({ username: 'ada', discriminator: null, note: 'From the chess club' })
   */
  sendRequest(params: SendFriendRequestParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.sendRequest, [], params, options)
  }

  /**
   * Accepts a request, or makes one where there is none; with a `type` makes that of the relationship.
   * Interface, "J. Relationships".
   *
   * @param userId Snowflake of the other user.
   * @throws RequestValidationError for a note over 120 characters.
   */
  create(userId: string, params?: CreateRelationshipParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.create, [userId], params, options)
  }

  /**
   * Accepts a friend request: {@link Relationships.create} without a type. Where there is no request it makes one.
   *
   * @param userId Snowflake of the other user.
   */
  accept(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.create(userId, {}, options)
  }

  /**
   * Blocks a user: {@link Relationships.create} with `BLOCKED`. That this type blocks is a convention; the document
   * does not show transitions.
   *
   * @param userId Snowflake of the other user.
   */
  block(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.create(userId, { type: RelationshipType.BLOCKED }, options)
  }

  /**
   * Gives a friend a nickname. Interface, "J. Relationships".
   *
   * @param userId Snowflake of the friend.
   * @throws RequestValidationError for a nickname that is empty or over 32 characters.
   */
  update(userId: string, params?: UpdateRelationshipParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.update, [userId], params, options)
  }

  /**
   * Ends a relationship: a friendship, a request, a block. Interface, "J. Relationships".
   *
   * @param userId Snowflake of the other user.
   */
  delete(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.delete, [userId], undefined, options)
  }

  /**
   * Ignores a user. Interface, "J. Relationships".
   *
   * @param userId Snowflake of the other user.
   */
  ignore(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.ignore, [userId], undefined, options)
  }

  /**
   * Ignores a user no more. Interface, "J. Relationships".
   *
   * @param userId Snowflake of the other user.
   */
  unignore(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.unignore, [userId], undefined, options)
  }

  /**
   * Removes incoming requests, all or those that every filter fits. Interface, "J. Relationships".
   *
   * @example
   * import { Client, RelationshipRemovalFilter } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * await client.relationships.deleteBulk({ filters: [RelationshipRemovalFilter.SPAM] })
   */
  deleteBulk(params?: DeleteBulkRelationshipsParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.relationships.deleteBulk, [], params, options)
  }

  /**
   * Befriends users that contact sync has found. Interface, "J. Relationships".
   *
   * @returns Who was added and who was not.
   */
  addBulk(params: AddBulkRelationshipsParams, options?: RequestOptions): ApiPromise<BulkAddResult> {
    return this.#transport.send(contract.relationships.addBulk, [], params, options)
  }
}
