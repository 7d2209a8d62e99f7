import type { FileDisplay, GalleryItem, MediaGallery, Separator, TextDisplay, Thumbnail } from '../built/content'
import type { ArraySized, Sized } from '../built/sized'
import type { AttachmentInput, AttachmentUrl, GalleryItemInput, MediaInput } from '../input/content'
import { textDisplaySpec, thumbnailSpec, galleryItemSpec, mediaGallerySpec, fileSpec, separatorSpec } from '../table/content'
import { define, toFrozenArray, toMedia } from './define'

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
