import type { ButtonInput } from './buttons'
import type { FileInput, MediaGalleryInput, SeparatorInput, TextDisplayInput, ThumbnailInput } from './content'
import type { ComponentFields } from './fields'
import type {
  CheckboxGroupInput,
  CheckboxInput,
  FileUploadInput,
  RadioGroupInput,
  TextInputInput,
} from './modal-fields'
import type { SelectInput } from './selects'

/** Up to five buttons side by side. Interface, "Action Row". */
export interface ButtonRowInput extends ComponentFields {
  /** ACTION_ROW. */
  readonly type: 1
  /** At most 5. */
  readonly components: readonly ButtonInput[]
}

/** One select, as wide as the message. Interface, "Action Row". */
export interface SelectRowInput extends ComponentFields {
  /** ACTION_ROW. */
  readonly type: 1
  /** The select. */
  readonly components: readonly [SelectInput<'message'>]
}

/**
 * One text input, in a modal. Interface, "Action Row".
 *
 * @deprecated Rows in modals are; put the input into a label.
 */
export interface TextInputRowInput extends ComponentFields {
  /** ACTION_ROW. */
  readonly type: 1
  /** The text input. */
  readonly components: readonly [TextInputInput]
}

/** A row of a message. Interface, "Action Row". */
export type ActionRowInput = ButtonRowInput | SelectRowInput

/** Texts with a button or a picture beside them. Interface, "Section". */
export interface SectionInput extends ComponentFields {
  /** SECTION. */
  readonly type: 9
  /** 1–3. */
  readonly components: readonly TextDisplayInput[]
  /** What stands beside the texts. */
  readonly accessory: ButtonInput | ThumbnailInput
}

/** What a container may hold. Interface, "Container". */
export type ContainerChildInput =
  | ActionRowInput
  | TextDisplayInput
  | SectionInput
  | MediaGalleryInput
  | SeparatorInput
  | FileInput

/** A box around components. Interface, "Container". */
export interface ContainerInput extends ComponentFields {
  /** CONTAINER. */
  readonly type: 17
  /** 1–10. */
  readonly components: readonly ContainerChildInput[]
  /** Colour of the bar at its side, as `0x3366ff`. */
  readonly accent_color?: number | null
  /**
   * Whether it is blurred until it is clicked.
   * @default false
   */
  readonly spoiler?: boolean
}

/** What a label may hold. Interface, "Label". */
export type LabelChildInput =
  | SelectInput<'modal'>
  | TextInputInput
  | FileUploadInput
  | RadioGroupInput
  | CheckboxGroupInput
  | CheckboxInput

/** One field of a modal with what it is called. Interface, "Label". */
export interface LabelInput extends ComponentFields {
  /** LABEL. */
  readonly type: 18
  /** What the field is called, at most 45 characters. */
  readonly label: string
  /** Shown with the label, at most 100 characters. */
  readonly description?: string
  /** The field. */
  readonly component: LabelChildInput
}
