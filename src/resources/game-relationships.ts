import { contract } from '../contract'
import type {
  CreateGameRelationshipForApplicationParams,
  CreateGameRelationshipParams,
  GameRelationship,
  SendGameFriendRequestParams,
} from '../contract/game-relationships'
import { bindMembers } from '../internal/bind-members'
import type { LiveStores } from '../live/stores'
import { type GameRelationshipStore, gameRelationships } from '../live/stores'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Friends and requests inside games. Interface, "K. Game relationships and suggestions". */
export class GameRelationships {
  readonly #transport: Transport
  readonly #openStore: () => GameRelationshipStore

  /** @internal */
  constructor(transport: Transport, stores: LiveStores) {
    this.#transport = transport
    this.#openStore = stores.opener(gameRelationships, (options) => this.list(options))
    bindMembers(this)
  }

  /** Everyone the current user has a game relationship with. Interface, "K. Game relationships and suggestions". */
  list(options?: RequestOptions): ApiPromise<GameRelationship[]> {
    return this.#transport.send(contract.gameRelationships.list, [], undefined, options)
  }

  /**
   * {@link GameRelationships.list}, kept up to date by the gateway's events until it is closed; see
   * {@link GameRelationshipStore}. It does not connect the gateway, and is `stale` until that is done. Interface,
   * "Game Relationship" and "Events".
   *
   * @returns A store whose keys are the IDs of application and user.
   * @throws GatewayError where the client has no `gateway` option, or was disposed.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({
   *   baseUrl: 'https://service.example',
   *   token: 'a token',
   *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
   * })
   * const players = client.gameRelationships.live()
   * await players.ready
   * console.log(players.get({ application_id: '900', id: '42' })?.since)
   */
  live(): GameRelationshipStore {
    return this.#openStore()
  }

  /** Sends a game friend request by username. Interface, "K. Game relationships and suggestions". */
  sendRequest(params: SendGameFriendRequestParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.gameRelationships.sendRequest, [], params, options)
  }

  /**
   * Accepts a game friend request, or makes one where there is none.
   * Interface, "K. Game relationships and suggestions".
   *
   * @param userId Snowflake of the other user.
   */
  create(userId: string, params?: CreateGameRelationshipParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.gameRelationships.create, [userId], params, options)
  }

  /**
   * Accepts a game friend request: {@link GameRelationships.create} without a type. Where there is none it makes one.
   *
   * @param userId Snowflake of the other user.
   */
  accept(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.create(userId, {}, options)
  }

  /**
   * Accepts a game friend request on one application. Interface, "K. Game relationships and suggestions".
   *
   * @param userId Snowflake of the other user.
   * @param applicationId Snowflake of the game's application.
   */
  createForApplication(
    userId: string,
    applicationId: string,
    params?: CreateGameRelationshipForApplicationParams,
    options?: RequestOptions,
  ): ApiPromise<undefined> {
    const row = contract.gameRelationships.createForApplication
    return this.#transport.send(row, [userId, applicationId], params, options)
  }

  /**
   * Ends a game relationship. Interface, "K. Game relationships and suggestions".
   *
   * @param userId Snowflake of the other user.
   */
  delete(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.gameRelationships.delete, [userId], undefined, options)
  }

  /**
   * Ends a game relationship on one application. Interface, "K. Game relationships and suggestions".
   *
   * @param userId Snowflake of the other user.
   * @param applicationId Snowflake of the game's application.
   */
  deleteForApplication(userId: string, applicationId: string, options?: RequestOptions): ApiPromise<undefined> {
    const row = contract.gameRelationships.deleteForApplication
    return this.#transport.send(row, [userId, applicationId], undefined, options)
  }
}
