// The trees of the examples themselves, which run when they are loaded.
import { page } from '../../examples/gallery-pages'

export { poll } from '../../examples/poll'
export { announcement } from '../../examples/release-announcement'
export { settings } from '../../examples/settings-modal'
/** The first page. */
export const gallery = page(0)
