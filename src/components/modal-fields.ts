import type { DefaultMethods, InteractiveFields, InteractiveMethods } from './base'
import { TextInputStyle } from './constants'
import { byLabel, byOptions, customIdFactory, define } from './factory'
import {
  array,
  CUSTOM_ID,
  componentSpec,
  DEFAULT_FALSE,
  DEFAULT_TRUE,
  integer,
  MODAL,
  merge,
  object,
  oneOf,
  partSpec,
  required,
  string,
} from './schema'
import { OPTION, type OptionMethods } from './selects'
import type { ArraySized, Sized } from './type-errors'

/** Interface, "Text Input". Its deprecated label may be left out: a label takes its place. */
export const textInputSpec = componentSpec(4, 'text input', MODAL, {
  custom_id: CUSTOM_ID,
  style: required(oneOf(TextInputStyle)),
  label: string({ max: 45 }),
  min_length: integer({ max: 4000 }),
  max_length: integer({ min: 1, max: 4000 }),
  required: DEFAULT_TRUE,
  value: string({ max: 4000 }),
  placeholder: string({ max: 100 }),
})

/** Interface, "File Upload". */
export const fileUploadSpec = componentSpec(19, 'file upload', MODAL, {
  custom_id: CUSTOM_ID,
  min_values: integer({ max: 10 }, 0),
  max_values: integer({ max: 10 }, 10),
  required: DEFAULT_FALSE,
})

/** Interface, "Radio Group". */
export const groupOptionSpec = partSpec('group option', OPTION)

const GROUP = {
  custom_id: CUSTOM_ID,
  options: required(array({ min: 2, max: 10 }, object(groupOptionSpec))),
  required: DEFAULT_TRUE,
}

/** Interface, "Radio Group". */
export const radioGroupSpec = componentSpec(21, 'radio group', MODAL, GROUP)

/** Interface, "Radio Group". */
export const checkboxGroupSpec = componentSpec(
  22,
  'checkbox group',
  MODAL,
  merge(GROUP, {
    min_values: integer({ max: 10 }, 1),
    max_values: integer({ min: 1, max: 10 }),
  }),
)

/** Interface, "Radio Group". */
export const checkboxSpec = componentSpec(23, 'checkbox', MODAL, { custom_id: CUSTOM_ID, default: DEFAULT_FALSE })

/** Text that the user types, in a modal. Interface, "Text Input". */
export interface TextInputInput extends InteractiveFields {
  /** TEXT_INPUT. */
  readonly type: 4
  /** SMALL for one line, PARAGRAPH for several. */
  readonly style: 1 | 2
  /**
   * At most 45 characters; inside a label it is ignored.
   * @deprecated Put the input into a label.
   */
  readonly label?: string
  /** The least number of characters, at most 4000. */
  readonly min_length?: number
  /** The most characters, 1–4000. */
  readonly max_length?: number
  /**
   * Whether something must be typed.
   * @default true
   */
  readonly required?: boolean
  /** What stands there from the start, at most 4000 characters. */
  readonly value?: string
  /** Shown while nothing is typed, at most 100 characters. */
  readonly placeholder?: string
}

/** Files that the user uploads, in a modal. Interface, "File Upload". */
export interface FileUploadInput extends InteractiveFields {
  /** FILE_UPLOAD. */
  readonly type: 19
  /**
   * The least number of files, at most 10.
   * @default 0
   */
  readonly min_values?: number
  /**
   * The most files, at most 10.
   * @default 10
   */
  readonly max_values?: number
  /**
   * Whether a file must be uploaded.
   * @default false
   */
  readonly required?: boolean
}

/** One option of a radio group or a checkbox group. Interface, "Radio Group". */
export interface GroupOptionInput {
  /** What the app is told, 1–100 characters. */
  readonly value: string
  /** What is shown, at most 100 characters. */
  readonly label: string
  /** Shown below the label, at most 100 characters. */
  readonly description?: string
  /**
   * Whether it is chosen from the start.
   * @default false
   */
  readonly default?: boolean
}

/** Options of which exactly one is chosen, in a modal. Interface, "Radio Group". */
export interface RadioGroupInput extends InteractiveFields {
  /** RADIO_GROUP. */
  readonly type: 21
  /** 2–10. */
  readonly options: readonly GroupOptionInput[]
  /**
   * Whether one must be chosen.
   * @default true
   */
  readonly required?: boolean
}

/** Options of which several may be chosen, in a modal. Interface, "Radio Group". */
export interface CheckboxGroupInput extends InteractiveFields {
  /** CHECKBOX_GROUP. */
  readonly type: 22
  /** 2–10. */
  readonly options: readonly GroupOptionInput[]
  /**
   * How many must be chosen, at most 10.
   * @default 1
   */
  readonly min_values?: number
  /** How many can be chosen, 1–10. */
  readonly max_values?: number
  /**
   * Whether something must be chosen.
   * @default true
   */
  readonly required?: boolean
}

/** One box to tick, in a modal. Interface, "Radio Group". */
export interface CheckboxInput extends InteractiveFields {
  /** CHECKBOX. */
  readonly type: 23
  /**
   * Whether it is ticked from the start.
   * @default false
   */
  readonly default?: boolean
}

declare abstract class TextInputMethods extends InteractiveMethods {
  /**
   * With a label of its own, at most 45 characters; inside a label it is ignored.
   *
   * @deprecated Put the input into a label, which takes its place.
   */
  withLabel(label: string): this
  /** With the least number of characters, at most 4000. */
  withMinLength(minLength: number): this
  /** With the most characters, 1–4000. */
  withMaxLength(maxLength: number): this
  /** With what stands there from the start, at most 4000 characters. */
  withValue(value: string): this
  /** With a text for while nothing is typed, at most 100 characters. */
  withPlaceholder(placeholder: string): this
  /**
   * In which something must be typed, or need not. In one that this was not called on, something must be.
   *
   * @param isRequired `true` where it is left out.
   */
  withRequired(isRequired?: boolean): this
}

/** A text input that `textInput.small` or `textInput.paragraph` makes; immutable. Interface, "Text Input". */
export interface TextInput extends TextInputInput, TextInputMethods {}

declare abstract class FileUploadMethods extends InteractiveMethods {
  /** With the least number of files, at most 10. 0 where this was not called. */
  withMinValues(minValues: number): this
  /** With the most files, at most 10. 10 where this was not called. */
  withMaxValues(maxValues: number): this
  /**
   * To which a file must be uploaded, or need not. To one that this was not called on, none need be.
   *
   * @param isRequired `true` where it is left out.
   */
  withRequired(isRequired?: boolean): this
}

/** What `fileUpload` makes; immutable. Interface, "File Upload". */
export interface FileUpload extends FileUploadInput, FileUploadMethods {}

declare abstract class GroupMethods extends InteractiveMethods {
  /** With more options; 2–10 in all. */
  addOptions(...options: readonly GroupOptionInput[]): this
  /** With more options; 2–10 in all. */
  addOptions(options: readonly GroupOptionInput[]): this
  /**
   * In which something must be chosen, or need not. In one that this was not called on, something must be.
   *
   * @param isRequired `true` where it is left out.
   */
  withRequired(isRequired?: boolean): this
}

/** What `radioGroup` makes; immutable. Interface, "Radio Group". */
export interface RadioGroup extends RadioGroupInput, GroupMethods {}

declare abstract class CheckboxGroupMethods extends GroupMethods {
  /** With the least number of options that must be chosen, at most 10. 1 where this was not called. */
  withMinValues(minValues: number): this
  /** With the most options that can be chosen, 1–10. */
  withMaxValues(maxValues: number): this
}

/** What `checkboxGroup` makes; immutable. Interface, "Radio Group". */
export interface CheckboxGroup extends CheckboxGroupInput, CheckboxGroupMethods {}

/** What `checkbox` makes; immutable. Interface, "Radio Group". */
export interface Checkbox extends CheckboxInput, InteractiveMethods, DefaultMethods {}

/** An option that `groupOption` makes; immutable. Interface, "Radio Group". */
export interface GroupOption extends GroupOptionInput, OptionMethods, DefaultMethods {}

const createTextInput = define<TextInput>(textInputSpec)

/**
 * Text inputs, for labels of modals. Interface, "Text Input".
 *
 * @example
 * import { label, textInput } from 'rapport-sdk/components'
 *
 * label('Your name', textInput.small('name').withMaxLength(80))
 */
export const textInput = {
  /** One line. `customId` has 1–100 characters. */
  small: (customId: string): TextInput => createTextInput({ type: 4, custom_id: customId, style: 1 }),
  /** Several lines. `customId` has 1–100 characters. */
  paragraph: (customId: string): TextInput => createTextInput({ type: 4, custom_id: customId, style: 2 }),
}

/** Up to 10 files that the user uploads, in a label. `customId` has 1–100 characters. Interface, "File Upload". */
export const fileUpload: (customId: string) => FileUpload = customIdFactory(fileUploadSpec)

/**
 * Options of which exactly one is chosen, in a label. `customId` has 1–100 characters; of options there are 2–10, one by
 * one or as an array. Interface, "Radio Group".
 *
 * @example
 * import { groupOption, label, radioGroup } from 'rapport-sdk/components'
 *
 * label('Size', radioGroup('size', groupOption('Small', 's'), groupOption('Large', 'l').withDefault()))
 */
export const radioGroup: {
  <const Given extends readonly GroupOptionInput[]>(
    customId: string,
    ...options: Sized<Given, 10, [unknown, unknown]>
  ): RadioGroup
  <const Given extends readonly GroupOptionInput[]>(
    customId: string,
    options: ArraySized<Given, 10, [unknown, unknown]>,
  ): RadioGroup
} = byOptions(radioGroupSpec)

/**
 * Options of which several may be chosen, in a label. `customId` has 1–100 characters; of options there are 2–10, one by
 * one or as an array. Interface, "Radio Group".
 */
export const checkboxGroup: {
  <const Given extends readonly GroupOptionInput[]>(
    customId: string,
    ...options: Sized<Given, 10, [unknown, unknown]>
  ): CheckboxGroup
  <const Given extends readonly GroupOptionInput[]>(
    customId: string,
    options: ArraySized<Given, 10, [unknown, unknown]>,
  ): CheckboxGroup
} = byOptions(checkboxGroupSpec)

/** One box to tick, in a label. `customId` has 1–100 characters. Interface, "Radio Group". */
export const checkbox: (customId: string) => Checkbox = customIdFactory(checkboxSpec)

/** An option of a radio or checkbox group. `label` has at most 100 characters, `value` 1–100. Interface, "Radio Group". */
export const groupOption: (label: string, value: string) => GroupOption = byLabel(groupOptionSpec)
