import type { Checkbox, CheckboxGroup, FileUpload, GroupOption, RadioGroup, TextInput } from '../built/modal-fields'
import type { Sized } from '../built/sized'
import type { GroupOptionInput } from '../input/modal-fields'
import * as table from '../table/modal-fields'
import { define, listed } from './define'

const createTextInput = define<TextInput>(table.textInput)
const createFileUpload = define<FileUpload>(table.fileUpload)
const createRadioGroup = define<RadioGroup>(table.radioGroup)
const createCheckboxGroup = define<CheckboxGroup>(table.checkboxGroup)
const createCheckbox = define<Checkbox>(table.checkbox)
const createGroupOption = define<GroupOption>(table.groupOption)

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
export function fileUpload(customId: string): FileUpload {
  return createFileUpload({ type: 19, custom_id: customId })
}

/**
 * Options of which exactly one is chosen, in a label. Interface, "Radio Group".
 *
 * @param customId 1–100 characters.
 * @param options 2–10, one by one or as an array.
 */
export function radioGroup<const Options extends readonly GroupOptionInput[]>(
  customId: string,
  ...options: Sized<Options, 10, [unknown, unknown]>
): RadioGroup
export function radioGroup<const Options extends readonly GroupOptionInput[]>(
  customId: string,
  options: Sized<Options, 10, [unknown, unknown]>,
): RadioGroup
export function radioGroup(custom_id: string, ...options: readonly (object | readonly object[])[]): RadioGroup {
  return createRadioGroup({ type: 21, custom_id, options: listed(options) })
}

/**
 * Options of which several may be chosen, in a label. Interface, "Radio Group".
 *
 * @param customId 1–100 characters.
 * @param options 2–10, one by one or as an array.
 */
export function checkboxGroup<const Options extends readonly GroupOptionInput[]>(
  customId: string,
  ...options: Sized<Options, 10, [unknown, unknown]>
): CheckboxGroup
export function checkboxGroup<const Options extends readonly GroupOptionInput[]>(
  customId: string,
  options: Sized<Options, 10, [unknown, unknown]>,
): CheckboxGroup
export function checkboxGroup(custom_id: string, ...options: readonly (object | readonly object[])[]): CheckboxGroup {
  return createCheckboxGroup({ type: 22, custom_id, options: listed(options) })
}

/** One box to tick, in a label. `customId` has 1–100 characters. Interface, "Radio Group". */
export function checkbox(customId: string): Checkbox {
  return createCheckbox({ type: 23, custom_id: customId })
}

/** An option of a radio or checkbox group. `label` has at most 100 characters, `value` 1–100. Interface, "Radio Group". */
export function groupOption(label: string, value: string): GroupOption {
  return createGroupOption({ value, label })
}
