import type { UnfurledMediaItem as AnyItem, MediaLoadingState as AnyState } from '../../contract/media'

// Declared anew: a declaration bundler takes types that are only passed on for values.

/** Media as it is received. Interface, "Unfurled Media Item". */
export type UnfurledMediaItem = AnyItem

/** How far the service is with media. Interface, "Unfurled Media Item". */
export type MediaLoadingState = AnyState
