import type { UnfurledMediaItem } from '../contract/profile-data'
import type { Open } from '../contract/schema'
import type { ButtonFields, ComponentFields, SpoilerFields } from './base'
import type { ButtonLabelFields } from './buttons'
import type { ButtonStyle, SeparatorSpacing, TextInputStyle } from './constants'
import type { SeparatorInput, TextDisplayInput } from './content'
import type { ContainerInput, LabelInput } from './layouts'
import type {
  CheckboxGroupInput,
  CheckboxInput,
  FileUploadInput,
  RadioGroupInput,
  TextInputInput,
} from './modal-fields'
import type { SelectInput } from './selects'

/** Received item of a media gallery: a picture or video. API, "Media Gallery". */
export interface ReceivedGalleryItem extends SpoilerFields {
  /** Media to show. */
  readonly media: Readonly<UnfurledMediaItem>
  /** Alternative text. */
  readonly description?: string | null
}

/** Received thumbnail: a small picture next to a section. API, "Thumbnail". */
export interface ReceivedThumbnail extends ComponentFields<11>, ReceivedGalleryItem {}

/** Received media gallery: pictures and videos in a grid. API, "Media Gallery". */
export interface ReceivedMediaGallery extends ComponentFields<12> {
  /** 1–10 items or components. */
  readonly items: readonly ReceivedGalleryItem[]
}

/** Received file of a message. API, "File". */
export interface ReceivedFile extends ComponentFields<13>, SpoilerFields {
  /** Attachment. */
  readonly file: Readonly<UnfurledMediaItem>
  /** Name of the file. */
  readonly name?: string
  /** Size of the file in bytes. */
  readonly size?: number
}

/** Received separator. API, "Separator". */
export interface ReceivedSeparator extends Omit<SeparatorInput, 'spacing'> {
  /** Size of the gap. */
  readonly spacing?: Open<SeparatorSpacing>
}

/** Received button. API, "Button". */
export interface ReceivedButton extends ButtonFields, ButtonLabelFields {
  /** Style, which determines colour and behavior. */
  readonly style: Open<ButtonStyle>
  /** Identifies the button in interactions; absent on link and premium buttons. */
  readonly custom_id?: string
  /** SKU that a premium button sells. */
  readonly sku_id?: string
  /** URL that a link button opens. */
  readonly url?: string
}

/** Received text input. API, "Text Input". */
export interface ReceivedTextInput extends Omit<TextInputInput, 'style'> {
  /** One line or several. */
  readonly style: Open<TextInputStyle>
}

/** Component of an undocumented type, kept as received. API, "Component Type". */
export interface UnknownComponent {
  /** Type that is not in the API document. */
  readonly type: number
  /** A 32-bit integer. */
  readonly id?: number
  /** Field not shown in the API document. */
  readonly [field: string]: unknown
}

/** Received row. API, "Action Row". */
export interface ReceivedActionRow extends ComponentFields<1> {
  /** Buttons or a select; in a modal a text input. */
  readonly components: readonly (ReceivedButton | SelectInput | ReceivedTextInput | UnknownComponent)[]
}

/** Received section. API, "Section". */
export interface ReceivedSection extends ComponentFields<9> {
  /** 1–3 texts. */
  readonly components: readonly (TextDisplayInput | UnknownComponent)[]
  /** Component next to the texts; the service may add types. */
  readonly accessory: ReceivedButton | ReceivedThumbnail | UnknownComponent
}

/** Received container. API, "Container". */
export interface ReceivedContainer extends Omit<ContainerInput, 'components'> {
  /** 1–10 items or components. */
  readonly components: readonly ReceivedComponent[]
}

/** Received label. API, "Label". */
export interface ReceivedLabel extends Omit<LabelInput, 'component'> {
  /** Form control. */
  readonly component:
    | SelectInput
    | ReceivedTextInput
    | FileUploadInput
    | RadioGroupInput
    | CheckboxGroupInput
    | CheckboxInput
    | UnknownComponent
}

/** Any received component, including types that the service may add. API, "Component Type". */
export type ReceivedComponent =
  | ReceivedActionRow
  | ReceivedButton
  | SelectInput
  | ReceivedTextInput
  | ReceivedSection
  | TextDisplayInput
  | ReceivedThumbnail
  | ReceivedMediaGallery
  | ReceivedFile
  | ReceivedSeparator
  | ContentInventoryEntryComponent
  | ReceivedContainer
  | ReceivedLabel
  | FileUploadInput
  | CheckpointCard
  | RadioGroupInput
  | CheckboxGroupInput
  | CheckboxInput
  | UnknownComponent

/** Trait of an entry. Only the field that belongs to its type is present. API, "Content Inventory Entry". */
export interface ContentInventoryTrait {
  /**
   * TRAIT_TYPE_UNSPECIFIED (0), FIRST_TIME (1), DURATION_SECONDS (2), IS_LIVE (3), AGGREGATE_RANGE (4), RESURRECTED (5),
   * MARATHON (6), NEW_RELEASE (7), STREAK_DAYS (8), TRENDING_CONTENT (9), TOP_ITEM_TOTAL_COUNT (10),
   * TOP_PARENT_ITEM_TOTAL_COUNT (11) or AGGREGATE_COUNT (12).
   */
  readonly type: Open<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12>
  /** Present on FIRST_TIME. */
  readonly first_time?: boolean
  /** Present on DURATION_SECONDS; in seconds. */
  readonly duration_seconds?: number
  /** Present on IS_LIVE. */
  readonly is_live?: boolean
  /** Present on AGGREGATE_RANGE: AGGREGATE_RANGE_UNSPECIFIED (0) or WEEK (1), the last 7 days. */
  readonly range?: Open<0 | 1>
  /** Present on RESURRECTED: time last played, an ISO 8601 date-time. */
  readonly resurrected_last_played?: string
  /** Present on MARATHON. */
  readonly marathon?: boolean
  /** Present on STREAK_DAYS; in days. */
  readonly streak_count_days?: number
  /** Present on TRENDING_CONTENT: TRENDING_TYPE_UNSPECIFIED (0) or GLOBAL (1). */
  readonly trending?: Open<0 | 1>
  /** Present on TOP_ITEM_TOTAL_COUNT, TOP_PARENT_ITEM_TOTAL_COUNT and AGGREGATE_COUNT. */
  readonly count?: number
}

/** Entry about content that a user played, watched or listened to. API, "Content Inventory Entry". */
export interface ContentInventoryEntry {
  /** Snowflake in a guild; string of digits in a direct message. */
  readonly id: string
  /** ID of the user that the entry is for. */
  readonly author_id: string
  /** AUTHOR_TYPE_UNSPECIFIED (0) or USER (1). */
  readonly author_type: Open<0 | 1>
  /**
   * CONTENT_TYPE_UNSPECIFIED (0), PLAYED_GAME (1), WATCHED_MEDIA (2), TOP_GAME (3), LISTENED_MEDIA (4),
   * LISTENED_SESSION (5), TOP_ARTIST (6), CUSTOM_STATUS (7), LAUNCHED_ACTIVITY (8) or LEADERBOARD (9). `TOP_GAME` and
   * `TOP_ARTIST` are the top ones in the guild.
   */
  readonly content_type: Open<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9>
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
  /** SHA256 hash of the entry, ID of the key, and version of the signature, currently 1. */
  readonly signature: { readonly signature: string; readonly kid: string; readonly version: number }
}

/** Component that shows a content inventory entry; received only. API, "Content Inventory Entry". */
export interface ContentInventoryEntryComponent extends ComponentFields<16> {
  /** Entry to show. */
  readonly content_inventory_entry: ContentInventoryEntry
}

/** Metadata of an entry. The type determines which fields are present. API, "Content Inventory Entry". */
export interface ContentInventoryMetadata {
  /** Type of metadata. */
  readonly type: Open<
    | 'played_game_extra'
    | 'listened_session_extra'
    | 'listened_media_extra'
    | 'top_artist_extra'
    | 'watched_media_extra'
    | 'launched_activity_extra'
  >
  /** Name of the game that was played. */
  readonly game_name?: string
  /**
   * Platform that the game was played on: DESKTOP (0), CONSOLE_A (1), CONSOLE_B (2), MOBILE_A (3), MOBILE_B (4),
   * CONSOLE_C (5), DESKTOP_OS_A (6) or DESKTOP_OS_B (7). Names of 1–7 contain brands, as in the API document.
   */
  readonly platform?: Open<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7>
  /** ID of the application. */
  readonly application_id?: string
  /** Time of the last change, an ISO 8601 date-time. */
  readonly last_update?: string
  /**
   * Exactly one entry in a component: the track or artist that was listened to, and how often it was repeated. Meaning
   * and values of `verification_state` are not shown in the API document.
   */
  readonly entries?: readonly {
    readonly media?: ContentInventoryMetadata
    readonly verification_state?: number
    readonly repeat_count?: number
  }[]
  /** Track or artist that was listened to. */
  readonly media?: ContentInventoryMetadata
  /** Provider of the music: PROVIDER_UNSPECIFIED (0) or MUSIC_PROVIDER (1), whose name contains a brand. */
  readonly provider?: Open<0 | 1>
  /** TOP_ARTIST (0) or TRACK (1). */
  readonly media_type?: Open<0 | 1>
  /** Title of the album, if it is a track. */
  readonly parent_title?: string
  /** Title of the track or artist. */
  readonly title?: string
  /** URL of a picture. */
  readonly image_url?: string
  /** Artists, with their IDs at the provider; empty for a top artist. */
  readonly artists?: readonly { readonly external_id: string; readonly name: string }[]
  /** ID at the provider. */
  readonly external_id?: string
  /** ID of the album at the provider. */
  readonly external_parent_id?: string
  /** Top artist. */
  readonly artist?: { readonly external_id: string; readonly name: string }
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
  /** Guild that the user was most active in; `guild_icon` is the hash of its icon. */
  readonly top_guild?: { readonly guild_id: string; readonly guild_name: string; readonly guild_icon?: string }
  /** Emoji that the user used most, with an ID if it is a custom emoji. */
  readonly top_emoji?: { readonly emoji_id?: string; readonly emoji_name: string }
  /** Game that the user played most; `application_image_id` is the hash of its icon. */
  readonly top_game?: {
    readonly application_id: string
    readonly application_name: string
    readonly application_image_id?: string
  }
}

/** Card that summarizes a user's year; received only. API, "Checkpoint Card". */
export interface CheckpointCard extends ComponentFields<20> {
  /** Summary to show. */
  readonly checkpoint_data: CheckpointData
}
