// What previews in tests and pictures show. The examples run when they are imported.
import { page } from '../../examples/gallery-pages'

export { poll } from '../../examples/poll'
export { announcement } from '../../examples/release-announcement'
export { settings } from '../../examples/settings-modal'
/** First page of the gallery. */
export const gallery = page(0)

/** Colors of the pictures, dark enough for white shapes. */
const COLORS = ['#3366ff', '#1f9e8f', '#5c677d', '#a8447a', '#b3622d']

/** Returns a drawn picture as a `data:` URL, wide or tall, so that a cropped one can be told from a whole one. */
export function picture(at: number, shape: 'tall' | 'wide'): string {
  const [width, height] = shape === 'tall' ? [300, 480] : [480, 300]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${COLORS[at % COLORS.length]}"/>
<rect x="10" y="10" width="${width - 20}" height="${height - 20}" fill="none" stroke="#fff" stroke-width="6"/>
<circle cx="50%" cy="50%" r="70" fill="#fff"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Returns a drawn banner with a title as a `data:` URL. */
export function banner(title: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="140">
<rect width="100%" height="100%" fill="#3f48cc"/>
<text x="50%" y="60%" fill="#fff" font-family="sans-serif" font-size="56" text-anchor="middle">${title}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
