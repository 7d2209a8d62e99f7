import type { Open } from '../../contract/schema'
import type { ComponentFields } from '../input/fields'
import type {
  ContentInventoryAggregateRange,
  ContentInventoryAuthorType,
  ContentInventoryContentType,
  ContentInventoryTraitType,
  ContentInventoryTrendingType,
} from './content-inventory-enums'
import type { ContentInventoryMetadata } from './content-inventory-metadata'

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
