import { previewCss, toHtml } from 'rapport-sdk/preview'
import { h } from './element'

/** Shows components as they may look. */
export interface Preview {
  readonly element: HTMLElement
  show(value: unknown): void
  /** What is shown is of a text that can no longer be read. */
  growOld(): void
}

/** A preview in a shadow root, so that its styles and those of the page keep apart. */
export function createPreview(): Preview {
  const note = h('p', { class: 'note', role: 'status' })
  const page = h('div', { class: 'preview' })
  const root = page.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(previewCss)
  root.adoptedStyleSheets = [sheet]
  // Its links lead to pages that there are not.
  root.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) event.preventDefault()
  })
  return {
    element: h('div', {}, note, page),
    show(value) {
      note.textContent = ''
      page.classList.remove('old')
      // The one place of the page where HTML is read: `toHtml` escapes every text.
      root.innerHTML = toHtml(value, { css: false, attachmentUrl: picture })
    },
    growOld() {
      note.textContent = 'Preview of the last readable JSON'
      page.classList.add('old')
    },
  }
}

/** A picture in place of an attachment, in a colour of its name's own. */
function picture(filename: string): string {
  const hue = [...filename].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" preserveAspectRatio="xMidYMid slice">
<rect width="40" height="30" fill="hsl(${hue} 45% 42%)"/><circle cx="20" cy="12" r="5" fill="#fff"/>
<path d="M10 30a10 10 0 0 1 20 0" fill="#fff"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
