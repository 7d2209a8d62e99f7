import type { UnfurledMediaItem as AnyItem, MediaLoadingState as AnyState } from '../contract/media'
import type { Open } from '../contract/schema'
import type { ComponentFields, InteractiveFields, PartialEmoji } from './base'
import type { ButtonStyle, SeparatorSpacing, TextInputStyle } from './constants'
import type { TextDisplayInput } from './content'
import type { CheckpointCard, ContentInventoryEntryComponent } from './content-inventory'
import type { CheckboxGroupInput, CheckboxInput, FileUploadInput, RadioGroupInput } from './modal-fields'
import type { SelectInput } from './selects'

/** A small picture beside a section, as it is received. Interface, "Thumbnail". */
export interface ReceivedThumbnail extends ComponentFields {
  /** THUMBNAIL. */
  readonly type: 11
  /** What is shown. */
  readonly media: Readonly<UnfurledMediaItem>
  /** A text for those who do not see it. */
  readonly description?: string | null
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
}

/** One picture or video of a media gallery, as it is received. Interface, "Media Gallery". */
export interface ReceivedGalleryItem {
  /** What is shown. */
  readonly media: Readonly<UnfurledMediaItem>
  /** A text for those who do not see it. */
  readonly description?: string | null
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
}

/** Pictures and videos side by side, as they are received. Interface, "Media Gallery". */
export interface ReceivedMediaGallery extends ComponentFields {
  /** MEDIA_GALLERY. */
  readonly type: 12
  /** 1–10. */
  readonly items: readonly ReceivedGalleryItem[]
}

/** One file of a message, as it is received. Interface, "File". */
export interface ReceivedFile extends ComponentFields {
  /** FILE. */
  readonly type: 13
  /** The attachment. */
  readonly file: Readonly<UnfurledMediaItem>
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
  /** Name of the file. */
  readonly name?: string
  /** Size of the file in bytes. */
  readonly size?: number
}

/** A gap, as it is received. Interface, "Separator". */
export interface ReceivedSeparator extends ComponentFields {
  /** SEPARATOR. */
  readonly type: 14
  /** Whether there is a line. */
  readonly divider?: boolean
  /** How large it is. */
  readonly spacing?: Open<SeparatorSpacing>
}

/** A button as it is received. Interface, "Button". */
export interface ReceivedButton extends ComponentFields {
  /** BUTTON. */
  readonly type: 2
  /** How it looks and what it does. */
  readonly style: Open<ButtonStyle>
  /** The text. */
  readonly label?: string
  /** Shown before the label. */
  readonly emoji?: PartialEmoji
  /** What tells the app which button was clicked; link and premium buttons have none. */
  readonly custom_id?: string
  /** The SKU that a premium button sells. */
  readonly sku_id?: string
  /** What a link button opens. */
  readonly url?: string
  /** Whether it cannot be used. */
  readonly disabled?: boolean
}

/** A text input as it is received. Interface, "Text Input". */
export interface ReceivedTextInput extends InteractiveFields {
  /** TEXT_INPUT. */
  readonly type: 4
  /** One line or several. */
  readonly style: Open<TextInputStyle>
  /** Deprecated; inside a label it is ignored. */
  readonly label?: string
  /** The least number of characters. */
  readonly min_length?: number
  /** The most characters. */
  readonly max_length?: number
  /** Whether something must be typed. */
  readonly required?: boolean
  /** What stands there from the start. */
  readonly value?: string
  /** Shown while nothing is typed. */
  readonly placeholder?: string
}

/** A component of a type that the document does not have, kept as it came. Interface, "Component Type". */
export interface UnknownComponent {
  /** None of the types of the document. */
  readonly type: number
  /** A 32-bit integer. */
  readonly id?: number
  /** A field that the document does not show. */
  readonly [field: string]: unknown
}

/** A row as it is received. Interface, "Action Row". */
export interface ReceivedActionRow extends ComponentFields {
  /** ACTION_ROW. */
  readonly type: 1
  /** Buttons, a select or, in a modal, a text input. */
  readonly components: readonly (ReceivedButton | SelectInput | ReceivedTextInput | UnknownComponent)[]
}

/** A section as it is received. Interface, "Section". */
export interface ReceivedSection extends ComponentFields {
  /** SECTION. */
  readonly type: 9
  /** 1–3 texts. */
  readonly components: readonly (TextDisplayInput | UnknownComponent)[]
  /** What stands beside the texts; more types may come. */
  readonly accessory: ReceivedButton | ReceivedThumbnail | UnknownComponent
}

/** A container as it is received. Interface, "Container". */
export interface ReceivedContainer extends ComponentFields {
  /** CONTAINER. */
  readonly type: 17
  /** 1–10. */
  readonly components: readonly ReceivedComponent[]
  /** Colour of the bar at its side, as `0x3366ff`. */
  readonly accent_color?: number | null
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
}

/** A label as it is received. Interface, "Label". */
export interface ReceivedLabel extends ComponentFields {
  /** LABEL. */
  readonly type: 18
  /** What the field is called. */
  readonly label: string
  /** Shown with the label. */
  readonly description?: string
  /** The field. */
  readonly component:
    | SelectInput
    | ReceivedTextInput
    | FileUploadInput
    | RadioGroupInput
    | CheckboxGroupInput
    | CheckboxInput
    | UnknownComponent
}

/** Any component as it is received, those of later days among them. Interface, "Component Type". */
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

// Declared anew: a declaration bundler takes types that are only passed on for values.

/** Media as it is received. Interface, "Unfurled Media Item". */
export type UnfurledMediaItem = AnyItem

/** How far the service is with media. Interface, "Unfurled Media Item". */
export type MediaLoadingState = AnyState
