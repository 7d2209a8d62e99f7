import { contract } from '../contract'
import type { FriendSuggestion } from '../contract/friend-suggestions'
import { bindMembers } from '../internal/bind-members'
import type { LiveStores } from '../live/stores'
import { type FriendSuggestionStore, friendSuggestions } from '../live/stores'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** People the current user may know. Interface, "K. Game relationships and suggestions". */
export class FriendSuggestions {
  readonly #transport: Transport
  readonly #openStore: () => FriendSuggestionStore

  /** @internal */
  constructor(transport: Transport, stores: LiveStores) {
    this.#transport = transport
    this.#openStore = stores.opener(friendSuggestions, (options) => this.list(options))
    bindMembers(this)
  }

  /** Who is suggested, and why. Interface, "K. Game relationships and suggestions". */
  list(options?: RequestOptions): ApiPromise<FriendSuggestion[]> {
    return this.#transport.send(contract.friendSuggestions.list, [], undefined, options)
  }

  /**
   * {@link FriendSuggestions.list}, from which the gateway's events take suggestions away until it is closed; see
   * {@link FriendSuggestionStore}. No event tells of a new one: those come with `refresh`. It does not connect the
   * gateway, and is `stale` until that is done. Interface, "Friend Suggestion" and "Events".
   *
   * @returns A store whose keys are the IDs of the suggested users, and whose types are those of their reasons.
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
   * const suggestions = client.friendSuggestions.live()
   * await suggestions.ready
   * setInterval(() => suggestions.refresh(), 3_600_000)
   */
  live(): FriendSuggestionStore {
    return this.#openStore()
  }

  /**
   * Takes a suggestion away. Interface, "K. Game relationships and suggestions".
   *
   * @param userId Snowflake of the suggested user.
   */
  delete(userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.friendSuggestions.delete, [userId], undefined, options)
  }
}
