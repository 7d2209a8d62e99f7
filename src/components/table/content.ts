import { SeparatorSpacing } from '../constants'
import { ANYWHERE, MESSAGE, NOWHERE } from './field'
import { merge, array, required, nullable, DEFAULT_FALSE, DEFAULT_TRUE, object, oneOf, partSpec, RECEIVED, componentSpec, string } from './kinds'

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
export const mediaSpec = partSpec('media item', merge({ url: required(string({ max: 2048 })) }, RECEIVED_MEDIA))

/** Interface, "File": attachment references only. */
const ATTACHMENT = partSpec('attachment', merge({ url: required(string({ max: 2048 }, 'attachment://')) }, RECEIVED_MEDIA))

const SHOWN = { media: required(object(mediaSpec)), description: nullable(string({ max: 1024 })), spoiler: DEFAULT_FALSE }

/** Interface, "Text Display". */
export const textDisplaySpec = componentSpec(10, 'text display', ANYWHERE, {
  content: required(string({ min: 1, max: 4000 })),
})

/** Interface, "Thumbnail". */
export const thumbnailSpec = componentSpec(11, 'thumbnail', MESSAGE, SHOWN)

/** Interface, "Media Gallery". */
export const galleryItemSpec = partSpec('media gallery item', SHOWN)

/** Interface, "Media Gallery". */
export const mediaGallerySpec = componentSpec(12, 'media gallery', MESSAGE, {
  items: required(array({ min: 1, max: 10 }, object(galleryItemSpec))),
})

/** Interface, "File". */
export const fileSpec = componentSpec(13, 'file', MESSAGE, {
  file: required(object(ATTACHMENT)),
  spoiler: DEFAULT_FALSE,
  name: RECEIVED,
  size: RECEIVED,
})

/** Interface, "Separator". */
export const separatorSpec = componentSpec(14, 'separator', MESSAGE, {
  divider: DEFAULT_TRUE,
  spacing: oneOf(SeparatorSpacing, 1),
})

/** Interface, "Content Inventory Entry": received alone. */
export const contentInventoryEntrySpec = componentSpec(16, 'content inventory entry', NOWHERE, {
  content_inventory_entry: RECEIVED,
})

/** Interface, "Checkpoint Card": received alone. */
export const checkpointCardSpec = componentSpec(20, 'checkpoint card', NOWHERE, { checkpoint_data: RECEIVED })
