import type { ComponentFields, ComponentMethods, SpoilerFields, SpoilerMethods } from './base'
import type { ButtonInput } from './buttons'
import {
  type FileInput,
  type MediaGalleryInput,
  type SeparatorInput,
  type TextDisplayInput,
  type ThumbnailInput,
  toTextDisplays,
} from './content'
import { componentsFactory, define, toFrozen } from './factory'
import type {
  CheckboxGroupInput,
  CheckboxInput,
  FileUploadInput,
  RadioGroupInput,
  TextInputInput,
} from './modal-fields'
import type { SelectInput } from './selects'
import { actionRowSpec, containerSpec, labelSpec, sectionSpec } from './specs'
import type {
  AnyChildren,
  Certainly,
  CheckedChild,
  Child,
  ChildArguments,
  ContainerErrors,
  Count,
  IsNever,
  LabelErrors,
  Nothing,
  SectionErrors,
  SizeError,
  TypeErrorMessage,
} from './type-errors'

/** Row of these components. API, "Action Row". */
export interface RowInput<Components> extends ComponentFields<1> {
  /** At most 5 buttons, or one select, which is as wide as the message; in a modal, one text input. */
  readonly components: Components
}

/** Row of up to five buttons. API, "Action Row". */
export type ButtonRowInput = RowInput<readonly ButtonInput[]>

/** Row of one select. API, "Action Row". */
export type SelectRowInput = RowInput<readonly [SelectInput<'message'>]>

/**
 * Row of one text input, only in modals. API, "Action Row".
 *
 * @deprecated Rows in modals are; put the input into a label.
 */
export type TextInputRowInput = RowInput<readonly [TextInputInput]>

/** Row in a message. API, "Action Row". */
export type ActionRowInput = RowInput<readonly ButtonInput[] | readonly [ButtonInput | SelectInput<'message'>]>

/** Texts next to a button or a picture. API, "Section". */
export interface SectionInput extends ComponentFields<9> {
  /** 1–3 texts. */
  readonly components: readonly TextDisplayInput[]
  /** Button or thumbnail next to the texts. */
  readonly accessory: ButtonInput | ThumbnailInput
}

/** Components allowed in a container. API, "Container". */
export type ContainerChildInput =
  | ActionRowInput
  | TextDisplayInput
  | SectionInput
  | MediaGalleryInput
  | SeparatorInput
  | FileInput

/** Box around components. API, "Container". */
export interface ContainerInput extends ComponentFields<17>, SpoilerFields {
  /** 1–10 components. */
  readonly components: readonly ContainerChildInput[]
  /** Colour of the bar at the side, such as `0x3366ff`. */
  readonly accent_color?: number | null
}

/** Components allowed in a label. API, "Label". */
export type LabelChildInput =
  | SelectInput<'modal'>
  | TextInputInput
  | FileUploadInput
  | RadioGroupInput
  | CheckboxGroupInput
  | CheckboxInput

/** Field of a modal with its label. API, "Label". */
export interface LabelInput extends ComponentFields<18> {
  /** Label text, at most 45 characters. */
  readonly label: string
  /** Description shown with the label, at most 100 characters. */
  readonly description?: string
  /** Form control. */
  readonly component: LabelChildInput
}

declare abstract class ButtonRowMethods extends ComponentMethods {
  /** Returns a copy with buttons added; at most 5 in total. */
  addComponents(...buttons: readonly Child<ButtonInput>[]): this
}

/** Row of buttons created by `row`; immutable. API, "Action Row". */
export interface ButtonRow extends ButtonRowInput, ButtonRowMethods {}

/** Row of one select created by `row`; immutable. API, "Action Row". */
export interface SelectRow extends SelectRowInput, ComponentMethods {}

/** Row of one text input created by `row`, for modals; immutable. API, "Action Row". */
export interface TextInputRow<Input = TextInputInput>
  extends RowInput<readonly [Input & TextInputInput]>,
    ComponentMethods {}

declare abstract class SectionMethods extends ComponentMethods {
  /** Returns a copy with texts added; 1–3 in total. */
  addComponents<const Given extends AnyChildren<string | TextDisplayInput>>(...texts: InSection<Given>): this
  /** Returns a copy with this accessory: a button or a thumbnail. */
  withAccessory(accessory: ButtonInput | ThumbnailInput): Section
}

/** Section created by `section`; it needs an accessory before it can be sent. Immutable. API, "Section". */
export interface SectionDraft extends Omit<SectionInput, 'accessory'>, SectionMethods {}

/** Section with its accessory; immutable. API, "Section". */
export interface Section extends SectionInput, SectionMethods {}

declare abstract class ContainerMethods extends ComponentMethods {
  /** Returns a copy with components and strings (as text displays) added; 1–10 in total. */
  addComponents<const Given extends AnyChildren<string | ContainerChildInput>>(
    ...components: ChildArguments<Given, string | ContainerChildInput, ContainerErrors, 10>
  ): this
  /** Returns a copy with this colour of the bar at the side: `0xrrggbb`, such as `0x3366ff`; `null` for none. */
  withAccentColor(accentColor: number | null | undefined): this
}

/** Component created by `container`; immutable. API, "Container". */
export interface Container extends ContainerInput, ContainerMethods, SpoilerMethods {}

declare abstract class LabelMethods extends ComponentMethods {
  /** Returns a copy with this form control: a select for modals, a text input, a file upload, a group or a checkbox. */
  withComponent<const Given extends readonly [LabelChildInput | object]>(...component: InLabel<Given>): Label<Given[0]>
  /** Returns a copy with this label text, at most 45 characters. */
  withLabel(label: string): this
  /** Returns a copy with this description, at most 100 characters. */
  withDescription(description: string | undefined): this
}

declare const field: unique symbol

/** Component created by `label`; immutable. API, "Label". */
export interface Label<Field = LabelChildInput> extends LabelInput, LabelMethods {
  /** Form control. */
  readonly component: Field & LabelChildInput
  /** Only a type: of the intersection alone, the compiler takes all labels for one type. */
  readonly [field]?: Field
}

/** Row of buttons or of one select, created by `row`. API, "Action Row". */
export type ActionRow = ButtonRow | SelectRow

/** Items in nested arrays, as deep as the factories flatten them. */
type Flat<Item, Depth extends 0[] = []> = Item extends readonly (infer Each)[]
  ? Depth['length'] extends 9
    ? never
    : Flat<Each, [...Depth, 0]>
  : Exclude<Item, Nothing>

/** Type of a component, `required` for a select of a modal, `never` for `any` and for an incomplete literal. */
type KindOf<Item> = Item extends { readonly type: infer Type }
  ? unknown extends Type
    ? never
    : Item extends { readonly type: SelectInput['type'] }
      ? Item extends { readonly type: unknown; readonly required?: never }
        ? Type
        : 'required'
      : Type
  : Item extends object
    ? never
    : unknown extends Item
      ? never
      : 'other'

/** Compiler message if a row cannot contain these items. An array of unknown length is checked at run time. */
type RowError<Given extends readonly unknown[], Kind = KindOf<Flat<Given[number]>>> = [Kind] extends [2]
  ? SizeError<Given, 5>
  : [Kind] extends [4] | [SelectInput['type']]
    ? SizeError<Given, 1>
    : [Kind] extends [SelectInput['type'] | 'required']
      ? 'a required select is only allowed in modals: put it in a label'
      : [Kind] extends [2 | 4 | SelectInput['type']]
        ? Count<Given> extends { certain: [] } | { possible: [] | [0] }
          ? never
          : MixedRow
        : MixedRow

type MixedRow = 'a row contains only buttons, or one select, or one text input'

/** Arguments of `row`: up to five buttons, one select for messages, or one text input. */
type InRow<Given extends readonly unknown[]> = [Given] extends [never]
  ? Given
  : Certainly<Given, [RowError<Given>] extends [never] ? false : true> extends true
    ? { readonly [Index in keyof Given]: TypeErrorMessage<RowError<Given>> }
    : Certainly<Given, MayHoldOther<Given>> extends true
      ? readonly Child<ButtonInput | SelectInput<'message'> | TextInputInput>[]
      : readonly Child<ButtonInput>[]

/** Whether these are not several buttons, as a condition of `Certainly`. */
type MayHoldOther<Given extends readonly unknown[]> = Given extends readonly [unknown, unknown, ...unknown[]]
  ? [KindOf<Flat<Given[number]>>] extends [2]
    ? false
    : true
  : true

/** Row that contains one of these items. */
type RowOfItem<Item> = Item extends { readonly type: 2 }
  ? ButtonRow
  : Item extends { readonly type: 4 }
    ? TextInputRow<Item>
    : SelectRow

/** Type of the row that contains these items. */
type RowOf<Given extends readonly unknown[]> =
  Certainly<Given, IsNever<KindOf<Flat<Given[number]>>>> extends true ? ButtonRow : RowOfItem<Flat<Given[number]>>

/** Arguments of `section`. */
type InSection<Given extends readonly unknown[], Min extends readonly unknown[] = []> = ChildArguments<
  Given,
  string | TextDisplayInput,
  SectionErrors,
  3,
  Min
>

/** Arguments of `container`. */
type InContainer<Given extends readonly unknown[]> = ChildArguments<
  Given,
  string | ContainerChildInput,
  ContainerErrors,
  10,
  [unknown]
>

/** Form control, the second argument of `label`. The declared type if it is valid, as with other children. */
type InLabel<Given extends readonly [unknown]> = [Given] extends [never]
  ? Given
  : Certainly<Given, [Given] extends [readonly [LabelChildInput]] ? false : true> extends true
    ? readonly [
        component: Given[0] extends readonly unknown[]
          ? LabelChildInput
          : CheckedChild<Given[0], LabelChildInput, LabelErrors>,
      ]
    : readonly [component: LabelChildInput]

/**
 * Creates a row of up to five buttons or of one select. In a modal (deprecated): of one text input; use a label
 * instead. Flattens arrays and skips `null`, `undefined` and `false`. API, "Action Row".
 *
 * @example
 * import { button, option, row, stringSelect } from 'rapport-sdk/components'
 *
 * row(button.success('yes', 'Yes'), button.danger('no', 'No'))
 * row(stringSelect('size', option('Small', 's'), option('Large', 'l')))
 */
export const row: <const Given extends AnyChildren<ButtonInput | SelectInput | TextInputInput>>(
  ...items: InRow<Given>
) => RowOf<Given> = componentsFactory<never>(actionRowSpec)

/**
 * Creates a section of 1–3 texts next to a button or thumbnail; it needs that accessory before it can be sent. Flattens
 * arrays and skips `null`, `undefined` and `false`. API, "Section".
 *
 * @example
 * import { attachment, section, thumbnail } from 'rapport-sdk/components'
 *
 * section('## Release 2.0', 'Now with passkeys').withAccessory(thumbnail(attachment('shot.png')))
 */
export const section: <const Given extends AnyChildren<string | TextDisplayInput>>(
  ...texts: InSection<Given, [unknown]>
) => SectionDraft = componentsFactory(sectionSpec, toTextDisplays)

/**
 * Creates a box around 1–10 components. Strings become text displays. Flattens arrays and skips `null`, `undefined` and
 * `false`. API, "Container".
 *
 * @example
 * import { container, separator } from 'rapport-sdk/components'
 *
 * container('## News', separator().withSpacing('large'), 'None').withAccentColor(0x3366ff)
 */
export const container: <const Given extends AnyChildren<string | ContainerChildInput>>(
  ...components: InContainer<Given>
) => Container = componentsFactory(containerSpec, toTextDisplays)

/**
 * Creates a field of a modal: a form control and its label of at most 45 characters. API, "Label".
 *
 * @example
 * import { checkbox, label } from 'rapport-sdk/components'
 *
 * label('Newsletter', checkbox('newsletter')).withDescription('Once a month')
 */
export const label: <const Given extends readonly [LabelChildInput | object]>(
  labelText: string,
  ...component: InLabel<Given>
) => Label<Given[0]> = define(labelSpec, function (labelText: string, component: unknown) {
  this.type = 18
  this.label = labelText
  this.component = toFrozen(component)
})
