import {
  type AddBulkRelationshipsParams,
  type BulkAddResult,
  type CreateRelationshipParams,
  type DeleteBulkRelationshipsParams,
  type FriendSuggestion,
  friendSuggestions,
  type Relationship,
  RelationshipType,
  relationships,
  type SendFriendRequestParams,
  type UpdateRelationshipParams,
} from '../contract/relationships'
import { bindMembers } from '../internal/bind-members'
import type { LiveOptions } from '../live/collection'
import type { FriendSuggestionStore, Live, RelationshipStore } from '../live/stores'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Friends, friend requests, blocked and ignored users. A `userId` is a snowflake. API, "J. Relationships". */
export class Relationships {
  readonly #transport: Transport
  readonly #live: () => Live

  /** @internal */
  constructor(transport: Transport, live: () => Live) {
    this.#transport = transport
    this.#live = live
    bindMembers(this)
  }

  /**
   * Returns all relationships of the current user. API, "J. Relationships".
   *
   * @example
   * import { RelationshipType } from 'rapport-sdk'
   *
   * const relationships = await client.relationships.list()
   * console.log(relationships.filter(({ type }) => type === RelationshipType.FRIEND).length)
   */
  list(options?: RequestOptions): ApiPromise<Relationship[]> {
    return this.#transport.send(relationships.list, options)
  }

  /**
   * Sends a friend request by username. API, "J. Relationships".
   *
   * @throws RequestValidationError if the note has more than 120 characters.
   *
   * @example
   * await client.relationships.sendRequest({ username: 'ada', discriminator: null, note: 'From the chess club' })
   */
  sendRequest(params: SendFriendRequestParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.sendRequest, options, params)
  }

  /**
   * Accepts a friend request, or sends one if there is none; with a `type`, creates a relationship of that type.
   * API, "J. Relationships".
   *
   * @throws RequestValidationError if the note has more than 120 characters.
   */
  create(userId: string, params?: CreateRelationshipParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.create, options, params, [userId])
  }

  /** Accepts a friend request, or sends one if there is none: {@link Relationships.create} without a type. */
  accept(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.create(userId, {}, options)
  }

  /**
   * Blocks a user: {@link Relationships.create} with `BLOCKED`. That this type blocks is a convention, since the
   * API document does not show transitions.
   */
  block(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.create(userId, { type: RelationshipType.BLOCKED }, options)
  }

  /**
   * Sets the nickname of a friend. API, "J. Relationships".
   *
   * @throws RequestValidationError if the nickname does not have 1–32 characters.
   */
  update(userId: string, params?: UpdateRelationshipParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.update, options, params, [userId])
  }

  /** Removes a friendship, a friend request or a block. API, "J. Relationships". */
  delete(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.delete, options, undefined, [userId])
  }

  /** Ignores a user. API, "J. Relationships". */
  ignore(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.ignore, options, undefined, [userId])
  }

  /** Stops ignoring a user. API, "J. Relationships". */
  unignore(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.unignore, options, undefined, [userId])
  }

  /**
   * Removes incoming friend requests: all, or those that match every filter. API, "J. Relationships".
   *
   * @example
   * import { RelationshipRemovalFilter } from 'rapport-sdk'
   *
   * await client.relationships.deleteBulk({ filters: [RelationshipRemovalFilter.SPAM] })
   */
  deleteBulk(params?: DeleteBulkRelationshipsParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(relationships.deleteBulk, options, params)
  }

  /**
   * Befriends users found by contact sync. API, "J. Relationships".
   *
   * @returns IDs of the users who were added, and of those who could not be.
   */
  addBulk(params: AddBulkRelationshipsParams, options?: RequestOptions): ApiPromise<BulkAddResult> {
    return this.#transport.send(relationships.addBulk, options, params)
  }

  /**
   * Opens a live store of {@link Relationships.list}, kept up to date by gateway events until it is closed; see
   * {@link RelationshipStore}. Does not connect the gateway; the store is `stale` until it is connected. API,
   * "Relationship" and "Events".
   *
   * @returns Store with the IDs of the other users as keys.
   * @throws GatewayError if the client has no `gateway` option or was disposed.
   *
   * @example
   * import { RelationshipType } from 'rapport-sdk'
   *
   * const relationships = client.relationships.live()
   * relationships.subscribe(() => {
   *   const requests = relationships.filter(RelationshipType.INCOMING_REQUEST)
   *   console.log(requests.map(({ user }) => user.id))
   * })
   */
  live(options?: LiveOptions): RelationshipStore {
    return this.#live().relationships(options)
  }
}

/** Users whom the current user may know; IDs are snowflakes. API, "K. Game relationships and suggestions". */
export class FriendSuggestions {
  readonly #transport: Transport
  readonly #live: () => Live

  /** @internal */
  constructor(transport: Transport, live: () => Live) {
    this.#transport = transport
    this.#live = live
    bindMembers(this)
  }

  /** Returns the suggested users with the reasons. API, "K. Game relationships and suggestions". */
  list(options?: RequestOptions): ApiPromise<FriendSuggestion[]> {
    return this.#transport.send(friendSuggestions.list, options)
  }

  /** Removes a suggestion. API, "K. Game relationships and suggestions". */
  delete(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(friendSuggestions.delete, options, undefined, [userId])
  }

  /**
   * Opens a live store of {@link FriendSuggestions.list}, from which gateway events remove suggestions until it is
   * closed; see {@link FriendSuggestionStore}. There is no event for new suggestions: call `refresh`. Does not connect
   * the gateway; the store is `stale` until it is connected. API, "Friend Suggestion" and "Events".
   *
   * @returns Store with the IDs of the suggested users as keys and the types of their reasons as types.
   * @throws GatewayError if the client has no `gateway` option or was disposed.
   *
   * @example
   * const suggestions = client.friendSuggestions.live()
   * await suggestions.ready
   * setInterval(() => suggestions.refresh(), 3_600_000)
   */
  live(options?: LiveOptions): FriendSuggestionStore {
    return this.#live().friendSuggestions(options)
  }
}
