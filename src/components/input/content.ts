import type { ComponentFields, Never } from './fields'

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
