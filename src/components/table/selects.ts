import { ANYWHERE, MESSAGE, MODAL } from './field'
import {
  both,
  CUSTOM_ID,
  EMOJI,
  flag,
  INTEGER,
  integer,
  list,
  listOf,
  needed,
  OFF,
  object,
  part,
  row,
  STRING,
  text,
} from './kinds'

/** What options of selects and of groups have. Interface, "String Select" and "Radio Group". */
export const OPTION = {
  label: needed(text({ max: 100 })),
  value: needed(text({ min: 1, max: 100 })),
  description: text({ max: 100 }),
  default: OFF,
}

const SELECT = {
  custom_id: CUSTOM_ID,
  placeholder: text({ max: 150 }),
  min_values: integer({ max: 25 }, 1),
  max_values: integer({ max: 25 }, 1),
  required: flag(true, MODAL),
  disabled: flag(false, MESSAGE),
}

/** Interface, "String Select". */
export const option = part('select option', both(OPTION, { emoji: EMOJI }))

/** Interface, "String Select". */
export const stringSelect = row(
  3,
  'string select',
  ANYWHERE,
  both(SELECT, {
    options: needed(list({ max: 25 }, object(option))),
  }),
)

/** Interface, "User Select". */
const DEFAULT = part('select default value', { id: needed(STRING), type: needed(STRING) })
const AUTO = both(SELECT, { default_values: list({ max: 25 }, object(DEFAULT)) })

/** Interface, "User Select". */
export const userSelect = row(5, 'user select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const roleSelect = row(6, 'role select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const mentionableSelect = row(7, 'mentionable select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const channelSelect = row(8, 'channel select', ANYWHERE, both(AUTO, { channel_types: listOf(INTEGER) }))
