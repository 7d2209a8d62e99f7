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
import type { ComponentMethods, DescriptionMethods, SpoilerMethods } from './methods'

declare abstract class TextDisplayMethods extends ComponentMethods {
  /** With another text, 1–4000 characters. */
  withContent(content: string): this
}

/** What `text` makes; immutable. Interface, "Text Display". */
export interface TextDisplay extends TextDisplayInput, TextDisplayMethods {}

declare abstract class MediaMethods {
  /** With other media: a URL, or an attachment. */
  withMedia(media: string | MediaInput): this
}

/** What `thumbnail` makes; immutable. Interface, "Thumbnail". */
export interface Thumbnail extends ThumbnailInput, ComponentMethods, MediaMethods, DescriptionMethods, SpoilerMethods {}

/** What `galleryItem` makes; immutable. Interface, "Media Gallery". */
export interface GalleryItem extends GalleryItemInput, MediaMethods, DescriptionMethods, SpoilerMethods {}

declare abstract class MediaGalleryMethods extends ComponentMethods {
  /** With more items; 1–10 in all. */
  addItems(...items: readonly GalleryItemInput[]): this
  /** With more items; 1–10 in all. */
  addItems(items: readonly GalleryItemInput[]): this
}

/** What `mediaGallery` makes; immutable. Interface, "Media Gallery". */
export interface MediaGallery extends MediaGalleryInput, MediaGalleryMethods {}

declare abstract class FileMethods extends ComponentMethods {
  /** With another attachment. */
  withFile(file: AttachmentUrl | AttachmentInput): this
}

/** What `file` makes; immutable. Interface, "File". */
export interface FileDisplay extends FileInput, FileMethods, SpoilerMethods {}

declare abstract class SeparatorMethods extends ComponentMethods {
  /** With a line, or without one. */
  withDivider(hasDivider?: boolean): this
  /** With another gap: small is 8 pixels, large 16, and twice that without a line. */
  withSpacing(spacing: 'small' | 'large'): this
}

/** What `separator` makes; immutable. Interface, "Separator". */
export interface Separator extends SeparatorInput, SeparatorMethods {}
