import { TextInputStyle } from '../constants'
import { CUSTOM_ID, OFF, ON, OPTION_FIELDS } from './fields'
import type { Part, Row } from './row'

const PLACES = { group: 'interactive', usableIn: ['modal'] } as const

/** Interface, "Text Input". Its deprecated label may be left out: a label takes its place. */
export const textInput = {
  type: 4,
  name: 'text input',
  ...PLACES,
  fields: {
    custom_id: CUSTOM_ID,
    style: { kind: 'integer', values: TextInputStyle, required: true },
    label: { kind: 'text', max: 45 },
    min_length: { kind: 'integer', max: 4000 },
    max_length: { kind: 'integer', min: 1, max: 4000 },
    required: ON,
    value: { kind: 'text', max: 4000 },
    placeholder: { kind: 'text', max: 100 },
  },
} as const satisfies Row

/** Interface, "File Upload". */
export const fileUpload = {
  type: 19,
  name: 'file upload',
  ...PLACES,
  fields: {
    custom_id: CUSTOM_ID,
    min_values: { kind: 'integer', max: 10, default: 0 },
    max_values: { kind: 'integer', max: 10, default: 10 },
    required: OFF,
  },
} as const satisfies Row

/** Interface, "Radio Group". */
export const groupOption = { name: 'group option', fields: OPTION_FIELDS } as const satisfies Part

const GROUP_FIELDS = {
  custom_id: CUSTOM_ID,
  options: { kind: 'list', of: { kind: 'part', part: groupOption }, min: 2, max: 10, required: true },
  required: ON,
} as const

/** Interface, "Radio Group". */
export const radioGroup = { type: 21, name: 'radio group', ...PLACES, fields: GROUP_FIELDS } as const satisfies Row

/** Interface, "Radio Group". */
export const checkboxGroup = {
  type: 22,
  name: 'checkbox group',
  ...PLACES,
  fields: {
    ...GROUP_FIELDS,
    min_values: { kind: 'integer', max: 10, default: 1 },
    max_values: { kind: 'integer', min: 1, max: 10 },
  },
} as const satisfies Row

/** Interface, "Radio Group". */
export const checkbox = {
  type: 23,
  name: 'checkbox',
  ...PLACES,
  fields: { custom_id: CUSTOM_ID, default: OFF },
} as const satisfies Row
