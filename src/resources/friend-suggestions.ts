import type { ApiPromise } from '../api-promise'
import { contract } from '../contract'
import type { FriendSuggestion } from '../contract/friend-suggestions'
import type { RequestOptions } from '../options'
import type { Transport } from '../transport/transport'

/** People the current user may know. Interface, "K. Game relationships and suggestions". */
export class FriendSuggestions {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Who is suggested, and why. Interface, "K. Game relationships and suggestions". */
  list(options?: RequestOptions): ApiPromise<FriendSuggestion[]> {
    return this.#transport.send(contract.friendSuggestions.list, [], undefined, options)
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
