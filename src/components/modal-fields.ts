import type { ComponentMethods, DefaultMethods, InteractiveFields, OptionMethods } from './base'
import { customIdFactory, define, optionFactory } from './factory'
import {
  checkboxGroupSpec,
  checkboxSpec,
  fileUploadSpec,
  groupOptionSpec,
  radioGroupSpec,
  textInputSpec,
} from './specs'
import type { Child, ChildArguments, ValueIn, ValueOf } from './type-errors'

/** Fields of components that are required by default. */
interface RequiredFields {
  /** Whether the user must enter text, or select an option. Default: `true`. */
  readonly required?: boolean
}

/** Text input in a modal. API, "Text Input". */
export interface TextInputInput<Id extends string = string> extends InteractiveFields<4, Id>, RequiredFields {
  /** `TextInputStyle.SMALL` for one line, `PARAGRAPH` for several. */
  readonly style: 1 | 2
  /**
   * At most 45 characters; ignored inside a label.
   * @deprecated Put the input into a label.
   */
  readonly label?: string
  /** Minimum number of characters, 0–4000. */
  readonly min_length?: number
  /** Maximum number of characters, 1–4000. */
  readonly max_length?: number
  /** Initial text, at most 4000 characters. */
  readonly value?: string
  /** Text shown while the input is empty, at most 100 characters. */
  readonly placeholder?: string
}

/** File upload in a modal. API, "File Upload". */
export interface FileUploadInput<Id extends string = string> extends InteractiveFields<19, Id> {
  /** Minimum number of files, 0–10. Default: `0`. */
  readonly min_values?: number
  /** Maximum number of files, at most 10. Default: `10`. */
  readonly max_values?: number
  /** Whether the user must upload a file. Default: `false`. */
  readonly required?: boolean
}

/** Option of a radio group or checkbox group. API, "Radio Group". */
export interface GroupOptionInput {
  /** Value sent to the app, 1–100 characters. */
  readonly value: string
  /** Text shown to the user, at most 100 characters. */
  readonly label: string
  /** Description shown below the label, at most 100 characters. */
  readonly description?: string
  /** Whether it is selected by default. Default: `false`. */
  readonly default?: boolean
}

/** Options of which the user selects exactly one, in a modal. API, "Radio Group". */
export interface RadioGroupInput<Id extends string = string> extends InteractiveFields<21, Id>, RequiredFields {
  /** 2–10 options. */
  readonly options: readonly GroupOptionInput[]
}

/** Options of which the user may select several, in a modal. API, "Radio Group". */
export interface CheckboxGroupInput<Id extends string = string> extends InteractiveFields<22, Id>, RequiredFields {
  /** 2–10 options. */
  readonly options: readonly GroupOptionInput[]
  /** Minimum number of selected options, at most 10. Default: `1`. */
  readonly min_values?: number
  /** Maximum number of selected options, 1–10. */
  readonly max_values?: number
}

/** Checkbox in a modal. API, "Radio Group". */
export interface CheckboxInput<Id extends string = string> extends InteractiveFields<23, Id> {
  /** Whether it is checked by default. Default: `false`. */
  readonly default?: boolean
}

declare abstract class RequiredMethods extends ComponentMethods {
  /** Returns a copy that is required, or optional with `false`. Required unless called. */
  withRequired(isRequired?: boolean): this
}

declare abstract class TextInputMethods extends RequiredMethods {
  /**
   * Returns a copy with its own label, at most 45 characters; ignored inside a label component.
   *
   * @deprecated Put the input into a label, which takes its place.
   */
  withLabel(label: string | undefined): this
  /** Returns a copy with this minimum number of characters, 0–4000. */
  withMinLength(minLength: number | undefined): this
  /** Returns a copy with this maximum number of characters, 1–4000. */
  withMaxLength(maxLength: number | undefined): this
  /** Returns a copy with this initial text, at most 4000 characters. */
  withValue(value: string | undefined): this
  /** Returns a copy with this placeholder, at most 100 characters. */
  withPlaceholder(placeholder: string | undefined): this
}

/** Text input created by `textInput.small` or `textInput.paragraph`; immutable. API, "Text Input". */
export interface TextInput<Id extends string = string> extends TextInputInput<Id>, TextInputMethods {
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the modal. */
  withCustomId<const NewId extends string>(customId: NewId): TextInput<NewId>
}

declare abstract class FileUploadMethods extends ComponentMethods {
  /** Returns a copy with this minimum number of files, 0–10. 0 unless called. */
  withMinValues(minValues: number | undefined): this
  /** Returns a copy with this maximum number of files, at most 10. 10 unless called. */
  withMaxValues(maxValues: number | undefined): this
  /** Returns a copy that is required, or optional with `false`. Optional unless called. */
  withRequired(isRequired?: boolean): this
}

/** Component created by `fileUpload`; immutable. API, "File Upload". */
export interface FileUpload<Id extends string = string> extends FileUploadInput<Id>, FileUploadMethods {
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the modal. */
  withCustomId<const NewId extends string>(customId: NewId): FileUpload<NewId>
}

/** Options of a group, with the literals of their values, if the compiler knows them. */
type GroupOptions<Value extends string> = readonly (GroupOptionInput & { readonly value: Value })[]

/** Component created by `radioGroup`; immutable. API, "Radio Group". */
export interface RadioGroup<Id extends string = string, Value extends string = string>
  extends RadioGroupInput<Id>,
    RequiredMethods {
  // First, so that the compiler distinguishes components before it compares methods, which never ends.
  /** RADIO_GROUP. */
  readonly type: 21
  /** 2–10 options. */
  readonly options: GroupOptions<Value>
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the modal. */
  withCustomId<const NewId extends string>(customId: NewId): RadioGroup<NewId, Value>
  /** Returns a copy with options added; 2–10 in total. */
  addOptions<const Given extends readonly Child<GroupOptionInput>[]>(
    ...options: Given
  ): RadioGroup<Id, Value | ValueIn<Given>>
}

declare abstract class CheckboxGroupMethods extends RequiredMethods {
  /** Returns a copy with this minimum number of selected options, at most 10. 1 unless called. */
  withMinValues(minValues: number | undefined): this
  /** Returns a copy with this maximum number of selected options, 1–10. */
  withMaxValues(maxValues: number | undefined): this
}

/** Component created by `checkboxGroup`; immutable. API, "Radio Group". */
export interface CheckboxGroup<Id extends string = string, Value extends string = string>
  extends CheckboxGroupInput<Id>,
    CheckboxGroupMethods {
  // First, so that the compiler distinguishes components before it compares methods, which never ends.
  /** CHECKBOX_GROUP. */
  readonly type: 22
  /** 2–10 options. */
  readonly options: GroupOptions<Value>
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the modal. */
  withCustomId<const NewId extends string>(customId: NewId): CheckboxGroup<NewId, Value>
  /** Returns a copy with options added; 2–10 in total. */
  addOptions<const Given extends readonly Child<GroupOptionInput>[]>(
    ...options: Given
  ): CheckboxGroup<Id, Value | ValueIn<Given>>
}

/** Component created by `checkbox`; immutable. API, "Radio Group". */
export interface Checkbox<Id extends string = string> extends CheckboxInput<Id>, ComponentMethods, DefaultMethods {
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the modal. */
  withCustomId<const NewId extends string>(customId: NewId): Checkbox<NewId>
}

/** Option created by `groupOption`; immutable. API, "Radio Group". */
export interface GroupOption<Value extends string = string> extends GroupOptionInput, OptionMethods, DefaultMethods {
  /** Value sent to the app, 1–100 characters. */
  readonly value: Value
  /** Returns a copy with this value, which is sent to the app: 1–100 characters. */
  withValue<const NewValue extends string>(value: NewValue): GroupOption<NewValue>
}

const createTextInput: (style: number, customId: string) => TextInput<never> = define(
  textInputSpec,
  function (style: number, customId: string) {
    this.type = 4
    this.custom_id = customId
    this.style = style
  },
)

/**
 * Creates text inputs for labels of modals. API, "Text Input".
 *
 * @example
 * import { label, textInput } from 'rapport-sdk/components'
 *
 * label('Your name', textInput.small('name').withMaxLength(80))
 */
export const textInput = {
  /** Creates an input of one line. `customId` has 1–100 characters. */
  small: <const Id extends string>(customId: Id): TextInput<Id> => createTextInput(1, customId),
  /** Creates an input of several lines. `customId` has 1–100 characters. */
  paragraph: <const Id extends string>(customId: Id): TextInput<Id> => createTextInput(2, customId),
}

/** Creates an upload of up to 10 files, for a label. `customId` has 1–100 characters. API, "File Upload". */
export const fileUpload: <const Id extends string>(customId: Id) => FileUpload<Id> = customIdFactory(fileUploadSpec)

/**
 * Creates a radio group, for a label: the user selects exactly one option. `customId` has 1–100 characters; 2–10
 * options. Flattens arrays and skips `null`, `undefined` and `false`. API, "Radio Group".
 *
 * @example
 * import { groupOption, label, radioGroup } from 'rapport-sdk/components'
 *
 * label('Size', radioGroup('size', groupOption('Small', 's'), groupOption('Large', 'l').withDefault()))
 */
export const radioGroup: <const Id extends string, const Given extends readonly Child<GroupOptionInput>[]>(
  customId: Id,
  ...options: ChildArguments<Given, GroupOptionInput, object, 10, [unknown, unknown]>
) => RadioGroup<Id, ValueOf<Given>> = customIdFactory(radioGroupSpec)

/**
 * Creates a checkbox group, for a label: the user may select several options. `customId` has 1–100 characters; 2–10
 * options. Flattens arrays and skips `null`, `undefined` and `false`. API, "Radio Group".
 */
export const checkboxGroup: <const Id extends string, const Given extends readonly Child<GroupOptionInput>[]>(
  customId: Id,
  ...options: ChildArguments<Given, GroupOptionInput, object, 10, [unknown, unknown]>
) => CheckboxGroup<Id, ValueOf<Given>> = customIdFactory(checkboxGroupSpec)

/** Creates a checkbox, for a label. `customId` has 1–100 characters. API, "Radio Group". */
export const checkbox: <const Id extends string>(customId: Id) => Checkbox<Id> = customIdFactory(checkboxSpec)

/** Creates an option of a group. `label` has at most 100 characters, `value` 1–100. API, "Radio Group". */
export const groupOption: <const Value extends string>(label: string, value: Value) => GroupOption<Value> =
  optionFactory(groupOptionSpec)
