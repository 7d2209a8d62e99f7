import { text } from './content'
import { CUSTOM_ID } from './fields'
import { CHILDREN, container, label, row } from './layouts'
import type { Part } from './row'

/** Interface, "Messages using the v2 component system". What else a message has, the document does not show. */
export const messageV2 = {
  name: 'message with IS_COMPONENTS_V2',
  fields: {
    flags: { kind: 'integer', required: true },
    components: { kind: 'list', of: { kind: 'slot', message: [...CHILDREN, container] } },
  },
} as const satisfies Part

/** Interface, "Messages using the v2 component system": the behaviour without the flag. */
export const legacyMessage = {
  name: 'message without IS_COMPONENTS_V2',
  fields: { flags: { kind: 'integer' }, components: { kind: 'list', of: { kind: 'slot', message: [row] } } },
} as const satisfies Part

/** What no longer works with the flag. Interface, "Messages using the v2 component system". */
export const REPLACED = ['content', 'embeds', 'poll', 'stickers'] as const

/** What a message with the flag may hold in all. Interface, "Limits". */
export const TOTALS = { components: { max: 40 }, text: { max: 4000 } } as const

/** The document gives no envelope: this one is a convention. */
export const modal = {
  name: 'modal',
  fields: {
    custom_id: CUSTOM_ID,
    title: { kind: 'text', required: true },
    components: { kind: 'list', of: { kind: 'slot', modal: [label, text, row] }, required: true },
  },
} as const satisfies Part

/** What has fields that the document does not show. */
export const ENVELOPES: readonly Part[] = [messageV2, legacyMessage, modal]
