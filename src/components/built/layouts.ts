import type { ButtonInput } from '../input/buttons'
import type { TextDisplayInput, ThumbnailInput } from '../input/content'
import type { ComponentFields } from '../input/fields'
import type {
  ButtonRowInput,
  ContainerChildInput,
  ContainerInput,
  LabelChildInput,
  LabelInput,
  SectionInput,
  SelectRowInput,
  TextInputRowInput,
} from '../input/layouts'
import type { ComponentMethods, SpoilerMethods } from './methods'

declare abstract class ButtonRowMethods extends ComponentMethods {
  /** With more buttons; at most 5 in all. */
  addComponents(...buttons: readonly ButtonInput[]): this
  /** With more buttons; at most 5 in all. */
  addComponents(buttons: readonly ButtonInput[]): this
}

/** A row of buttons that `row` makes; immutable. Interface, "Action Row". */
export interface ButtonRow extends ButtonRowInput, ButtonRowMethods {}

/** A row of one select that `row` makes; immutable. Interface, "Action Row". */
export interface SelectRow extends SelectRowInput, ComponentMethods {}

/** A row of one text input that `row` makes, for modals; immutable. Interface, "Action Row". */
export interface TextInputRow extends TextInputRowInput, ComponentMethods {}

declare abstract class SectionMethods extends ComponentMethods {
  /** With more texts; 1–3 in all. */
  addComponents(...texts: readonly (string | TextDisplayInput)[]): this
  /** With more texts; 1–3 in all. */
  addComponents(texts: readonly (string | TextDisplayInput)[]): this
  /** With what stands beside the texts: a button, or a thumbnail. */
  withAccessory(accessory: ButtonInput | ThumbnailInput): Section
}

/** What `section` makes; it cannot be sent before it has an accessory. Immutable. Interface, "Section". */
export interface SectionDraft extends ComponentFields, SectionMethods {
  /** SECTION. */
  readonly type: 9
  /** 1–3. */
  readonly components: readonly TextDisplayInput[]
}

/** A section with its accessory; immutable. Interface, "Section". */
export interface Section extends SectionInput, SectionMethods {}

declare abstract class ContainerMethods extends ComponentMethods {
  /** With more components; 1–10 in all. */
  addComponents(...components: readonly ContainerChildInput[]): this
  /** With more components; 1–10 in all. */
  addComponents(components: readonly ContainerChildInput[]): this
  /** With a colour for the bar at its side, as `0x3366ff`: red, green and blue of 8 bits each; `null` for none. */
  withAccentColor(accentColor: number | null): this
}

/** What `container` makes; immutable. Interface, "Container". */
export interface Container extends ContainerInput, ContainerMethods, SpoilerMethods {}

declare abstract class LabelMethods extends ComponentMethods {
  /** With another field: a select for modals, a text input, a file upload, a group or a checkbox. */
  withComponent(component: LabelChildInput): this
  /** With another name for the field, at most 45 characters. */
  withLabel(label: string): this
  /** With a text that is shown with the label, at most 100 characters. */
  withDescription(description: string): this
}

/** What `label` makes; immutable. Interface, "Label". */
export interface Label extends LabelInput, LabelMethods {}
