import { ANYWHERE, MESSAGE, MODAL } from './field'
import {
  merge,
  CUSTOM_ID,
  EMOJI,
  boolean,
  INTEGER,
  integer,
  array,
  arrayOf,
  required,
  DEFAULT_FALSE,
  object,
  partSpec,
  componentSpec,
  STRING,
  string,
} from './kinds'

/** What options of selects and of groups have. Interface, "String Select" and "Radio Group". */
export const OPTION = {
  label: required(string({ max: 100 })),
  value: required(string({ min: 1, max: 100 })),
  description: string({ max: 100 }),
  default: DEFAULT_FALSE,
}

const SELECT = {
  custom_id: CUSTOM_ID,
  placeholder: string({ max: 150 }),
  min_values: integer({ max: 25 }, 1),
  max_values: integer({ max: 25 }, 1),
  required: boolean(true, MODAL),
  disabled: boolean(false, MESSAGE),
}

/** Interface, "String Select". */
export const optionSpec = partSpec('select option', merge(OPTION, { emoji: EMOJI }))

/** Interface, "String Select". */
export const stringSelectSpec = componentSpec(
  3,
  'string select',
  ANYWHERE,
  merge(SELECT, {
    options: required(array({ max: 25 }, object(optionSpec))),
  }),
)

/** Interface, "User Select". */
const DEFAULT = partSpec('select default value', { id: required(STRING), type: required(STRING) })
const AUTO = merge(SELECT, { default_values: array({ max: 25 }, object(DEFAULT)) })

/** Interface, "User Select". */
export const userSelectSpec = componentSpec(5, 'user select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const roleSelectSpec = componentSpec(6, 'role select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const mentionableSelectSpec = componentSpec(7, 'mentionable select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const channelSelectSpec = componentSpec(8, 'channel select', ANYWHERE, merge(AUTO, { channel_types: arrayOf(INTEGER) }))
