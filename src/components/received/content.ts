import type { Open } from '../../contract/schema'
import type { SeparatorSpacing } from '../constants'
import type { ComponentFields } from '../input/fields'
import type { UnfurledMediaItem } from './media'

/** A small picture beside a section, as it is received. Interface, "Thumbnail". */
export interface ReceivedThumbnail extends ComponentFields {
  /** THUMBNAIL. */
  readonly type: 11
  /** What is shown. */
  readonly media: Readonly<UnfurledMediaItem>
  /** A text for those who do not see it. */
  readonly description?: string | null
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
}

/** One picture or video of a media gallery, as it is received. Interface, "Media Gallery". */
export interface ReceivedGalleryItem {
  /** What is shown. */
  readonly media: Readonly<UnfurledMediaItem>
  /** A text for those who do not see it. */
  readonly description?: string | null
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
}

/** Pictures and videos side by side, as they are received. Interface, "Media Gallery". */
export interface ReceivedMediaGallery extends ComponentFields {
  /** MEDIA_GALLERY. */
  readonly type: 12
  /** 1–10. */
  readonly items: readonly ReceivedGalleryItem[]
}

/** One file of a message, as it is received. Interface, "File". */
export interface ReceivedFile extends ComponentFields {
  /** FILE. */
  readonly type: 13
  /** The attachment. */
  readonly file: Readonly<UnfurledMediaItem>
  /** Whether it is blurred until it is clicked. */
  readonly spoiler?: boolean
  /** Name of the file. */
  readonly name?: string
  /** Size of the file in bytes. */
  readonly size?: number
}

/** A gap, as it is received. Interface, "Separator". */
export interface ReceivedSeparator extends ComponentFields {
  /** SEPARATOR. */
  readonly type: 14
  /** Whether there is a line. */
  readonly divider?: boolean
  /** How large it is. */
  readonly spacing?: Open<SeparatorSpacing>
}
