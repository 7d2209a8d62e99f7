import type {
  CheckboxGroupInput,
  CheckboxInput,
  FileUploadInput,
  GroupOptionInput,
  RadioGroupInput,
  TextInputInput,
} from '../input/modal-fields'
import type {
  DefaultMethods,
  DescriptionMethods,
  InteractiveMethods,
  LabelMethods,
  PlaceholderMethods,
  RequiredMethods,
  ValuesMethods,
} from './methods'
import type { OptionMethods } from './selects'

declare abstract class TextInputMethods extends InteractiveMethods {
  /**
   * With a label of its own.
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
}

/** A text input that `textInput.small` or `textInput.paragraph` makes; immutable. Interface, "Text Input". */
export interface TextInput extends TextInputInput, TextInputMethods, PlaceholderMethods, RequiredMethods {}

/** What `fileUpload` makes; immutable. Interface, "File Upload". */
export interface FileUpload extends FileUploadInput, InteractiveMethods, ValuesMethods, RequiredMethods {}

declare abstract class GroupMethods extends InteractiveMethods {
  /** With more options; 2–10 in all. */
  addOptions(...options: readonly GroupOptionInput[]): this
  /** With more options; 2–10 in all. */
  addOptions(options: readonly GroupOptionInput[]): this
}

/** What `radioGroup` makes; immutable. Interface, "Radio Group". */
export interface RadioGroup extends RadioGroupInput, GroupMethods, RequiredMethods {}

/** What `checkboxGroup` makes; immutable. Interface, "Radio Group". */
export interface CheckboxGroup extends CheckboxGroupInput, GroupMethods, ValuesMethods, RequiredMethods {}

/** What `checkbox` makes; immutable. Interface, "Radio Group". */
export interface Checkbox extends CheckboxInput, InteractiveMethods, DefaultMethods {}

/** An option that `groupOption` makes; immutable. Interface, "Radio Group". */
export interface GroupOption
  extends GroupOptionInput,
    OptionMethods,
    LabelMethods,
    DescriptionMethods,
    DefaultMethods {}
