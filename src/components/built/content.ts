import type {
  AttachmentInput,
  AttachmentUrl,
  FileInput,
  GalleryItemInput,
  MediaGalleryInput,
  MediaInput,
  SeparatorInput,
  TextDisplayInput,
  ThumbnailInput,
} from '../input/content'
import type { ComponentMethods, SpoilerMethods } from './methods'

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
