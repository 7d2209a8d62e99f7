import { file, mediaGallery, separator, textDisplay } from './content'
import { CUSTOM_ID, INTEGER, listOf, needed, part, STRING, slot } from './kinds'
import { actionRow, container, label, section } from './layouts'

/** Interface, "Messages using the v2 component system". What else a message has, the document does not show. */
export const messageV2 = part('message with IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: listOf(slot([actionRow, textDisplay, section, mediaGallery, separator, file, container])),
})

/** Interface, "Messages using the v2 component system": the behaviour without the flag. */
export const legacyMessage = part('message without IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: listOf(slot([actionRow])),
})

/** The document gives no envelope: this one is a convention. */
export const modal = part('modal', {
  custom_id: CUSTOM_ID,
  title: needed(STRING),
  components: needed(listOf(slot([], [label, textDisplay, actionRow]))),
})

/** What no longer works with the flag. Interface, "Messages using the v2 component system". */
export const REPLACED = ['content', 'embeds', 'poll', 'stickers'] as const

/** What a message with the flag may hold in all. Interface, "Limits". */
export const TOTALS = { components: { max: 40 }, text: { max: 4000 } } as const
