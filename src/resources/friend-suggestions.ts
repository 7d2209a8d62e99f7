import { type FriendSuggestion, friendSuggestions } from '../contract/relationships'
import { bindMembers } from '../internal/bind-members'
import type { LiveOptions } from '../live/initial'
import type { FriendSuggestionStore, Live } from '../live/stores'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Suggestions of users whom the current user may know. API, "K. Game relationships and suggestions". */
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

  /**
   * Removes a suggestion. API, "K. Game relationships and suggestions".
   *
   * @param userId Snowflake of the suggested user.
   */
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
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({
   *   baseUrl: 'https://service.example',
   *   token: 'a token',
   *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
   * })
   * const suggestions = client.friendSuggestions.live()
   * await suggestions.ready
   * setInterval(() => suggestions.refresh(), 3_600_000)
   */
  live(options?: LiveOptions): FriendSuggestionStore {
    return this.#live().friendSuggestions(options)
  }
}
