// What a server has loaded for the first render of a page.
import type { GameRelationship } from '../contract/game-relationships'
import type { FriendSuggestion, Relationship } from '../contract/relationships'
import type { Immutable } from '../contract/schema'

/** Lists that a server has loaded. */
export interface InitialLists {
  /** The relationships. */
  readonly relationships?: readonly Immutable<Relationship>[] | undefined
  /** The relationships in games. */
  readonly gameRelationships?: readonly Immutable<GameRelationship>[] | undefined
  /** The friend suggestions. */
  readonly friendSuggestions?: readonly Immutable<FriendSuggestion>[] | undefined
}

/** State of a client on a server, which `dehydrate` of `rapport-sdk/server` returns: plain JSON without a secret. */
export interface InitialState {
  /** The session: `user` has only its `id`, and is `null` if nobody is signed in or the user is unknown. */
  readonly session: { readonly status: 'signedIn' | 'signedOut'; readonly user: { readonly id: string } | null }
  /** Time before the lists were requested, in milliseconds since 1970. */
  readonly time: number
  /** The lists; empty if `session.user` is `null`. */
  readonly live: InitialLists
}

/** Options of the methods that open a live store. */
export interface LiveOptions {
  /**
   * State that a server has loaded: the store is `ready` at once, and sends no request before the gateway's Ready if the
   * list is less than 60 seconds old; an older one is shown and loaded again. The list of another user, or of a session
   * whose user is unknown, and a damaged one are dropped. A store that is loaded ignores it.
   */
  readonly initial?: InitialState | null | undefined
}
