import { button } from './buttons'
import { file, mediaGallery, separator, text, thumbnail } from './content'
import { OFF } from './fields'
import { checkbox, checkboxGroup, fileUpload, radioGroup, textInput } from './modal-fields'
import type { Row } from './row'
import { SELECTS } from './selects'

const LAYOUT = { group: 'layout', usableIn: ['message'] } as const

/** Interface, "Action Row": up to five buttons, or one select; in modals, deprecated, one text input. */
export const row = {
  type: 1,
  name: 'action row',
  group: 'layout',
  usableIn: ['message', 'modal'],
  fields: {
    components: {
      kind: 'list',
      of: { kind: 'slot', message: [button, ...SELECTS], modal: [textInput] },
      max: 5,
      required: true,
    },
  },
} as const satisfies Row

/** Interface, "Section". */
export const section = {
  type: 9,
  name: 'section',
  ...LAYOUT,
  fields: {
    components: { kind: 'list', of: { kind: 'slot', message: [text] }, min: 1, max: 3, required: true },
    accessory: { kind: 'slot', message: [button, thumbnail], required: true },
  },
} as const satisfies Row

/** What stands in containers and, with them, at the top of messages. Interface, "Container". */
export const CHILDREN = [row, text, section, mediaGallery, separator, file] as const

/** Interface, "Container". */
export const container = {
  type: 17,
  name: 'container',
  ...LAYOUT,
  fields: {
    components: { kind: 'list', of: { kind: 'slot', message: CHILDREN }, min: 1, max: 10, required: true },
    accent_color: { kind: 'integer', nullable: true },
    spoiler: OFF,
  },
} as const satisfies Row

/** Interface, "Label". */
export const label = {
  type: 18,
  name: 'label',
  group: 'layout',
  usableIn: ['modal'],
  fields: {
    label: { kind: 'text', max: 45, required: true },
    description: { kind: 'text', max: 100 },
    component: {
      kind: 'slot',
      modal: [textInput, ...SELECTS, fileUpload, radioGroup, checkboxGroup, checkbox],
      required: true,
    },
  },
} as const satisfies Row
