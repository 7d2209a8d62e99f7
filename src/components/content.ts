// Media, text and files in messages.
import type { ComponentFields, ComponentMethods, Never, SpoilerFields, SpoilerMethods } from './base'
import { type Convert, define, toFrozen, toFrozenArray, toMedia } from './factory'
import {
  fileSpec,
  galleryItemSpec,
  mediaGallerySpec,
  type ReceivedMediaField,
  separatorSpec,
  textDisplaySpec,
  thumbnailSpec,
} from './specs'
import type { Child, ChildArguments } from './type-errors'

/** Media to show. API, "Unfurled Media Item". */
export interface MediaInput extends Never<ReceivedMediaField> {
  /** Any URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  readonly url: string
}

/** Reference to a file sent with the message: `attachment://shot.png`. API, "Unfurled Media Item". */
export type AttachmentUrl = `attachment://${string}`

/** File sent with the message. API, "File". */
export interface AttachmentInput extends Never<ReceivedMediaField> {
  /** `attachment://<filename>`, at most 2048 characters. No other URL is allowed. */
  readonly url: AttachmentUrl
}

/** Markdown text with mentions and emoji. API, "Text Display". */
export interface TextDisplayInput extends ComponentFields<10> {
  /** 1–4000 characters. Mentions ping according to the `allowed_mentions` of the message. */
  readonly content: string
}

/** Picture or video in a media gallery. API, "Media Gallery". */
export interface GalleryItemInput extends SpoilerFields {
  /** Media to show. */
  readonly media: MediaInput
  /** Alternative text, at most 1024 characters. */
  readonly description?: string | null
}

/** Small picture next to a section. API, "Thumbnail". */
export interface ThumbnailInput extends ComponentFields<11>, GalleryItemInput {}

/** Pictures and videos in a grid. API, "Media Gallery". */
export interface MediaGalleryInput extends ComponentFields<12> {
  /** 1–10 items. */
  readonly items: readonly GalleryItemInput[]
}

/** File attached to the message. API, "File". */
export interface FileInput extends ComponentFields<13>, SpoilerFields, Never<'name' | 'size'> {
  /** Attachment to show. */
  readonly file: AttachmentInput
}

/** Vertical gap, with or without a line. API, "Separator". */
export interface SeparatorInput extends ComponentFields<14> {
  /** Whether to show a line. Default: `true`. */
  readonly divider?: boolean
  /** `SeparatorSpacing.SMALL` or `LARGE`. Default: `1`. */
  readonly spacing?: 1 | 2
}

declare abstract class TextDisplayMethods extends ComponentMethods {
  /** Returns a copy with this text, 1–4000 characters. */
  withContent(content: string): this
}

/** Component created by `text`; immutable. API, "Text Display". */
export interface TextDisplay extends TextDisplayInput, TextDisplayMethods {}

declare abstract class MediaMethods {
  /** Returns a copy with this media: a URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  withMedia(media: string | MediaInput): this
  /** Returns a copy with this alternative text, at most 1024 characters. */
  withDescription(description: string | undefined): this
}

/** Component created by `thumbnail`; immutable. API, "Thumbnail". */
export interface Thumbnail extends ThumbnailInput, ComponentMethods, MediaMethods, SpoilerMethods {}

/** Item created by `galleryItem`; immutable. API, "Media Gallery". */
export interface GalleryItem extends GalleryItemInput, MediaMethods, SpoilerMethods {}

declare abstract class MediaGalleryMethods extends ComponentMethods {
  /** Returns a copy with items and URLs added; 1–10 in total. */
  addItems(...items: readonly Child<string | GalleryItemInput>[]): this
}

/** Component created by `mediaGallery`; immutable. API, "Media Gallery". */
export interface MediaGallery extends MediaGalleryInput, MediaGalleryMethods {}

declare abstract class FileMethods extends ComponentMethods {
  /** Returns a copy with this attachment: `attachment://<filename>`, at most 2048 characters; no other URL. */
  withFile(file: AttachmentUrl | AttachmentInput): this
}

/** Component created by `file`; immutable. API, "File". */
export interface FileDisplay extends FileInput, FileMethods, SpoilerMethods {}

declare abstract class SeparatorMethods extends ComponentMethods {
  /** Returns a copy with a line, or without one with `false`. Shown unless called. */
  withDivider(hasDivider?: boolean): this
  /** Returns a copy with this spacing: small is 8 pixels, large 16, doubled without a line. Small unless called. */
  withSpacing(spacing: 'small' | 'large' | undefined): this
}

/** Component created by `separator`; immutable. API, "Separator". */
export interface Separator extends SeparatorInput, SeparatorMethods {}

/** Creates a text display: 1–4000 characters of Markdown, with mentions and emoji. API, "Text Display". */
export const text: (content: string) => TextDisplay = define(textDisplaySpec, function (content: string) {
  this.type = 10
  this.content = content
})

/** Converts children to an array, with strings as text displays. @internal */
export const toTextDisplays = (...children: readonly unknown[]): readonly unknown[] =>
  toFrozenArray(children, (child) => (typeof child === 'string' ? text(child) : toFrozen(child)))

/** Returns the URL that refers to a file sent with the message. API, "Unfurled Media Item". */
export const attachment = <const Name extends string>(filename: Name): `attachment://${Name}` =>
  `attachment://${filename}`

/** Creates a thumbnail, the accessory of a section, from a URL or attachment. API, "Thumbnail". */
export const thumbnail: (media: string | MediaInput) => Thumbnail = define(
  thumbnailSpec,
  function (media: unknown) {
    this.type = 11
    this.media = toMedia(media)
  },
  toMedia,
)

/** Creates an item of a media gallery from a URL or attachment. API, "Media Gallery". */
export const galleryItem: (media: string | MediaInput) => GalleryItem = define(
  galleryItemSpec,
  function (media: unknown) {
    this.media = toMedia(media)
  },
  toMedia,
)

/** Converts children to items of a media gallery. @internal */
export const toGalleryItems: Convert = (...children) =>
  toFrozenArray(children, (child) => (typeof child === 'string' ? galleryItem(child) : toFrozen(child)))

/**
 * Creates a gallery of 1–10 pictures and videos, passed as items or as URLs. Flattens arrays and skips `null`,
 * `undefined` and `false`. API, "Media Gallery".
 *
 * @example
 * import { attachment, galleryItem, mediaGallery } from 'rapport-sdk/components'
 *
 * mediaGallery(attachment('before.png'), galleryItem(attachment('after.png')).withSpoiler())
 */
export const mediaGallery: <const Given extends readonly Child<string | GalleryItemInput>[]>(
  ...items: ChildArguments<Given, string | GalleryItemInput, object, 10, [unknown]>
) => MediaGallery = define(
  mediaGallerySpec,
  function (...items: readonly unknown[]) {
    this.type = 12
    this.items = toGalleryItems(...items)
  },
  toGalleryItems,
)

/** Creates a component that shows a file sent with the message: `file(attachment(filename))`. API, "File". */
export const file: (attachment: AttachmentUrl | AttachmentInput) => FileDisplay = define(
  fileSpec,
  function (attachment: unknown) {
    this.type = 13
    this.file = toMedia(attachment)
  },
  toMedia,
)

/** Creates a separator: a small gap with a line. API, "Separator". */
export const separator: () => Separator = define(separatorSpec, function () {
  this.type = 14
})
