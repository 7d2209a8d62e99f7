import { ButtonStyle } from '../constants'
import { EMOJI, OFF, SNOWFLAKE } from './fields'
import type { Row } from './row'

/** Interface, "Button". */
export const button = {
  type: 2,
  name: 'button',
  group: 'interactive',
  usableIn: ['message'],
  fields: {
    style: { kind: 'integer', values: ButtonStyle, required: true },
    label: { kind: 'text', max: 80 },
    emoji: EMOJI,
    custom_id: { kind: 'text', min: 1, max: 100 },
    sku_id: SNOWFLAKE,
    url: { kind: 'text', max: 512 },
    disabled: OFF,
  },
  styles: [
    { values: [1, 2, 3, 4], needs: 'custom_id', refuses: ['url', 'sku_id'] },
    { values: [5], needs: 'url', refuses: ['custom_id', 'sku_id'] },
    { values: [6], needs: 'sku_id', refuses: ['custom_id', 'label', 'url', 'emoji'] },
  ],
} as const satisfies Row
