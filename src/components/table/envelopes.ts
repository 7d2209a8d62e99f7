import { fileSpec, mediaGallerySpec, separatorSpec, textDisplaySpec } from './content'
import { CUSTOM_ID, INTEGER, arrayOf, required, partSpec, STRING, childComponent } from './kinds'
import { actionRowSpec, containerSpec, labelSpec, sectionSpec } from './layouts'

/** Interface, "Messages using the v2 component system". What else a message has, the document does not show. */
export const messageV2Spec = partSpec('message with IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: arrayOf(childComponent([actionRowSpec, textDisplaySpec, sectionSpec, mediaGallerySpec, separatorSpec, fileSpec, containerSpec])),
})

/** Interface, "Messages using the v2 component system": the behaviour without the flag. */
export const legacyMessageSpec = partSpec('message without IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: arrayOf(childComponent([actionRowSpec])),
})

/** The document gives no envelope: this one is a convention. */
export const modalSpec = partSpec('modal', {
  custom_id: CUSTOM_ID,
  title: required(STRING),
  components: required(arrayOf(childComponent([], [labelSpec, textDisplaySpec, actionRowSpec]))),
})

/** What no longer works with the flag. Interface, "Messages using the v2 component system". */
export const REPLACED = ['content', 'embeds', 'poll', 'stickers'] as const

/** What a message with the flag may hold in all. Interface, "Limits". */
export const TOTALS = { components: { max: 40 }, text: { max: 4000 } } as const
