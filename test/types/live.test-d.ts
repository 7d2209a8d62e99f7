import type {
  Client,
  FriendSuggestion,
  FriendSuggestionStore,
  GameRelationship,
  GameRelationshipKey,
  GameRelationshipStore,
  Immutable,
  LiveChange,
  Relationship,
  RelationshipStore,
} from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'

type StoreOf<R extends 'relationships' | 'gameRelationships' | 'friendSuggestions'> = ReturnType<Client[R]['live']>

describe('a live store', () => {
  test('each live store has an exported type', () => {
    expectTypeOf<StoreOf<'relationships'>>().toEqualTypeOf<RelationshipStore>()
    expectTypeOf<StoreOf<'gameRelationships'>>().toEqualTypeOf<GameRelationshipStore>()
    expectTypeOf<StoreOf<'friendSuggestions'>>().toEqualTypeOf<FriendSuggestionStore>()
  })

  test('gets an item by the key of its items', () => {
    expectTypeOf<StoreOf<'relationships'>['get']>().parameters.toEqualTypeOf<[string]>()
    expectTypeOf<StoreOf<'gameRelationships'>['get']>().parameters.toEqualTypeOf<[GameRelationshipKey]>()
    expectTypeOf<StoreOf<'friendSuggestions'>['get']>().parameters.toEqualTypeOf<[string]>()
    // A game relationship is a valid key.
    expectTypeOf<Immutable<GameRelationship>>().toExtend<GameRelationshipKey>()
  })

  test('has items that are deeply read-only', () => {
    type Item = NonNullable<ReturnType<StoreOf<'relationships'>['get']>>
    const item = {} as Item
    // @ts-expect-error: read-only
    item.nickname = 'Ada'
    // @ts-expect-error: read-only, at any depth
    item.user.id = '7'
    const suggestion = {} as Immutable<FriendSuggestion>
    // @ts-expect-error: read-only, including arrays
    suggestion.reasons.push({ type: 1, platform: '', name: '' })
    expectTypeOf<Item['type']>().toEqualTypeOf<Relationship['type']>()
    expectTypeOf<Item['nickname']>().toEqualTypeOf<string | null>()
  })

  test('has items that can be used as items of list()', () => {
    expectTypeOf<Immutable<Relationship>>().toExtend<Relationship>()
    expectTypeOf<Immutable<GameRelationship>>().toExtend<GameRelationship>()
  })

  test('can be passed to useSyncExternalStore', () => {
    type UseSyncExternalStore = <S>(subscribe: (changed: () => void) => () => void, get: () => S, server?: () => S) => S
    const use: UseSyncExternalStore = (_, get) => get()
    const { subscribe, getSnapshot } = {} as StoreOf<'relationships'>
    expectTypeOf(use(subscribe, getSnapshot, getSnapshot)).toEqualTypeOf<readonly Immutable<Relationship>[]>()
  })

  test('passes typed changes to its listeners', () => {
    type Listener = Parameters<StoreOf<'relationships'>['on']>[1]
    expectTypeOf<Parameters<Listener>>().toEqualTypeOf<[LiveChange<Immutable<Relationship>>]>()
    expectTypeOf<Parameters<StoreOf<'relationships'>['on']>[0]>().toEqualTypeOf<'change'>()
  })
})
