import { type PreviewOptions, toHtml } from 'rapport-sdk/preview'

const START = '<div class="rapport-preview" data-theme="auto">'

/** What stands in a preview without styles. */
export function body(value: unknown, options: PreviewOptions = {}): string {
  const html = toHtml(value, { css: false, ...options })
  return html.slice(START.length, -'</div>'.length)
}

/** What one component of a list becomes. */
export function shown(component: unknown, options?: PreviewOptions): string {
  return body([component], options).slice('<div class="rp-stack">'.length, -'</div>'.length)
}

/** What the content of a text display becomes. */
export function marked(content: string): string {
  return shown({ type: 10, content }).slice('<div class="rp-text" dir="auto">'.length, -'</div>'.length)
}

/** What a text of one paragraph becomes. */
export function lined(content: string): string {
  return marked(content).replace(/^<div>(.*)<\/div>$/s, '$1')
}
