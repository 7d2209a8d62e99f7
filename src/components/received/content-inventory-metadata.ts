import type { Open } from '../../contract/schema'
import type {
  ContentInventoryMediaType,
  ContentInventoryMetadataType,
  ContentInventoryPlatform,
  ContentInventoryProvider,
} from './content-inventory-enums'

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
