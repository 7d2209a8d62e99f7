import { TextInputStyle } from '../constants'
import { MODAL } from './field'
import { merge, CUSTOM_ID, integer, array, required, DEFAULT_FALSE, DEFAULT_TRUE, object, oneOf, partSpec, componentSpec, string } from './kinds'
import { OPTION } from './selects'

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

const GROUP = { custom_id: CUSTOM_ID, options: required(array({ min: 2, max: 10 }, object(groupOptionSpec))), required: DEFAULT_TRUE }

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
