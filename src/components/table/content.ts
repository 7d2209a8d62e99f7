import { SeparatorSpacing } from '../constants'
import { ANYWHERE, MESSAGE, NOWHERE } from './field'
import { both, list, needed, nullable, OFF, ON, object, oneOf, part, RECEIVED, row, text } from './kinds'

/** Interface, "Unfurled Media Item". */
const RECEIVED_MEDIA = {
  id: RECEIVED,
  proxy_url: RECEIVED,
  height: RECEIVED,
  width: RECEIVED,
  flags: RECEIVED,
  content_type: RECEIVED,
  content_scan_metadata: RECEIVED,
  placeholder_version: RECEIVED,
  placeholder: RECEIVED,
  loading_state: RECEIVED,
  attachment_id: RECEIVED,
}

/** Interface, "Unfurled Media Item". */
export const media = part('media item', both({ url: needed(text({ max: 2048 })) }, RECEIVED_MEDIA))

/** Interface, "File": attachment references only. */
const ATTACHMENT = part('attachment', both({ url: needed(text({ max: 2048 }, 'attachment://')) }, RECEIVED_MEDIA))

const SHOWN = { media: needed(object(media)), description: nullable(text({ max: 1024 })), spoiler: OFF }

/** Interface, "Text Display". */
export const textDisplay = row(10, 'text display', ANYWHERE, {
  content: needed(text({ min: 1, max: 4000 })),
})

/** Interface, "Thumbnail". */
export const thumbnail = row(11, 'thumbnail', MESSAGE, SHOWN)

/** Interface, "Media Gallery". */
export const galleryItem = part('media gallery item', SHOWN)

/** Interface, "Media Gallery". */
export const mediaGallery = row(12, 'media gallery', MESSAGE, {
  items: needed(list({ min: 1, max: 10 }, object(galleryItem))),
})

/** Interface, "File". */
export const file = row(13, 'file', MESSAGE, {
  file: needed(object(ATTACHMENT)),
  spoiler: OFF,
  name: RECEIVED,
  size: RECEIVED,
})

/** Interface, "Separator". */
export const separator = row(14, 'separator', MESSAGE, {
  divider: ON,
  spacing: oneOf(SeparatorSpacing, 1),
})

/** Interface, "Content Inventory Entry": received alone. */
export const contentInventoryEntry = row(16, 'content inventory entry', NOWHERE, {
  content_inventory_entry: RECEIVED,
})

/** Interface, "Checkpoint Card": received alone. */
export const checkpointCard = row(20, 'checkpoint card', NOWHERE, { checkpoint_data: RECEIVED })
