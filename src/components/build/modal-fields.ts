import type { Checkbox, CheckboxGroup, FileUpload, GroupOption, RadioGroup, TextInput } from '../built/modal-fields'
import type { ArraySized, Sized } from '../built/sized'
import type { GroupOptionInput } from '../input/modal-fields'
import { textInputSpec, fileUploadSpec, radioGroupSpec, checkboxGroupSpec, checkboxSpec, groupOptionSpec } from '../table/modal-fields'
import { define } from './define'
import { customIdFactory, byLabel, byOptions } from './makers'

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
