import type { Open } from '../contract/schema'
import type { ComponentFields } from './base'

/** Trait of an entry. Only the field that belongs to its type is present. API, "Content Inventory Entry". */
export interface ContentInventoryTrait {
  /** Type of the trait. */
  readonly type: Open<ContentInventoryTraitType>
  /** Present on FIRST_TIME. */
  readonly first_time?: boolean
  /** Present on DURATION_SECONDS; in seconds. */
  readonly duration_seconds?: number
  /** Present on IS_LIVE. */
  readonly is_live?: boolean
  /** Present on AGGREGATE_RANGE. */
  readonly range?: Open<ContentInventoryAggregateRange>
  /** Present on RESURRECTED: time last played, an ISO 8601 date-time. */
  readonly resurrected_last_played?: string
  /** Present on MARATHON. */
  readonly marathon?: boolean
  /** Present on STREAK_DAYS; in days. */
  readonly streak_count_days?: number
  /** Present on TRENDING_CONTENT. */
  readonly trending?: Open<ContentInventoryTrendingType>
  /** Present on TOP_ITEM_TOTAL_COUNT, TOP_PARENT_ITEM_TOTAL_COUNT and AGGREGATE_COUNT. */
  readonly count?: number
}

/** Signature of an entry. API, "Content Inventory Entry". */
export interface ContentInventorySignature {
  /** SHA256 hash of the entry. */
  readonly signature: string
  /** ID of the key. */
  readonly kid: string
  /** Version of the signature, currently 1. */
  readonly version: number
}

/** Entry about content that a user played, watched or listened to. API, "Content Inventory Entry". */
export interface ContentInventoryEntry {
  /** Snowflake in a guild; string of digits in a direct message. */
  readonly id: string
  /** ID of the user that the entry is for. */
  readonly author_id: string
  /** Type of author. */
  readonly author_type: Open<ContentInventoryAuthorType>
  /** Type of content. */
  readonly content_type: Open<ContentInventoryContentType>
  /** Traits such as streak, marathon or time. */
  readonly traits: readonly ContentInventoryTrait[]
  /** Metadata of the content, such as the game or song. */
  readonly extra: ContentInventoryMetadata
  /** IDs of the users involved. */
  readonly participants?: readonly string[]
  /** Time when the entry expires, an ISO 8601 date-time. */
  readonly expires_at?: string
  /** Time when the activity ended, an ISO 8601 date-time. */
  readonly ended_at?: string
  /** Time when the activity started, an ISO 8601 date-time. */
  readonly started_at?: string
  /** ID of the original entry. */
  readonly original_id?: string
  /** ID of the guild. */
  readonly guild_id?: string
  /** ID of the channel. */
  readonly channel_id?: string
  /** ID of the session. */
  readonly session_id?: string
  /** Signature of the entry. */
  readonly signature: ContentInventorySignature
}

/** Component that shows a content inventory entry; received only. API, "Content Inventory Entry". */
export interface ContentInventoryEntryComponent extends ComponentFields<16> {
  /** Entry to show. */
  readonly content_inventory_entry: ContentInventoryEntry
}

/** Types of authors of an entry: AUTHOR_TYPE_UNSPECIFIED (0), USER (1). API, "Content Inventory Entry". */
export type ContentInventoryAuthorType = 0 | 1

/**
 * Types of content of a content inventory entry: CONTENT_TYPE_UNSPECIFIED (0), PLAYED_GAME (1), WATCHED_MEDIA (2),
 * TOP_GAME (3), LISTENED_MEDIA (4), LISTENED_SESSION (5), TOP_ARTIST (6), CUSTOM_STATUS (7), LAUNCHED_ACTIVITY (8),
 * LEADERBOARD (9). `TOP_GAME` and `TOP_ARTIST` are the top ones in the guild. API, "Content Inventory Entry".
 */
export type ContentInventoryContentType = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/**
 * Types of traits of a content inventory entry: TRAIT_TYPE_UNSPECIFIED (0), FIRST_TIME (1), DURATION_SECONDS (2),
 * IS_LIVE (3), AGGREGATE_RANGE (4), RESURRECTED (5), MARATHON (6), NEW_RELEASE (7), STREAK_DAYS (8),
 * TRENDING_CONTENT (9), TOP_ITEM_TOTAL_COUNT (10), TOP_PARENT_ITEM_TOTAL_COUNT (11), AGGREGATE_COUNT (12). API,
 * "Content Inventory Entry".
 */
export type ContentInventoryTraitType = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12

/** Time ranges: AGGREGATE_RANGE_UNSPECIFIED (0), WEEK (1), the last 7 days. API, "Content Inventory Entry". */
export type ContentInventoryAggregateRange = 0 | 1

/** Scopes in which content is trending: TRENDING_TYPE_UNSPECIFIED (0), GLOBAL (1). API, "Content Inventory Entry". */
export type ContentInventoryTrendingType = 0 | 1

/** Types of metadata of a content inventory entry. API, "Content Inventory Entry". */
export type ContentInventoryMetadataType =
  | 'played_game_extra'
  | 'listened_session_extra'
  | 'listened_media_extra'
  | 'top_artist_extra'
  | 'watched_media_extra'
  | 'launched_activity_extra'

/**
 * Providers of music: PROVIDER_UNSPECIFIED (0), MUSIC_PROVIDER (1). The name of value 1 contains a brand, as in the API
 * document. API, "Content Inventory Entry".
 */
export type ContentInventoryProvider = 0 | 1

/** Track or artist that was listened to: TOP_ARTIST (0), TRACK (1). API, "Content Inventory Entry". */
export type ContentInventoryMediaType = 0 | 1

/**
 * Platforms of games: DESKTOP (0), CONSOLE_A (1), CONSOLE_B (2), MOBILE_A (3), MOBILE_B (4), CONSOLE_C (5),
 * DESKTOP_OS_A (6), DESKTOP_OS_B (7). The names of values 1–7 contain brands, as in the API document. API, "Content
 * Inventory Entry".
 */
export type ContentInventoryPlatform = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/** Artist. API, "Content Inventory Entry". */
export interface ContentInventoryArtist {
  /** ID at the provider. */
  readonly external_id: string
  /** Name of the artist. */
  readonly name: string
}

/** Part of the metadata. API, "Content Inventory Entry". */
export interface ContentInventoryMetadataEntry {
  /** Track or artist that was listened to. */
  readonly media?: ContentInventoryMetadata
  /** Meaning and values are not shown in the API document. */
  readonly verification_state?: number
  /** Number of times that a track was repeated. */
  readonly repeat_count?: number
}

/** Metadata of an entry. The type determines which fields are present. API, "Content Inventory Entry". */
export interface ContentInventoryMetadata {
  /** Type of metadata. */
  readonly type: Open<ContentInventoryMetadataType>
  /** Name of the game that was played. */
  readonly game_name?: string
  /** Platform that the game was played on. */
  readonly platform?: Open<ContentInventoryPlatform>
  /** ID of the application. */
  readonly application_id?: string
  /** Time of the last change, an ISO 8601 date-time. */
  readonly last_update?: string
  /** Exactly one entry in a component. */
  readonly entries?: readonly ContentInventoryMetadataEntry[]
  /** Track or artist that was listened to. */
  readonly media?: ContentInventoryMetadata
  /** Provider of the music. */
  readonly provider?: Open<ContentInventoryProvider>
  /** Kind of media: track or artist. */
  readonly media_type?: Open<ContentInventoryMediaType>
  /** Title of the album, if it is a track. */
  readonly parent_title?: string
  /** Title of the track or artist. */
  readonly title?: string
  /** URL of a picture. */
  readonly image_url?: string
  /** Artists; empty for a top artist. */
  readonly artists?: readonly ContentInventoryArtist[]
  /** ID at the provider. */
  readonly external_id?: string
  /** ID of the album at the provider. */
  readonly external_parent_id?: string
  /** Top artist. */
  readonly artist?: ContentInventoryArtist
  /** Large picture of the watched media. */
  readonly media_assets_large_image?: string
  /** Text for the large picture. */
  readonly media_assets_large_text?: string
  /** Small picture of the watched media. */
  readonly media_assets_small_image?: string
  /** Text for the small picture. */
  readonly media_assets_small_text?: string
  /** Title of the watched media. */
  readonly media_title?: string
  /** Subtitle of the watched media. */
  readonly media_subtitle?: string
  /** URL of the watched media. */
  readonly url?: string
  /** Name of the activity that was launched. */
  readonly activity_name?: string
}

/** Guild that a user was active in. API, "Checkpoint Card". */
export interface CheckpointGuild {
  /** ID of the guild. */
  readonly guild_id: string
  /** Name of the guild. */
  readonly guild_name: string
  /** Hash of the guild's icon. */
  readonly guild_icon?: string
}

/** Emoji that a user used most. API, "Checkpoint Card". */
export interface CheckpointEmoji {
  /** ID, if it is a custom emoji. */
  readonly emoji_id?: string
  /** Name of the emoji. */
  readonly emoji_name: string
}

/** Game that a user played most. API, "Checkpoint Card". */
export interface CheckpointGame {
  /** ID of the application. */
  readonly application_id: string
  /** Name of the application. */
  readonly application_name: string
  /** Hash of the application's icon. */
  readonly application_image_id?: string
}

/** Summary of a user's year. API, "Checkpoint Card". */
export interface CheckpointData {
  /** Version of the data. */
  readonly version: number
  /** Type of card; its values are not shown in the API document. */
  readonly card_id: number
  /** Activity of the user. */
  readonly power_level: number
  /** Activity of the user compared to all users, as a percentile. */
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

/** Card that summarizes a user's year; received only. API, "Checkpoint Card". */
export interface CheckpointCard extends ComponentFields<20> {
  /** Summary to show. */
  readonly checkpoint_data: CheckpointData
}
