import type { UnfurledMediaItem } from '../contract/profile-data'
import type { Open } from '../contract/schema'
import type { ButtonFields, ComponentFields, SpoilerFields } from './base'
import type { ButtonLabelFields } from './buttons'
import type { ButtonStyle, SeparatorSpacing, TextInputStyle } from './constants'
import type { SeparatorInput, TextDisplayInput } from './content'
import type { CheckpointCard, ContentInventoryEntryComponent } from './content-inventory'
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
