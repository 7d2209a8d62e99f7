// The kinds of live stores.

import { type GameRelationship, type GameRelationshipType, listGameRelationships } from '../contract/game-relationships'
import type { RelationshipUpdateEvent } from '../contract/gateway-events'
import {
  type FriendSuggestion,
  type FriendSuggestionReasonType,
  listFriendSuggestions,
  listRelationships,
  type Relationship,
  RelationshipType,
} from '../contract/relationships'
import type { Immutable, Open } from '../contract/schema'
import { GatewayError } from '../errors/client-errors'
import { Queue } from '../internal/emitter'
import { deepFreeze, isDeepEqual } from '../internal/json'
import type { Transport } from '../transport/transport'
import type { Change, LiveOptions, StoreDefinition } from './collection'
import { type LiveStore, Store } from './live-store'
import { type Load, SharedStore, type StoreContext } from './shared-store'

/**
 * Store that `client.relationships.live` returns: the user's relationships, by the ID of the other user, filtered by
 * relationship type. API, "Relationship" and "Events".
 */
export interface RelationshipStore extends LiveStore<Immutable<Relationship>, string, Open<RelationshipType>> {}

/** Fields that are never `null` in a relationship: `null` in an event removes them. */
const OPTIONAL_FIELDS: readonly string[] = ['is_spam_request', 'stranger_request', 'since', 'has_played_game', 'note']

/** Defines a {@link RelationshipStore}. */
export const relationshipStore: StoreDefinition<Immutable<Relationship>, string, Open<RelationshipType>> = {
  name: 'client.relationships.live',
  itemsOf: ({ relationships }) => relationships,
  initialItems: ({ relationships }) => relationships,
  keyOf: ({ id }) => id,
  keyFor: (id) => id,
  isOfType: (relationship, type) => relationship.type === type,
  events(register) {
    register('relationshipAdd', (added) => put(added.id, deepFreeze(added)))
    register('relationshipUpdate', (partial) =>
      patch(partial.id, (before) => merge(before ?? createPlaceholder(partial.id), partial)),
    )
    register('relationshipRemove', ({ id }) => remove(id))
  },
}

/** Creates a placeholder for a relationship of which only the ID is known. */
function createPlaceholder(id: string): Immutable<Relationship> {
  return Object.freeze({
    id,
    type: RelationshipType.NONE,
    user: Object.freeze({ id }),
    nickname: null,
    user_ignored: false,
  })
}

/**
 * Applies a Relationship Update: absent fields stay, `null` clears a field. Partial events are a convention. Returns the same
 * object if nothing changes.
 */
function merge(before: Immutable<Relationship>, partial: RelationshipUpdateEvent): Immutable<Relationship> {
  let after: (Immutable<Relationship> & Record<string, unknown>) | undefined
  for (const name of Object.keys(partial)) {
    const value = partial[name]
    const old: unknown = Reflect.get(before, name)
    // A custom protocol may parse JSON with a `__proto__` key, whose assignment would set the prototype.
    if (value === old || value === undefined || name === '__proto__') continue
    const removes = value === null && OPTIONAL_FIELDS.includes(name)
    if (removes ? !(name in before) : isDeepEqual(old, value)) continue
    after ??= { ...before }
    if (removes) delete after[name]
    else after[name] = deepFreeze(value)
  }
  return after === undefined ? before : Object.freeze(after)
}

/** Key of a game relationship, because two users may be friends in several games. You can also pass the relationship itself. */
export interface GameRelationshipKey {
  /** ID of the game's application. */
  readonly application_id: string
  /** ID of the other user. */
  readonly id: string
}

/**
 * Store that `client.gameRelationships.live` returns: the user's relationships in games, by the IDs of application and user,
 * filtered by relationship type. API, "Game Relationship" and "Events".
 */
export interface GameRelationshipStore
  extends LiveStore<Immutable<GameRelationship>, GameRelationshipKey, Open<GameRelationshipType>> {}

// JSON, because each pair of strings has a different one.
const keyOf = ({ application_id, id }: GameRelationshipKey) => JSON.stringify([application_id, id])

/** Defines a {@link GameRelationshipStore}. */
export const gameRelationshipStore: StoreDefinition<
  Immutable<GameRelationship>,
  GameRelationshipKey,
  Open<GameRelationshipType>
> = {
  name: 'client.gameRelationships.live',
  itemsOf: ({ game_relationships }) => game_relationships,
  initialItems: ({ gameRelationships }) => gameRelationships,
  keyOf,
  keyFor: keyOf,
  isOfType: (relationship, type) => relationship.type === type,
  events(register) {
    register('gameRelationshipAdd', (added) => put(keyOf(added), deepFreeze(added)))
    register('gameRelationshipRemove', (removed) => remove(keyOf(removed)))
  },
}

/**
 * Store that `client.friendSuggestions.live` returns: suggested users, by their ID, filtered by the type of a reason. The
 * service sends no event for a new suggestion: it appears with the next load. API, "Friend Suggestion" and "Events".
 */
export interface FriendSuggestionStore
  extends LiveStore<Immutable<FriendSuggestion>, string, Open<FriendSuggestionReasonType>> {}

/** Defines a {@link FriendSuggestionStore}. */
export const friendSuggestionStore: StoreDefinition<
  Immutable<FriendSuggestion>,
  string,
  Open<FriendSuggestionReasonType>
> = {
  name: 'client.friendSuggestions.live',
  initialItems: ({ friendSuggestions }) => friendSuggestions,
  keyOf: ({ suggested_user }) => suggested_user.id,
  keyFor: (userId) => userId,
  isOfType: ({ reasons }, type) => reasons.some((reason) => reason.type === type),
  events(register) {
    register('friendSuggestionDelete', ({ suggested_user_id }) => remove(suggested_user_id))
  },
}

/** Adds or replaces an item. */
function put<Item>(key: string, item: Item): Change<Item> {
  return { key, isPartial: false, apply: () => item }
}

/** Removes an item, if it exists. */
function remove<Item>(key: string): Change<Item> {
  return { key, isPartial: false, apply: () => undefined }
}

/** Changes some fields of an item. */
function patch<Item>(key: string, apply: (before: Item | undefined) => Item): Change<Item> {
  return { key, isPartial: true, apply }
}

/** Members of a shared store that do not depend on the type of its items. */
type OpenStore = Pick<SharedStore<unknown, unknown, unknown>, 'syncSession' | 'close' | 'name' | 'status' | 'stale'>

/** Opens the live stores of a client. */
export class Live {
  readonly relationships: (options?: LiveOptions) => RelationshipStore
  readonly gameRelationships: (options?: LiveOptions) => GameRelationshipStore
  readonly friendSuggestions: (options?: LiveOptions) => FriendSuggestionStore
  readonly #transport: Transport
  readonly #context: StoreContext
  readonly #open = new Set<OpenStore>()
  #isDisposed = false

  /** @internal */
  constructor(transport: Transport, context: Omit<StoreContext, 'queue'>) {
    const queue = new Queue()
    this.#transport = transport
    this.#context = { ...context, queue }
    context.session.follow('stores', () => {
      queue.run(() => {
        // Empty all stores first: a request that is aborted may have a listener that reads any of them.
        for (const load of [...this.#open].map((store) => store.syncSession())) load()
      })
    })
    this.relationships = this.#createOpener(relationshipStore, (options) => transport.send(listRelationships, options))
    this.gameRelationships = this.#createOpener(gameRelationshipStore, (options) =>
      transport.send(listGameRelationships, options),
    )
    this.friendSuggestions = this.#createOpener(friendSuggestionStore, (options) =>
      transport.send(listFriendSuggestions, options),
    )
  }

  /** @internal State of the open stores. */
  get states() {
    return Array.from(this.#open, ({ name, status, stale }) => ({ name, status, stale }))
  }

  dispose(): void {
    this.#isDisposed = true
    for (const store of [...this.#open]) store.close('the client was disposed')
  }

  /**
   * Returns a function that opens stores of one kind, which share their requests. It throws GatewayError if the client has no
   * `gateway` option or was disposed.
   */
  #createOpener<Item, Key, Type>(
    definition: StoreDefinition<Item, Key, Type>,
    load: Load<Item>,
  ): (options?: LiveOptions) => LiveStore<Item, Key, Type> {
    let shared: SharedStore<Item, Key, Type> | undefined
    return (options) => {
      const { name } = definition
      if (this.#isDisposed) throw new GatewayError('disconnected', `${name}: the client was disposed.`)
      if (!this.#context.gateway.isConfigured) {
        const advice = 'pass the option `gateway: { url }` to the client, or use `list`.'
        throw new GatewayError('not_configured', `${name} needs events: ${advice}`)
      }
      if (shared === undefined) {
        const { followers } = this.#transport.events
        const followed: Load<Item> = (options) =>
          followers.instrumentation?.load(name, () => load(options)) ?? load(options)
        const onClose = () => {
          this.#open.delete(opened)
          if (shared === opened) shared = undefined
        }
        const opened = new SharedStore(definition, this.#context, followed, onClose, options)
        this.#open.add(opened)
        shared = opened
      } else shared.adopt(shared.read(options?.initial))
      return new Store(shared)
    }
  }
}
