import { TextInputStyle } from '../constants'
import { MODAL } from './field'
import { both, CUSTOM_ID, integer, list, needed, OFF, ON, object, oneOf, part, row, text } from './kinds'
import { OPTION } from './selects'

/** Interface, "Text Input". Its deprecated label may be left out: a label takes its place. */
export const textInput = row(4, 'text input', MODAL, {
  custom_id: CUSTOM_ID,
  style: needed(oneOf(TextInputStyle)),
  label: text({ max: 45 }),
  min_length: integer({ max: 4000 }),
  max_length: integer({ min: 1, max: 4000 }),
  required: ON,
  value: text({ max: 4000 }),
  placeholder: text({ max: 100 }),
})

/** Interface, "File Upload". */
export const fileUpload = row(19, 'file upload', MODAL, {
  custom_id: CUSTOM_ID,
  min_values: integer({ max: 10 }, 0),
  max_values: integer({ max: 10 }, 10),
  required: OFF,
})

/** Interface, "Radio Group". */
export const groupOption = part('group option', OPTION)

const GROUP = { custom_id: CUSTOM_ID, options: needed(list({ min: 2, max: 10 }, object(groupOption))), required: ON }

/** Interface, "Radio Group". */
export const radioGroup = row(21, 'radio group', MODAL, GROUP)

/** Interface, "Radio Group". */
export const checkboxGroup = row(
  22,
  'checkbox group',
  MODAL,
  both(GROUP, {
    min_values: integer({ max: 10 }, 1),
    max_values: integer({ min: 1, max: 10 }),
  }),
)

/** Interface, "Radio Group". */
export const checkbox = row(23, 'checkbox', MODAL, { custom_id: CUSTOM_ID, default: OFF })
