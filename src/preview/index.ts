/**
 * What messages and modals look like: HTML of their components, escaped and without scripts. Interface, "Component Type".
 */
export { previewCss } from './css'
export type { PreviewOptions, PreviewTheme } from './options'
export { toHtml } from './to-html'
