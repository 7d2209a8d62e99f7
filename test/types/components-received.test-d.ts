import type {
  ContentInventoryAggregateRange,
  ContentInventoryAuthorType,
  ContentInventoryContentType,
  ContentInventoryMediaType,
  ContentInventoryMetadataType,
  ContentInventoryPlatform,
  ContentInventoryProvider,
  ContentInventoryTraitType,
  ContentInventoryTrendingType,
} from 'rapport-sdk/components'
import { expectTypeOf, test } from 'vitest'

// API, "Content Inventory Entry (type 16)".
test('the enumerations of received content have the values of the API', () => {
  expectTypeOf<ContentInventoryAuthorType>().toEqualTypeOf<0 | 1>()
  expectTypeOf<ContentInventoryContentType>().toEqualTypeOf<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9>()
  expectTypeOf<ContentInventoryTraitType>().toEqualTypeOf<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12>()
  expectTypeOf<ContentInventoryAggregateRange>().toEqualTypeOf<0 | 1>()
  expectTypeOf<ContentInventoryTrendingType>().toEqualTypeOf<0 | 1>()
  expectTypeOf<ContentInventoryProvider>().toEqualTypeOf<0 | 1>()
  expectTypeOf<ContentInventoryMediaType>().toEqualTypeOf<0 | 1>()
  expectTypeOf<ContentInventoryPlatform>().toEqualTypeOf<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7>()
  expectTypeOf<ContentInventoryMetadataType>().toEqualTypeOf<
    | 'played_game_extra'
    | 'listened_session_extra'
    | 'listened_media_extra'
    | 'top_artist_extra'
    | 'watched_media_extra'
    | 'launched_activity_extra'
  >()
})
