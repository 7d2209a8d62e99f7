import * as components from 'rapport-sdk/components'
import { expect, test } from 'vitest'

// Interface, "Content Inventory Entry (type 16)".
const NUMBERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ContentInventoryAuthorType: { AUTHOR_TYPE_UNSPECIFIED: 0, USER: 1 },
  ContentInventoryContentType: {
    CONTENT_TYPE_UNSPECIFIED: 0,
    PLAYED_GAME: 1,
    WATCHED_MEDIA: 2,
    TOP_GAME: 3,
    LISTENED_MEDIA: 4,
    LISTENED_SESSION: 5,
    TOP_ARTIST: 6,
    CUSTOM_STATUS: 7,
    LAUNCHED_ACTIVITY: 8,
    LEADERBOARD: 9,
  },
  ContentInventoryTraitType: {
    TRAIT_TYPE_UNSPECIFIED: 0,
    FIRST_TIME: 1,
    DURATION_SECONDS: 2,
    IS_LIVE: 3,
    AGGREGATE_RANGE: 4,
    RESURRECTED: 5,
    MARATHON: 6,
    NEW_RELEASE: 7,
    STREAK_DAYS: 8,
    TRENDING_CONTENT: 9,
    TOP_ITEM_TOTAL_COUNT: 10,
    TOP_PARENT_ITEM_TOTAL_COUNT: 11,
    AGGREGATE_COUNT: 12,
  },
  ContentInventoryAggregateRange: { AGGREGATE_RANGE_UNSPECIFIED: 0, WEEK: 1 },
  ContentInventoryTrendingType: { TRENDING_TYPE_UNSPECIFIED: 0, GLOBAL: 1 },
  ContentInventoryMediaType: { TOP_ARTIST: 0, TRACK: 1 },
  ContentInventoryPlatform: {
    DESKTOP: 0,
    CONSOLE_A: 1,
    CONSOLE_B: 2,
    MOBILE_A: 3,
    MOBILE_B: 4,
    CONSOLE_C: 5,
    DESKTOP_OS_A: 6,
    DESKTOP_OS_B: 7,
  },
}
const METADATA =
  'played_game_extra listened_session_extra listened_media_extra top_artist_extra watched_media_extra launched_activity_extra'

const exported: Readonly<Record<string, unknown>> = { ...components }

test.each(Object.entries(NUMBERS))('%s has the names and values of the document', (name, values) => {
  expect(exported[name]).toEqual(values)
})

test('the kinds of metadata are those of the document', () => {
  const values = METADATA.split(' ')
  expect(exported.ContentInventoryMetadataType).toEqual(Object.fromEntries(values.map((value) => [value, value])))
})

test('a provider is unspecified or a music provider, whose name carries a brand', () => {
  expect(Object.values(Object(exported.ContentInventoryProvider))).toEqual([0, 1])
  expect(Object(exported.ContentInventoryProvider).PROVIDER_UNSPECIFIED).toBe(0)
})
