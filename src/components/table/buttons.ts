import { ButtonStyle } from '../constants'
import { MESSAGE, type Styles } from './field'
import { EMOJI, required, DEFAULT_FALSE, oneOf, componentSpec, STRING, string } from './kinds'

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
  style: required(oneOf(ButtonStyle)),
  label: string({ max: 80 }),
  emoji: EMOJI,
  custom_id: string({ min: 1, max: 100 }),
  sku_id: STRING,
  url: string({ max: 512 }),
  disabled: DEFAULT_FALSE,
}

/** Interface, "Button". */
export const buttonSpec = componentSpec(2, 'button', MESSAGE, FIELDS, STYLES)
