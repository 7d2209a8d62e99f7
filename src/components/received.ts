import type { UnfurledMediaItem as AnyItem, MediaLoadingState as AnyState } from '../contract/profile-data'
import type { Open } from '../contract/schema'
import type { ComponentFields, InteractiveFields, PartialEmoji } from './base'
import type { ButtonStyle, SeparatorSpacing, TextInputStyle } from './constants'
import type { TextDisplayInput } from './content'
import type { CheckpointCard, ContentInventoryEntryComponent } from './content-inventory'
import type { CheckboxGroupInput, CheckboxInput, FileUploadInput, RadioGroupInput } from './modal-fields'
import type { SelectInput } from './selects'

/** Received thumbnail: a small picture next to a section. API, "Thumbnail". */
export interface ReceivedThumbnail extends ComponentFields {
  /** THUMBNAIL. */
  readonly type: 11
  /** Media to show. */
  readonly media: Readonly<UnfurledMediaItem>
  /** Alternative text. */
  readonly description?: string | null
  /** Whether it is blurred until clicked. */
  readonly spoiler?: boolean
}

/** Received item of a media gallery: a picture or video. API, "Media Gallery". */
export interface ReceivedGalleryItem {
  /** Media to show. */
  readonly media: Readonly<UnfurledMediaItem>
  /** Alternative text. */
  readonly description?: string | null
  /** Whether it is blurred until clicked. */
  readonly spoiler?: boolean
}

/** Received media gallery: pictures and videos in a grid. API, "Media Gallery". */
export interface ReceivedMediaGallery extends ComponentFields {
  /** MEDIA_GALLERY. */
  readonly type: 12
  /** 1–10 items or components. */
  readonly items: readonly ReceivedGalleryItem[]
}

/** Received file of a message. API, "File". */
export interface ReceivedFile extends ComponentFields {
  /** FILE. */
  readonly type: 13
  /** Attachment. */
  readonly file: Readonly<UnfurledMediaItem>
  /** Whether it is blurred until clicked. */
  readonly spoiler?: boolean
  /** Name of the file. */
  readonly name?: string
  /** Size of the file in bytes. */
  readonly size?: number
}

/** Received separator. API, "Separator". */
export interface ReceivedSeparator extends ComponentFields {
  /** SEPARATOR. */
  readonly type: 14
  /** Whether to show a line. */
  readonly divider?: boolean
  /** Size of the gap. */
  readonly spacing?: Open<SeparatorSpacing>
}

/** Received button. API, "Button". */
export interface ReceivedButton extends ComponentFields {
  /** BUTTON. */
  readonly type: 2
  /** Style, which determines colour and behavior. */
  readonly style: Open<ButtonStyle>
  /** Label of the button. */
  readonly label?: string
  /** Emoji shown before the label. */
  readonly emoji?: PartialEmoji
  /** Identifies the button in interactions; absent on link and premium buttons. */
  readonly custom_id?: string
  /** SKU that a premium button sells. */
  readonly sku_id?: string
  /** URL that a link button opens. */
  readonly url?: string
  /** Whether it is disabled. */
  readonly disabled?: boolean
}

/** Received text input. API, "Text Input". */
export interface ReceivedTextInput extends InteractiveFields {
  /** TEXT_INPUT. */
  readonly type: 4
  /** One line or several. */
  readonly style: Open<TextInputStyle>
  /** Deprecated; ignored inside a label. */
  readonly label?: string
  /** Minimum number of characters. */
  readonly min_length?: number
  /** Maximum number of characters. */
  readonly max_length?: number
  /** Whether the user must enter text. */
  readonly required?: boolean
  /** Initial text. */
  readonly value?: string
  /** Text shown while the input is empty. */
  readonly placeholder?: string
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
export interface ReceivedActionRow extends ComponentFields {
  /** ACTION_ROW. */
  readonly type: 1
  /** Buttons or a select; in a modal a text input. */
  readonly components: readonly (ReceivedButton | SelectInput | ReceivedTextInput | UnknownComponent)[]
}

/** Received section. API, "Section". */
export interface ReceivedSection extends ComponentFields {
  /** SECTION. */
  readonly type: 9
  /** 1–3 texts. */
  readonly components: readonly (TextDisplayInput | UnknownComponent)[]
  /** Component next to the texts; the service may add types. */
  readonly accessory: ReceivedButton | ReceivedThumbnail | UnknownComponent
}

/** Received container. API, "Container". */
export interface ReceivedContainer extends ComponentFields {
  /** CONTAINER. */
  readonly type: 17
  /** 1–10 items or components. */
  readonly components: readonly ReceivedComponent[]
  /** Colour of the bar at the side, such as `0x3366ff`. */
  readonly accent_color?: number | null
  /** Whether it is blurred until clicked. */
  readonly spoiler?: boolean
}

/** Received label. API, "Label". */
export interface ReceivedLabel extends ComponentFields {
  /** LABEL. */
  readonly type: 18
  /** Label text. */
  readonly label: string
  /** Description shown with the label. */
  readonly description?: string
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

// Redeclared: the declaration bundler treats re-exported types as values.

/** Received media. API, "Unfurled Media Item". */
export type UnfurledMediaItem = AnyItem

/** Loading state of media. API, "Unfurled Media Item". */
export type MediaLoadingState = AnyState
