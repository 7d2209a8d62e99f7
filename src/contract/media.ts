import { text } from './rules'
import {
  integer,
  nullable,
  type Open,
  type OpenObject,
  OpenObjectSchema,
  object,
  open,
  optional,
  string,
  type ValueOf,
} from './schema'

/** Loading states of a media item. Interface, "Unfurled Media Item". */
export const MediaLoadingState = {
  UNKNOWN: 0,
  LOADING: 1,
  LOADED_SUCCESS: 2,
  LOADED_NOT_FOUND: 3,
} as const
/** One of {@link MediaLoadingState}. */
export type MediaLoadingState = ValueOf<typeof MediaLoadingState>

/** Media in a response. Interface, "Unfurled Media Item". */
export interface UnfurledMediaItem {
  /** Any URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  url: string
  /** ID of the item. */
  id?: string
  /** URL of the copy that the service proxies. */
  proxy_url?: string
  /** Height in pixels, `null` if it has none. */
  height?: number | null
  /** Width in pixels, `null` if it has none. */
  width?: number | null
  /** Attachment flags. */
  flags?: number
  /** Media type, such as `image/png`. */
  content_type?: string
  /** Result of a content scan; its fields are not shown in the interface document. */
  content_scan_metadata?: OpenObject
  /** Version of the placeholder, currently 1. */
  placeholder_version?: number
  /** Low-resolution thumbhash. */
  placeholder?: string
  /** Loading state of the item. */
  loading_state?: Open<MediaLoadingState>
  /** ID of the attachment. */
  attachment_id?: string
}
export const UnfurledMediaItemSchema = /*@__PURE__*/ object<UnfurledMediaItem>()({
  url: string,
  id: optional(string),
  proxy_url: optional(string),
  height: optional(nullable(integer)),
  width: optional(nullable(integer)),
  flags: optional(integer),
  content_type: optional(string),
  content_scan_metadata: optional(OpenObjectSchema),
  placeholder_version: optional(integer),
  placeholder: optional(string),
  loading_state: optional(open('integer')),
  attachment_id: optional(string),
})

/**
 * Media in a request. Other fields are received-only: they are accepted but not sent. Interface, "Unfurled Media Item".
 */
export interface MediaItemInput {
  /** Any URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  url: string
}
export const MediaItemInputSchema = /*@__PURE__*/ object<MediaItemInput>()({ url: text({ max: 2048 }) })
