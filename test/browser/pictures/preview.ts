// Pictures of the announcement and of the modal of the examples, as previews.
import { join } from 'node:path'
import { toHtml } from 'rapport-sdk/preview'
import { announcement, settings } from '../preview-content'
import { type PictureSet, save } from './picture-set'

/** Colors of the placeholder images for attachments. */
const COLORS: Readonly<Record<string, string>> = {
  'passkeys.png': '#3366ff',
  'before.png': '#5c677d',
  'after.png': '#1f9e8f',
}

function attachmentUrl(filename: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" preserveAspectRatio="xMidYMid slice">
<rect width="40" height="30" fill="${COLORS[filename]}"/><circle cx="20" cy="12" r="5" fill="#fff"/>
<path d="M10 30a10 10 0 0 1 20 0" fill="#fff"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const THEMES = ['light', 'dark'] as const

function pageOf(theme: (typeof THEMES)[number]): string {
  const background = theme === 'dark' ? '#101216' : '#e9ebee'
  const previews = [announcement, settings].map((tree, at) => {
    return `<div>${toHtml(tree, { theme, attachmentUrl, idPrefix: `shot-${at}` })}</div>`
  })
  return `<!doctype html><html lang="en"><style>
body{margin:0;padding:16px;display:grid;grid-template-columns:1fr 1fr;gap:16px;align-items:start;width:868px;background:${background}}
.rapport-preview{border-radius:12px}</style>${previews.join('')}`
}

export const preview: PictureSet = {
  source: async () => THEMES.map(pageOf).join('\n'),
  async draw(browser, folder) {
    for (const theme of THEMES) {
      const page = await browser.newPage({ viewport: { width: 900, height: 800 }, deviceScaleFactor: 1.25 })
      await page.setContent(pageOf(theme))
      await save(page, join(folder, `preview-${theme}.png`), true)
      await page.close()
    }
  },
}
