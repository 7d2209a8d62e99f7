import { type PreviewOptions, toHtml } from 'rapport-sdk/preview'

const START = '<div class="rapport-preview" data-theme="auto">'

/** Renders a preview without styles and without its root element. */
export function renderBody(value: unknown, options: PreviewOptions = {}): string {
  const html = toHtml(value, { css: false, ...options })
  return html.slice(START.length, -'</div>'.length)
}

/** Renders one component. */
export function render(component: unknown, options?: PreviewOptions): string {
  return renderBody([component], options).slice('<div class="rp-stack">'.length, -'</div>'.length)
}

/** Renders the content of a text display. */
export function renderMarkdown(content: string): string {
  return render({ type: 10, content }).replace(/^<div class="rp-text(?: rp-large)?" dir="auto">(.*)<\/div>$/s, '$1')
}

/** Renders the content of a text display that is one paragraph. */
export function renderLine(content: string): string {
  return renderMarkdown(content).replace(/^<div>(.*)<\/div>$/s, '$1')
}
