import { ButtonStyle } from '../constants'
import { MESSAGE, type Styles } from './field'
import { EMOJI, needed, OFF, oneOf, row, STRING, text } from './kinds'

const INTERACTIVE = ['custom_id', 'url', 'sku_id'] as const
/** What each style needs, and what it refuses. Interface, "Button", 2 to 4. */
const STYLES: Styles = {
  1: INTERACTIVE,
  2: INTERACTIVE,
  3: INTERACTIVE,
  4: INTERACTIVE,
  5: ['url', 'custom_id', 'sku_id'],
  6: ['sku_id', 'custom_id', 'label', 'url', 'emoji'],
}
const FIELDS = {
  style: needed(oneOf(ButtonStyle)),
  label: text({ max: 80 }),
  emoji: EMOJI,
  custom_id: text({ min: 1, max: 100 }),
  sku_id: STRING,
  url: text({ max: 512 }),
  disabled: OFF,
}

/** Interface, "Button". */
export const button = row(2, 'button', MESSAGE, FIELDS, STYLES)
