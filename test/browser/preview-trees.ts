// The components of the examples, which run when they are imported.
import { page } from '../../examples/gallery-pages'

export { poll } from '../../examples/poll'
export { announcement } from '../../examples/release-announcement'
export { settings } from '../../examples/settings-modal'
/** First page of the gallery. */
export const gallery = page(0)
