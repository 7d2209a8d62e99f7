import { previewCss, toHtml } from 'rapport-sdk/preview'
import { h } from '../ui/element'

/** A preview of components. */
export interface Preview {
  readonly element: HTMLElement
  show(value: unknown): void
  /** Says why the preview is not that of the text. */
  markStale(why: string): void
}

/** Trusted Types, which TypeScript's libraries do not declare yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string }
}

// The only policy of the page: `toHtml` escapes every text.
const trustedTypes: TrustedTypes | undefined = Reflect.get(globalThis, 'trustedTypes')
const policy = trustedTypes?.createPolicy('preview', { createHTML: (html) => html })

/** Creates a preview in a shadow root, which isolates its styles from those of the page. */
export function createPreview(): Preview {
  const note = h('p', { class: 'note', role: 'status' })
  const page = h('div', { class: 'preview' })
  const root = page.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(previewCss)
  root.adoptedStyleSheets = [sheet]
  // The links of samples lead to pages that do not exist.
  root.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) event.preventDefault()
  })
  return {
    element: h('div', {}, note, page),
    show(value) {
      note.textContent = ''
      page.classList.remove('stale')
      const html = toHtml(value, { css: false, attachmentUrl: imageUrl })
      root.innerHTML = policy?.createHTML(html) ?? html
    },
    markStale(why) {
      note.textContent = why
      page.classList.add('stale')
    },
  }
}

/** Returns a placeholder image for an attachment, with a color derived from its name. */
function imageUrl(filename: string): string {
  const hue = [...filename].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" preserveAspectRatio="xMidYMid slice">
<rect width="40" height="30" fill="hsl(${hue} 45% 42%)"/><circle cx="20" cy="12" r="5" fill="#fff"/>
<path d="M10 30a10 10 0 0 1 20 0" fill="#fff"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
