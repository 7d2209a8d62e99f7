import { SeparatorSpacing } from '../constants'
import { OFF, ON, RECEIVED } from './fields'
import type { Part, Row } from './row'

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
} as const
const CONTENT = { group: 'content', usableIn: ['message'] } as const

/** Interface, "Unfurled Media Item". */
export const media = {
  name: 'media item',
  fields: { url: { kind: 'text', max: 2048, required: true }, ...RECEIVED_MEDIA },
} as const satisfies Part

/** Interface, "File": attachment references only. */
export const attachment = {
  name: 'attachment',
  fields: { url: { kind: 'text', max: 2048, prefix: 'attachment://', required: true }, ...RECEIVED_MEDIA },
} as const satisfies Part

const MEDIA_FIELDS = {
  media: { kind: 'part', part: media, required: true },
  description: { kind: 'text', max: 1024, nullable: true },
  spoiler: OFF,
} as const

/** Interface, "Text Display". */
export const text = {
  type: 10,
  name: 'text display',
  group: 'content',
  usableIn: ['message', 'modal'],
  fields: { content: { kind: 'text', min: 1, max: 4000, required: true } },
} as const satisfies Row

/** Interface, "Thumbnail". */
export const thumbnail = { type: 11, name: 'thumbnail', ...CONTENT, fields: MEDIA_FIELDS } as const satisfies Row

/** Interface, "Media Gallery". */
export const galleryItem = { name: 'media gallery item', fields: MEDIA_FIELDS } as const satisfies Part

/** Interface, "Media Gallery". */
export const mediaGallery = {
  type: 12,
  name: 'media gallery',
  ...CONTENT,
  fields: { items: { kind: 'list', of: { kind: 'part', part: galleryItem }, min: 1, max: 10, required: true } },
} as const satisfies Row

/** Interface, "File". */
export const file = {
  type: 13,
  name: 'file',
  ...CONTENT,
  fields: { file: { kind: 'part', part: attachment, required: true }, spoiler: OFF, name: RECEIVED, size: RECEIVED },
} as const satisfies Row

/** Interface, "Separator". */
export const separator = {
  type: 14,
  name: 'separator',
  group: 'layout',
  usableIn: ['message'],
  fields: { divider: ON, spacing: { kind: 'integer', values: SeparatorSpacing, default: 1 } },
} as const satisfies Row

/** Interface, "Content Inventory Entry": received alone. */
export const contentInventoryEntry = {
  type: 16,
  name: 'content inventory entry',
  group: 'content',
  usableIn: [],
  fields: { content_inventory_entry: RECEIVED },
} as const satisfies Row

/** Interface, "Checkpoint Card": received alone. */
export const checkpointCard = {
  type: 20,
  name: 'checkpoint card',
  group: 'content',
  usableIn: [],
  fields: { checkpoint_data: RECEIVED },
} as const satisfies Row
