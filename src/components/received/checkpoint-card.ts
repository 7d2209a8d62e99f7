import type { ComponentFields } from '../input/fields'

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
