import type {
  CheckboxGroupInput,
  CheckboxInput,
  FileUploadInput,
  GroupOptionInput,
  RadioGroupInput,
  TextInputInput,
} from '../input/modal-fields'
import type { DefaultMethods, InteractiveMethods } from './methods'
import type { OptionMethods } from './selects'

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
