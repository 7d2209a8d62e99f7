import type { TextDisplayInput } from '../input/content'
import type { ComponentFields } from '../input/fields'
import type { CheckboxGroupInput, CheckboxInput, FileUploadInput, RadioGroupInput } from '../input/modal-fields'
import type { SelectInput } from '../input/selects'
import type { CheckpointCard } from './checkpoint-card'
import type { ReceivedFile, ReceivedMediaGallery, ReceivedSeparator, ReceivedThumbnail } from './content'
import type { ContentInventoryEntryComponent } from './content-inventory'
import type { ReceivedButton, ReceivedTextInput } from './controls'

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
