import type { FriendSuggestion, FriendSuggestionReasonType } from '../contract/friend-suggestions'
import type { GameRelationship, GameRelationshipType } from '../contract/game-relationships'
import type { RelationshipUpdateEvent } from '../contract/gateway-events'
import { type Relationship, RelationshipType } from '../contract/relationships'
import type { Immutable, Open } from '../contract/schema'
import { GatewayError } from '../errors/client-errors'
import type { Gateway } from '../gateway/gateway'
import { deepFreeze, isDeepEqual } from '../internal/json'
import type { SessionManager } from '../session/session'
import type { Change, StoreDefinition } from './collection'
import { type LiveStore, Store } from './live-store'
import { type Load, NotificationQueue, SharedStore, type StoreContext } from './shared-store'

/** The part of a store that does not depend on its items. */
type OpenStore = Pick<SharedStore<unknown, unknown, unknown>, 'followSession' | 'end'>

/** The open stores of one client. */
export class LiveStores {
  readonly #context: StoreContext
  readonly #isConfigured: boolean
  readonly #open = new Set<OpenStore>()
  #isDisposed = false

  constructor(gateway: Gateway, isConfigured: boolean, session: SessionManager, report: (error: unknown) => void) {
    const queue = new NotificationQueue()
    this.#context = { gateway, session, report, queue }
    this.#isConfigured = isConfigured
    session.onChange(() => {
      queue.run(() => {
        for (const store of [...this.#open]) store.followSession()
      })
    })
  }

  /**
   * Returns a function that opens stores of one kind, which share one load. It throws `GatewayError` without a gateway
   * and once the client is disposed.
   */
  opener<Item, Key, Type>(
    definition: StoreDefinition<Item, Key, Type>,
    load: Load<Item>,
  ): () => LiveStore<Item, Key, Type> {
    let shared: SharedStore<Item, Key, Type> | undefined
    return () => {
      if (this.#isDisposed) throw new GatewayError('disconnected', `${definition.name}: the client was disposed.`)
      if (!this.#isConfigured) {
        const advice = 'give the client the option `gateway: { url }`, or use `list`.'
        throw new GatewayError('not_configured', `${definition.name} needs events: ${advice}`)
      }
      if (shared === undefined) {
        const opened = new SharedStore(definition, this.#context, load, () => {
          this.#open.delete(opened)
          shared = undefined
        })
        this.#open.add(opened)
        shared = opened
      }
      return new Store(shared)
    }
  }

  dispose(): void {
    this.#isDisposed = true
    for (const store of [...this.#open]) store.end('the client was disposed')
  }
}

/**
 * What `client.relationships.live` gives: the user's relationships, by the ID of the other, filtered by what the two are to
 * each other. Interface, "Relationship" and "Events".
 */
export interface RelationshipStore extends LiveStore<Immutable<Relationship>, string, Open<RelationshipType>> {}

/** Fields that are left out rather than `null`: in an event `null` removes them. */
const OPTIONAL: readonly string[] = ['is_spam_request', 'stranger_request', 'since', 'has_played_game', 'note']

/** Defines a {@link RelationshipStore}. */
export const relationships: StoreDefinition<Immutable<Relationship>, string, Open<RelationshipType>> = {
  name: 'client.relationships.live',
  keyOf: ({ id }) => id,
  keyFor: (id) => id,
  isOfType: (relationship, type) => relationship.type === type,
  events(register) {
    register('relationshipAdd', (added) => put(added.id, deepFreeze(added)))
    register('relationshipUpdate', (partial) =>
      patch(partial.id, (before) => merge(before ?? placeholder(partial.id), partial)),
    )
    register('relationshipRemove', ({ id }) => drop(id))
  },
}

/** Stands for a relationship of which only the ID is known. */
function placeholder(id: string): Immutable<Relationship> {
  return Object.freeze({
    id,
    type: RelationshipType.NONE,
    user: Object.freeze({ id }),
    nickname: null,
    user_ignored: false,
  })
}

/**
 * Applies an Update: an absent field stays, `null` clears. That events may be partial is a convention. Without a change it
 * returns the same object.
 */
function merge(before: Immutable<Relationship>, partial: RelationshipUpdateEvent): Immutable<Relationship> {
  let after: (Immutable<Relationship> & Record<string, unknown>) | undefined
  for (const name in partial) {
    const value = partial[name]
    const old: unknown = Reflect.get(before, name)
    // Of a protocol of one's own that parses JSON as it is: the assignment would set the prototype.
    if (value === old || value === undefined || name === '__proto__') continue
    const removes = value === null && OPTIONAL.includes(name)
    if (removes ? !(name in before) : isDeepEqual(old, value)) continue
    after ??= { ...before }
    if (removes) delete after[name]
    else after[name] = deepFreeze(value)
  }
  return after === undefined ? before : Object.freeze(after)
}

/** Names a game relationship: two users may be friends in several games. A game relationship is one itself. */
export interface GameRelationshipKey {
  /** ID of the game's application. */
  readonly application_id: string
  /** ID of the other user. */
  readonly id: string
}

/**
 * What `client.gameRelationships.live` gives: the user's relationships in games, by the IDs of application and user, filtered
 * by what the two are to each other there. Interface, "Game Relationship" and "Events".
 */
export interface GameRelationshipStore
  extends LiveStore<Immutable<GameRelationship>, GameRelationshipKey, Open<GameRelationshipType>> {}

// As JSON, since no two pairs of strings give the same one.
const keyOf = ({ application_id, id }: GameRelationshipKey) => JSON.stringify([application_id, id])

/** Defines a {@link GameRelationshipStore}. */
export const gameRelationships: StoreDefinition<
  Immutable<GameRelationship>,
  GameRelationshipKey,
  Open<GameRelationshipType>
> = {
  name: 'client.gameRelationships.live',
  keyOf,
  keyFor: keyOf,
  isOfType: (relationship, type) => relationship.type === type,
  events(register) {
    register('gameRelationshipAdd', (added) => put(keyOf(added), deepFreeze(added)))
    register('gameRelationshipRemove', (removed) => drop(keyOf(removed)))
  },
}

/**
 * What `client.friendSuggestions.live` gives: whom the user may know, by their ID, filtered by the type of a reason. There is
 * no event for a suggestion that comes: those are seen when it is loaded. Interface, "Friend Suggestion" and "Events".
 */
export interface FriendSuggestionStore
  extends LiveStore<Immutable<FriendSuggestion>, string, Open<FriendSuggestionReasonType>> {}

/** Defines a {@link FriendSuggestionStore}. */
export const friendSuggestions: StoreDefinition<
  Immutable<FriendSuggestion>,
  string,
  Open<FriendSuggestionReasonType>
> = {
  name: 'client.friendSuggestions.live',
  missesAdditions: true,
  keyOf: ({ suggested_user }) => suggested_user.id,
  keyFor: (userId) => userId,
  isOfType: ({ reasons }, type) => reasons.some((reason) => reason.type === type),
  events(register) {
    register('friendSuggestionDelete', ({ suggested_user_id }) => drop(suggested_user_id))
  },
}

/** Adds or replaces an item. */
export function put<Item>(key: string, item: Item): Change<Item> {
  return { key, isPartial: false, apply: () => item }
}

/** Removes an item if there is one. */
export function drop<Item>(key: string): Change<Item> {
  return { key, isPartial: false, apply: () => undefined }
}

/** Changes some fields of an item. */
export function patch<Item>(key: string, apply: (before: Item | undefined) => Item): Change<Item> {
  return { key, isPartial: true, apply }
}
