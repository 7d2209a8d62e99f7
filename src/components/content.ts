import type { ComponentFields, ComponentMethods, Never, SpoilerMethods } from './base'
import { SeparatorSpacing } from './constants'
import { define, toFrozenArray, toMedia } from './factory'
import {
  ANYWHERE,
  array,
  componentSpec,
  DEFAULT_FALSE,
  DEFAULT_TRUE,
  MESSAGE,
  merge,
  NOWHERE,
  nullable,
  object,
  oneOf,
  partSpec,
  RECEIVED,
  required,
  string,
} from './schema'
import type { ArraySized, Sized } from './type-errors'

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
const ATTACHMENT = partSpec(
  'attachment',
  merge({ url: required(string({ max: 2048 }, 'attachment://')) }, RECEIVED_MEDIA),
)

const SHOWN = {
  media: required(object(mediaSpec)),
  description: nullable(string({ max: 1024 })),
  spoiler: DEFAULT_FALSE,
}

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

/** The fields of media and of files that the service alone writes. Interface, "Unfurled Media Item". */
export type ReceivedMediaField =
  | 'id'
  | 'proxy_url'
  | 'height'
  | 'width'
  | 'flags'
  | 'content_type'
  | 'content_scan_metadata'
  | 'placeholder_version'
  | 'placeholder'
  | 'loading_state'
  | 'attachment_id'

/** Media to show. Interface, "Unfurled Media Item". */
export interface MediaInput extends Never<ReceivedMediaField> {
  /** Any URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  readonly url: string
}

/** A reference to a file that is sent with the message: `attachment://shot.png`. Interface, "Unfurled Media Item". */
export type AttachmentUrl = `attachment://${string}`

/** A file that is sent with the message. Interface, "File". */
export interface AttachmentInput extends Never<ReceivedMediaField> {
  /** `attachment://<filename>`; at most 2048 characters. No other URL will do. */
  readonly url: AttachmentUrl
}

/** A text in Markdown, with mentions and emoji. Interface, "Text Display". */
export interface TextDisplayInput extends ComponentFields {
  /** TEXT_DISPLAY. */
  readonly type: 10
  /** 1–4000 characters. Its mentions ping as the message's `allowed_mentions` says. */
  readonly content: string
}

/** A small picture beside a section. Interface, "Thumbnail". */
export interface ThumbnailInput extends ComponentFields {
  /** THUMBNAIL. */
  readonly type: 11
  /** What is shown. */
  readonly media: MediaInput
  /** A text for those who do not see it, at most 1024 characters. */
  readonly description?: string | null
  /**
   * Whether it is blurred until it is clicked.
   * @default false
   */
  readonly spoiler?: boolean
}

/** One picture or video of a media gallery. Interface, "Media Gallery". */
export interface GalleryItemInput {
  /** What is shown. */
  readonly media: MediaInput
  /** A text for those who do not see it, at most 1024 characters. */
  readonly description?: string | null
  /**
   * Whether it is blurred until it is clicked.
   * @default false
   */
  readonly spoiler?: boolean
}

/** Pictures and videos side by side. Interface, "Media Gallery". */
export interface MediaGalleryInput extends ComponentFields {
  /** MEDIA_GALLERY. */
  readonly type: 12
  /** 1–10. */
  readonly items: readonly GalleryItemInput[]
}

/** One file of the message. Interface, "File". */
export interface FileInput extends ComponentFields, Never<'name' | 'size'> {
  /** FILE. */
  readonly type: 13
  /** The attachment. */
  readonly file: AttachmentInput
  /**
   * Whether it is blurred until it is clicked.
   * @default false
   */
  readonly spoiler?: boolean
}

/** A gap, with a line or without. Interface, "Separator". */
export interface SeparatorInput extends ComponentFields {
  /** SEPARATOR. */
  readonly type: 14
  /**
   * Whether there is a line.
   * @default true
   */
  readonly divider?: boolean
  /**
   * SMALL or LARGE.
   * @default 1
   */
  readonly spacing?: 1 | 2
}

declare abstract class TextDisplayMethods extends ComponentMethods {
  /** With another text, 1–4000 characters. */
  withContent(content: string): this
}

/** What `text` makes; immutable. Interface, "Text Display". */
export interface TextDisplay extends TextDisplayInput, TextDisplayMethods {}

declare abstract class MediaMethods {
  /** With other media: a URL of whatever kind, or an `attachment://<filename>` reference; at most 2048 characters. */
  withMedia(media: string | MediaInput): this
  /** With a text for those who do not see it, at most 1024 characters. */
  withDescription(description: string): this
}

/** What `thumbnail` makes; immutable. Interface, "Thumbnail". */
export interface Thumbnail extends ThumbnailInput, ComponentMethods, MediaMethods, SpoilerMethods {}

/** What `galleryItem` makes; immutable. Interface, "Media Gallery". */
export interface GalleryItem extends GalleryItemInput, MediaMethods, SpoilerMethods {}

declare abstract class MediaGalleryMethods extends ComponentMethods {
  /** With more items; 1–10 in all. */
  addItems(...items: readonly GalleryItemInput[]): this
  /** With more items; 1–10 in all. */
  addItems(items: readonly GalleryItemInput[]): this
}

/** What `mediaGallery` makes; immutable. Interface, "Media Gallery". */
export interface MediaGallery extends MediaGalleryInput, MediaGalleryMethods {}

declare abstract class FileMethods extends ComponentMethods {
  /** With another attachment: an `attachment://<filename>` reference of at most 2048 characters, and no other URL. */
  withFile(file: AttachmentUrl | AttachmentInput): this
}

/** What `file` makes; immutable. Interface, "File". */
export interface FileDisplay extends FileInput, FileMethods, SpoilerMethods {}

declare abstract class SeparatorMethods extends ComponentMethods {
  /**
   * With a line, or without one. A separator that this was not called on has a line.
   *
   * @param hasDivider `true` where it is left out.
   */
  withDivider(hasDivider?: boolean): this
  /** With another gap: small is 8 pixels, large 16, and twice that without a line. Small where this was not called. */
  withSpacing(spacing: 'small' | 'large'): this
}

/** What `separator` makes; immutable. Interface, "Separator". */
export interface Separator extends SeparatorInput, SeparatorMethods {}

const createText = define<TextDisplay>(textDisplaySpec)
const createThumbnail = define<Thumbnail>(thumbnailSpec)
const createGalleryItem = define<GalleryItem>(galleryItemSpec)
const createMediaGallery = define<MediaGallery>(mediaGallerySpec)
const createFile = define<FileDisplay>(fileSpec)
const createSeparator = define<Separator>(separatorSpec)

/** A text of 1–4000 characters in Markdown, with mentions and emoji. Interface, "Text Display". */
export function text(content: string): TextDisplay {
  return createText({ type: 10, content })
}

/** The URL of a file that is sent with the message, by its name. Interface, "Unfurled Media Item". */
export function attachment<const Name extends string>(filename: Name): `attachment://${Name}` {
  return `attachment://${filename}`
}

/** A small picture for a section's accessory, by URL or attachment. Interface, "Thumbnail". */
export function thumbnail(media: string | MediaInput): Thumbnail {
  return createThumbnail({ type: 11, media: toMedia(media) })
}

/** A picture or video of a media gallery, by URL or attachment. Interface, "Media Gallery". */
export function galleryItem(media: string | MediaInput): GalleryItem {
  return createGalleryItem({ media: toMedia(media) })
}

/**
 * Pictures and videos side by side. Interface, "Media Gallery".
 *
 * @param items 1–10, one by one or as an array.
 *
 * @example
 * import { attachment, galleryItem, mediaGallery } from 'rapport-sdk/components'
 *
 * mediaGallery(galleryItem(attachment('before.png')), galleryItem(attachment('after.png')).withSpoiler())
 */
export function mediaGallery<const Items extends readonly GalleryItemInput[]>(
  ...items: Sized<Items, 10, [unknown]>
): MediaGallery
export function mediaGallery<const Items extends readonly GalleryItemInput[]>(
  items: ArraySized<Items, 10, [unknown]>,
): MediaGallery
export function mediaGallery(...items: readonly (object | readonly object[])[]): MediaGallery {
  return createMediaGallery({ type: 12, items: toFrozenArray(items) })
}

/** A file that is sent with the message; `attachment(filename)` refers to it. Interface, "File". */
export function file(attachment: AttachmentUrl | AttachmentInput): FileDisplay {
  return createFile({ type: 13, file: toMedia(attachment) })
}

/** A gap, with a line unless that is turned off. Interface, "Separator". */
export function separator(): Separator {
  return createSeparator({ type: 14 })
}
