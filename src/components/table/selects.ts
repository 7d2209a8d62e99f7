import { CUSTOM_ID, EMOJI, OPTION_FIELDS } from './fields'
import type { Part, Row } from './row'

const SELECT_FIELDS = {
  custom_id: CUSTOM_ID,
  placeholder: { kind: 'text', max: 150 },
  min_values: { kind: 'integer', max: 25, default: 1 },
  max_values: { kind: 'integer', max: 25, default: 1 },
  required: { kind: 'boolean', default: true, only: 'modal' },
  disabled: { kind: 'boolean', default: false, only: 'message' },
} as const
const PLACES = { group: 'interactive', usableIn: ['message', 'modal'] } as const

/** Interface, "String Select". */
export const option = {
  name: 'select option',
  fields: { ...OPTION_FIELDS, emoji: EMOJI },
} as const satisfies Part

/** Interface, "String Select". */
export const stringSelect = {
  type: 3,
  name: 'string select',
  ...PLACES,
  fields: { ...SELECT_FIELDS, options: { kind: 'list', of: { kind: 'part', part: option }, max: 25, required: true } },
} as const satisfies Row

/** Interface, "User Select". */
export const defaultValue = {
  name: 'select default value',
  fields: { id: { kind: 'text', required: true }, type: { kind: 'text', required: true } },
} as const satisfies Part

const AUTO_FIELDS = {
  ...SELECT_FIELDS,
  default_values: { kind: 'list', of: { kind: 'part', part: defaultValue }, max: 25 },
} as const

/** Interface, "User Select". */
export const userSelect = { type: 5, name: 'user select', ...PLACES, fields: AUTO_FIELDS } as const satisfies Row

/** Interface, "User Select". */
export const roleSelect = { type: 6, name: 'role select', ...PLACES, fields: AUTO_FIELDS } as const satisfies Row

/** Interface, "User Select". */
export const mentionableSelect = {
  type: 7,
  name: 'mentionable select',
  ...PLACES,
  fields: AUTO_FIELDS,
} as const satisfies Row

/** Interface, "User Select". */
export const channelSelect = {
  type: 8,
  name: 'channel select',
  ...PLACES,
  fields: { ...AUTO_FIELDS, channel_types: { kind: 'list', of: { kind: 'integer' } } },
} as const satisfies Row

/** Every select, as rows and labels take them. */
export const SELECTS = [stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect] as const
