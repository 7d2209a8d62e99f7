import type { Open } from 'rapport-sdk'
import type { ContentInventoryEntry, ContentInventoryMetadata, ContentInventoryTrait } from 'rapport-sdk/components'
import { expectTypeOf, test } from 'vitest'

// API, "Content Inventory Entry (type 16)".
test('the enumerations of received content have the values of the API', () => {
  expectTypeOf<ContentInventoryEntry['author_type']>().toEqualTypeOf<Open<0 | 1>>()
  expectTypeOf<ContentInventoryEntry['content_type']>().toEqualTypeOf<Open<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9>>()
  expectTypeOf<ContentInventoryTrait['type']>().toEqualTypeOf<
    Open<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12>
  >()
  expectTypeOf<Required<ContentInventoryTrait>['range']>().toEqualTypeOf<Open<0 | 1>>()
  expectTypeOf<Required<ContentInventoryTrait>['trending']>().toEqualTypeOf<Open<0 | 1>>()
  expectTypeOf<Required<ContentInventoryMetadata>['provider']>().toEqualTypeOf<Open<0 | 1>>()
  expectTypeOf<Required<ContentInventoryMetadata>['media_type']>().toEqualTypeOf<Open<0 | 1>>()
  expectTypeOf<Required<ContentInventoryMetadata>['platform']>().toEqualTypeOf<Open<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7>>()
  expectTypeOf<ContentInventoryMetadata['type']>().toEqualTypeOf<
    Open<
      | 'played_game_extra'
      | 'listened_session_extra'
      | 'listened_media_extra'
      | 'top_artist_extra'
      | 'watched_media_extra'
      | 'launched_activity_extra'
    >
  >()
})
