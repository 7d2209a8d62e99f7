import type { ComponentFields, ComponentMethods, SpoilerMethods } from './base'
import { type ButtonInput, buttonSpec } from './buttons'
import {
  type FileInput,
  fileSpec,
  type MediaGalleryInput,
  mediaGallerySpec,
  type SeparatorInput,
  separatorSpec,
  type TextDisplayInput,
  type ThumbnailInput,
  text,
  textDisplaySpec,
  thumbnailSpec,
} from './content'
import { byComponents, define, toFrozen } from './factory'
import {
  type CheckboxGroupInput,
  type CheckboxInput,
  checkboxGroupSpec,
  checkboxSpec,
  type FileUploadInput,
  fileUploadSpec,
  type RadioGroupInput,
  radioGroupSpec,
  type TextInputInput,
  textInputSpec,
} from './modal-fields'
import {
  ANYWHERE,
  array,
  childComponent,
  componentSpec,
  DEFAULT_FALSE,
  INTEGER,
  MESSAGE,
  MODAL,
  nullable,
  required,
  string,
  unsafeCast,
} from './schema'
import {
  channelSelectSpec,
  mentionableSelectSpec,
  roleSelectSpec,
  type SelectInput,
  stringSelectSpec,
  userSelectSpec,
} from './selects'
import type { ArraySized, Held, InContainers, Parts, Sized, SizeFault, TypeErrorMessage } from './type-errors'

/** Interface, "Action Row": up to five buttons, or one select; in modals, deprecated, one text input. */
export const actionRowSpec = componentSpec(1, 'action row', ANYWHERE, {
  components: required(
    array(
      { max: 5 },
      childComponent(
        [buttonSpec, stringSelectSpec, userSelectSpec, roleSelectSpec, mentionableSelectSpec, channelSelectSpec],
        [textInputSpec],
      ),
    ),
  ),
})

/** Interface, "Section". */
export const sectionSpec = componentSpec(9, 'section', MESSAGE, {
  components: required(array({ min: 1, max: 3 }, childComponent([textDisplaySpec]))),
  accessory: required(childComponent([buttonSpec, thumbnailSpec])),
})

/** Interface, "Container". */
export const containerSpec = componentSpec(17, 'container', MESSAGE, {
  components: required(
    array(
      { min: 1, max: 10 },
      childComponent([actionRowSpec, textDisplaySpec, sectionSpec, mediaGallerySpec, separatorSpec, fileSpec]),
    ),
  ),
  accent_color: nullable(INTEGER),
  spoiler: DEFAULT_FALSE,
})

/** Interface, "Label". */
export const labelSpec = componentSpec(18, 'label', MODAL, {
  label: required(string({ max: 45 })),
  description: string({ max: 100 }),
  component: required(
    childComponent(
      [],
      [
        stringSelectSpec,
        textInputSpec,
        userSelectSpec,
        roleSelectSpec,
        mentionableSelectSpec,
        channelSelectSpec,
        fileUploadSpec,
        radioGroupSpec,
        checkboxGroupSpec,
        checkboxSpec,
      ],
    ),
  ),
})

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

/**
 * A row of up to five buttons, one by one or as an array; or of one select. In a modal, deprecated, of one text input: put
 * that into a label. Interface, "Action Row".
 *
 * @example
 * import { button, option, row, stringSelect } from 'rapport-sdk/components'
 *
 * row(button.success('yes', 'Yes'), button.danger('no', 'No'))
 * row(stringSelect('size', option('Small', 's'), option('Large', 'l')))
 */
export const row: {
  <const Given extends readonly RowItem[]>(...items: InRow<Given>): RowOf<Given>
  <const Given extends readonly RowItem[]>(items: ArrayInRow<Given>): RowOf<Given>
} = byComponents<ButtonRow & SelectRow & TextInputRow>(actionRowSpec)

/**
 * One to three texts with a button or a thumbnail beside them; it cannot be sent before it has that accessory.
 * Interface, "Section".
 *
 * @example
 * import { attachment, section, thumbnail } from 'rapport-sdk/components'
 *
 * section('## Release 2.0', 'Now with passkeys').withAccessory(thumbnail(attachment('shot.png')))
 */
export const section: {
  <const Given extends readonly (string | TextDisplayInput)[]>(...texts: Sized<Given, 3, [unknown]>): SectionDraft
  <const Given extends readonly (string | TextDisplayInput)[]>(texts: ArraySized<Given, 3, [unknown]>): SectionDraft
} = byComponents(sectionSpec, (given) => {
  const texts = unsafeCast<Record<string, unknown>>([])
  // Not by `map`, which goes through the holes of a list as well.
  for (const key in given) texts[key] = typeof given[key] === 'string' ? text(given[key]) : given[key]
  return unsafeCast(texts)
})

/**
 * A box around 1–10 components, one by one or as an array. Interface, "Container".
 *
 * @example
 * import { container, separator, text } from 'rapport-sdk/components'
 *
 * container(text('## News'), separator().withSpacing('large'), text('None')).withAccentColor(0x3366ff)
 */
export const container: <const Given extends Parts<ContainerChildInput>>(
  ...components: InContainer<Given>
) => Container = byComponents(containerSpec)

const createLabel = define<Label>(labelSpec)

/**
 * A field of a modal with what it is called, in at most 45 characters. Interface, "Label".
 *
 * @example
 * import { checkbox, label } from 'rapport-sdk/components'
 *
 * label('Newsletter', checkbox('newsletter')).withDescription('Once a month')
 */
export function label(labelText: string, component: LabelChildInput): Label {
  return createLabel({ type: 18, label: labelText, component: toFrozen(component) })
}

/** What a row may hold, in whichever place. */
export type RowItem = ButtonInput | SelectInput | TextInputInput

/** Why a row cannot hold these. A list of anything that rows hold, of whatever length, falls to run time. */
type RowFault<Items extends readonly RowItem[]> = Items extends readonly ButtonInput[]
  ? SizeFault<Items, 5>
  : Items extends readonly SelectInput<'message'>[] | readonly TextInputInput[]
    ? SizeFault<Items, 1, [unknown]>
    : [RowItem] extends [Items[number]]
      ? never
      : Items extends readonly SelectInput[]
        ? 'a required select is for modals: put it in a label'
        : 'a row holds buttons alone, or one select, or one text input'

/** What a row is given: up to five buttons, one select for messages, or one text input. */
export type InRow<Items extends readonly RowItem[]> = [RowFault<Items>] extends [never]
  ? Items
  : { readonly [Index in keyof Items]: TypeErrorMessage<RowFault<Items>> }

/** The same as an array, which is refused as a whole: of several errors the compiler leaves out those that matter. */
export type ArrayInRow<Items extends readonly RowItem[]> = [RowFault<Items>] extends [never]
  ? Items
  : TypeErrorMessage<RowFault<Items>>

/** What a row of these is. */
export type RowOf<Items extends readonly RowItem[]> = Items extends readonly ButtonInput[]
  ? ButtonRow
  : Items extends readonly TextInputInput[]
    ? TextInputRow
    : SelectRow

/** What a container is given. */
export type InContainer<Given extends readonly unknown[]> = Held<
  Given,
  ContainerChildInput,
  InContainers,
  10,
  [unknown]
>
