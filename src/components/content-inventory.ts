import type { Open, ValueOf } from '../contract/schema'
import type { ComponentFields } from './base'

/** Something that holds for an entry; it has the one field that belongs to its type. Interface, "Content Inventory Entry". */
export interface ContentInventoryTrait {
  /** What it tells. */
  readonly type: Open<ContentInventoryTraitType>
  /** Of FIRST_TIME. */
  readonly first_time?: boolean
  /** Of DURATION_SECONDS. */
  readonly duration_seconds?: number
  /** Of IS_LIVE. */
  readonly is_live?: boolean
  /** Of AGGREGATE_RANGE. */
  readonly range?: Open<ContentInventoryAggregateRange>
  /** Of RESURRECTED: when it was last played, as an ISO 8601 date-time. */
  readonly resurrected_last_played?: string
  /** Of MARATHON. */
  readonly marathon?: boolean
  /** Of STREAK_DAYS. */
  readonly streak_count_days?: number
  /** Of TRENDING_CONTENT. */
  readonly trending?: Open<ContentInventoryTrendingType>
  /** Of TOP_ITEM_TOTAL_COUNT, TOP_PARENT_ITEM_TOTAL_COUNT and AGGREGATE_COUNT. */
  readonly count?: number
}

/** What validates an entry. Interface, "Content Inventory Entry". */
export interface ContentInventorySignature {
  /** SHA256 hash of the entry. */
  readonly signature: string
  /** ID of the key. */
  readonly kid: string
  /** Version of the signature, currently 1. */
  readonly version: number
}

/** What a user has played, watched or listened to. Interface, "Content Inventory Entry". */
export interface ContentInventoryEntry {
  /** A snowflake in a guild, a string of digits in a direct message. */
  readonly id: string
  /** The user that the entry is for. */
  readonly author_id: string
  /** Whom it is for. */
  readonly author_type: Open<ContentInventoryAuthorType>
  /** What it is about. */
  readonly content_type: Open<ContentInventoryContentType>
  /** Streak, marathon, time and similar. */
  readonly traits: readonly ContentInventoryTrait[]
  /** Game, song and similar. */
  readonly extra: ContentInventoryMetadata
  /** Users involved. */
  readonly participants?: readonly string[]
  /** When it ends to be shown, as an ISO 8601 date-time. */
  readonly expires_at?: string
  /** When it ended, as an ISO 8601 date-time. */
  readonly ended_at?: string
  /** When it started, as an ISO 8601 date-time. */
  readonly started_at?: string
  /** ID of the original entry. */
  readonly original_id?: string
  /** ID of the guild. */
  readonly guild_id?: string
  /** ID of the channel. */
  readonly channel_id?: string
  /** ID of the session. */
  readonly session_id?: string
  /** What validates it. */
  readonly signature: ContentInventorySignature
}

/** A component that shows a content inventory entry; it cannot be sent. Interface, "Content Inventory Entry". */
export interface ContentInventoryEntryComponent extends ComponentFields {
  /** CONTENT_INVENTORY_ENTRY. */
  readonly type: 16
  /** The entry. */
  readonly content_inventory_entry: ContentInventoryEntry
}

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

/** An artist. Interface, "Content Inventory Entry". */
export interface ContentInventoryArtist {
  /** ID with the provider. */
  readonly external_id: string
  /** Name of the artist. */
  readonly name: string
}

/** One part of the metadata. Interface, "Content Inventory Entry". */
export interface ContentInventoryMetadataEntry {
  /** What was listened to. */
  readonly media?: ContentInventoryMetadata
  /** The document shows neither meaning nor values. */
  readonly verification_state?: number
  /** How often a track was repeated. */
  readonly repeat_count?: number
}

/** What an entry is about; which fields there are depends on the type. Interface, "Content Inventory Entry". */
export interface ContentInventoryMetadata {
  /** What the fields are of. */
  readonly type: Open<ContentInventoryMetadataType>
  /** Name of the game that was played. */
  readonly game_name?: string
  /** What it was played on. */
  readonly platform?: Open<ContentInventoryPlatform>
  /** ID of the application. */
  readonly application_id?: string
  /** When it last changed, as an ISO 8601 date-time. */
  readonly last_update?: string
  /** Exactly one, in a component. */
  readonly entries?: readonly ContentInventoryMetadataEntry[]
  /** What was listened to. */
  readonly media?: ContentInventoryMetadata
  /** Who provides what was listened to. */
  readonly provider?: Open<ContentInventoryProvider>
  /** What was listened to: a track, or an artist. */
  readonly media_type?: Open<ContentInventoryMediaType>
  /** Title of the album, for a track. */
  readonly parent_title?: string
  /** Title of what was listened to. */
  readonly title?: string
  /** URL of a picture. */
  readonly image_url?: string
  /** The artists; empty for a top artist. */
  readonly artists?: readonly ContentInventoryArtist[]
  /** ID with the provider. */
  readonly external_id?: string
  /** ID of the album with the provider. */
  readonly external_parent_id?: string
  /** The top artist. */
  readonly artist?: ContentInventoryArtist
  /** Large picture of what was watched. */
  readonly media_assets_large_image?: string
  /** Text for the large picture. */
  readonly media_assets_large_text?: string
  /** Small picture of what was watched. */
  readonly media_assets_small_image?: string
  /** Text for the small picture. */
  readonly media_assets_small_text?: string
  /** Title of what was watched. */
  readonly media_title?: string
  /** Subtitle of what was watched. */
  readonly media_subtitle?: string
  /** URL of what was watched. */
  readonly url?: string
  /** Name of the activity that was launched. */
  readonly activity_name?: string
}

/** A server that a user was active in. Interface, "Checkpoint Card". */
export interface CheckpointGuild {
  /** ID of the guild. */
  readonly guild_id: string
  /** Name of the guild. */
  readonly guild_name: string
  /** Hash of the guild's icon. */
  readonly guild_icon?: string
}

/** The emoji that a user used most. Interface, "Checkpoint Card". */
export interface CheckpointEmoji {
  /** ID, where it is a custom emoji. */
  readonly emoji_id?: string
  /** Name of the emoji. */
  readonly emoji_name: string
}

/** The game that a user played most. Interface, "Checkpoint Card". */
export interface CheckpointGame {
  /** ID of the application. */
  readonly application_id: string
  /** Name of the application. */
  readonly application_name: string
  /** Hash of the application's icon. */
  readonly application_image_id?: string
}

/** A user's year. Interface, "Checkpoint Card". */
export interface CheckpointData {
  /** Version of the data. */
  readonly version: number
  /** Type of card; the document does not show the values. */
  readonly card_id: number
  /** How active the user was. */
  readonly power_level: number
  /** How active the user was among all users. */
  readonly power_level_percentile: number
  /** Messages sent during the year. */
  readonly num_messages_sent: number
  /** Minutes in voice channels during the year. */
  readonly total_voice_minutes: number
  /** Emoji sent during the year, in messages and reactions. */
  readonly num_emojis_sent: number
  /** The guild that the user was most active in. */
  readonly top_guild?: CheckpointGuild
  /** The emoji that the user used most. */
  readonly top_emoji?: CheckpointEmoji
  /** The game that the user played most. */
  readonly top_game?: CheckpointGame
}

/** A card about a user's year; it cannot be sent. Interface, "Checkpoint Card". */
export interface CheckpointCard extends ComponentFields {
  /** CHECKPOINT_CARD. */
  readonly type: 20
  /** The year. */
  readonly checkpoint_data: CheckpointData
}
