import type { ValueOf } from '../../contract/schema'

/** Whom a content inventory entry is for. Interface, "Content Inventory Entry". */
export const ContentInventoryAuthorType = { AUTHOR_TYPE_UNSPECIFIED: 0, USER: 1 } as const
/** One of {@link ContentInventoryAuthorType}. */
export type ContentInventoryAuthorType = ValueOf<typeof ContentInventoryAuthorType>

/**
 * What a content inventory entry is about; `TOP_GAME` and `TOP_ARTIST` are the top ones in the guild.
 * Interface, "Content Inventory Entry".
 */
export const ContentInventoryContentType = {
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
} as const
/** One of {@link ContentInventoryContentType}. */
export type ContentInventoryContentType = ValueOf<typeof ContentInventoryContentType>

/** What a trait tells of a content inventory entry. Interface, "Content Inventory Entry". */
export const ContentInventoryTraitType = {
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
} as const
/** One of {@link ContentInventoryTraitType}. */
export type ContentInventoryTraitType = ValueOf<typeof ContentInventoryTraitType>

/** The time that an aggregate is over; `WEEK` is the last 7 days. Interface, "Content Inventory Entry". */
export const ContentInventoryAggregateRange = { AGGREGATE_RANGE_UNSPECIFIED: 0, WEEK: 1 } as const
/** One of {@link ContentInventoryAggregateRange}. */
export type ContentInventoryAggregateRange = ValueOf<typeof ContentInventoryAggregateRange>

/** Where content is trending. Interface, "Content Inventory Entry". */
export const ContentInventoryTrendingType = { TRENDING_TYPE_UNSPECIFIED: 0, GLOBAL: 1 } as const
/** One of {@link ContentInventoryTrendingType}. */
export type ContentInventoryTrendingType = ValueOf<typeof ContentInventoryTrendingType>

/** What the metadata of a content inventory entry are of. Interface, "Content Inventory Entry". */
export const ContentInventoryMetadataType = {
  played_game_extra: 'played_game_extra',
  listened_session_extra: 'listened_session_extra',
  listened_media_extra: 'listened_media_extra',
  top_artist_extra: 'top_artist_extra',
  watched_media_extra: 'watched_media_extra',
  launched_activity_extra: 'launched_activity_extra',
} as const
/** One of {@link ContentInventoryMetadataType}. */
export type ContentInventoryMetadataType = ValueOf<typeof ContentInventoryMetadataType>

/**
 * Who provides what was listened to. The name of value 1 carries a brand and is written so in the document.
 * Interface, "Content Inventory Entry".
 */
export const ContentInventoryProvider = { PROVIDER_UNSPECIFIED: 0, MUSIC_PROVIDER: 1 } as const
/** One of {@link ContentInventoryProvider}. */
export type ContentInventoryProvider = ValueOf<typeof ContentInventoryProvider>

/** What was listened to. Interface, "Content Inventory Entry". */
export const ContentInventoryMediaType = { TOP_ARTIST: 0, TRACK: 1 } as const
/** One of {@link ContentInventoryMediaType}. */
export type ContentInventoryMediaType = ValueOf<typeof ContentInventoryMediaType>

/**
 * What a game was played on. The names of values 1–7 carry brands and are written so in the document.
 * Interface, "Content Inventory Entry".
 */
export const ContentInventoryPlatform = {
  DESKTOP: 0,
  CONSOLE_A: 1,
  CONSOLE_B: 2,
  MOBILE_A: 3,
  MOBILE_B: 4,
  CONSOLE_C: 5,
  DESKTOP_OS_A: 6,
  DESKTOP_OS_B: 7,
} as const
/** One of {@link ContentInventoryPlatform}. */
export type ContentInventoryPlatform = ValueOf<typeof ContentInventoryPlatform>
