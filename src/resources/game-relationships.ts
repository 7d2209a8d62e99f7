import {
  type CreateGameRelationshipForApplicationParams,
  type CreateGameRelationshipParams,
  type GameRelationship,
  gameRelationships,
  type SendGameFriendRequestParams,
} from '../contract/game-relationships'
import { bindMembers } from '../internal/bind-members'
import type { LiveOptions } from '../live/collection'
import type { GameRelationshipStore, Live } from '../live/stores'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/**
 * Friends and friend requests inside games. IDs are the snowflakes of the other user and of the game's application. API,
 * "K. Game relationships and suggestions".
 */
export class GameRelationships {
  readonly #transport: Transport
  readonly #live: () => Live

  /** @internal */
  constructor(transport: Transport, live: () => Live) {
    this.#transport = transport
    this.#live = live
    bindMembers(this)
  }

  /** Returns all game relationships of the current user. API, "K. Game relationships and suggestions". */
  list(options?: RequestOptions): ApiPromise<GameRelationship[]> {
    return this.#transport.send(gameRelationships.list, options)
  }

  /** Sends a game friend request by username. API, "K. Game relationships and suggestions". */
  sendRequest(params: SendGameFriendRequestParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(gameRelationships.sendRequest, options, params)
  }

  /** Accepts a game friend request, or sends one if there is none. API, "K. Game relationships and suggestions". */
  create(userId: string, params?: CreateGameRelationshipParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(gameRelationships.create, options, params, [userId])
  }

  /** Accepts a game friend request, or sends one if there is none: {@link GameRelationships.create} without a type. */
  accept(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.create(userId, {}, options)
  }

  /** Accepts a game friend request in one application. API, "K. Game relationships and suggestions". */
  createForApplication(
    userId: string,
    applicationId: string,
    params?: CreateGameRelationshipForApplicationParams,
    options?: RequestOptions,
  ): ApiPromise<undefined> {
    const endpoint = gameRelationships.createForApplication
    return this.#transport.send(endpoint, options, params, [userId, applicationId])
  }

  /** Removes a game relationship. API, "K. Game relationships and suggestions". */
  delete(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(gameRelationships.delete, options, undefined, [userId])
  }

  /** Removes a game relationship in one application. API, "K. Game relationships and suggestions". */
  deleteForApplication(userId: string, applicationId: string, options?: RequestOptions): ApiPromise<undefined> {
    const endpoint = gameRelationships.deleteForApplication
    return this.#transport.send(endpoint, options, undefined, [userId, applicationId])
  }

  /**
   * Opens a live store of {@link GameRelationships.list}, kept up to date by gateway events until it is closed; see
   * {@link GameRelationshipStore}. Does not connect the gateway; the store is `stale` until it is connected. API,
   * "Game Relationship" and "Events".
   *
   * @returns Store with the IDs of application and user as keys.
   * @throws GatewayError if the client has no `gateway` option or was disposed.
   *
   * @example
   * const players = client.gameRelationships.live()
   * await players.ready
   * console.log(players.get({ application_id: '900', id: '42' })?.since)
   */
  live(options?: LiveOptions): GameRelationshipStore {
    return this.#live().gameRelationships(options)
  }
}
