import { element, escapeHtml } from '../element'
import { inline } from './inline'
import { LIST_ITEM, list } from './list'

type Writer = (lines: readonly string[]) => string

const HEADING = /^(#{1,3}|-#) +(?=\S)/
const QUOTE = /^> ?/
const FENCE = '```'

function headings(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const mark = HEADING.exec(line)?.[1] ?? ''
      const content = inline(line.slice(mark.length).trim())
      return element(mark === '-#' ? 'small' : `h${mark.length}`, {}, content)
    })
    .join('')
}

function quote(lines: readonly string[]): string {
  return element('blockquote', {}, inline(lines.map((line) => line.replace(QUOTE, '')).join('\n')))
}

function paragraph(lines: readonly string[]): string {
  return element('div', {}, inline(lines.join('\n')))
}

/** The content of a fence: a language, alone on the first line, is not shown. */
function fenced(content: string): string {
  const code = escapeHtml(content.replace(/^[\w+-]{0,32}\n/, '').replace(/\n$/, ''))
  // A code block may be wider than the page: it scrolls, so the keyboard must get there.
  return `<pre tabindex="0"><code>${code}</code></pre>`
}

const KINDS: readonly (readonly [pattern: RegExp, write: Writer])[] = [
  [HEADING, headings],
  [QUOTE, quote],
  [LIST_ITEM, list],
]

/**
 * Markdown as HTML, in time that grows with its length alone: each line is looked at once, and where the end of a fence is
 * not found no fence comes after it. The document names Markdown and not its rules, so which part of it there is, is a convention.
 */
export function markdown(text: string): string {
  const blocks: string[] = []
  let lines: string[] = []
  let write: Writer = paragraph
  const flush = (): void => {
    if (lines.length > 0) blocks.push(write(lines))
    lines = []
  }
  for (let at = 0; at < text.length; ) {
    const close = text.startsWith(FENCE, at) ? text.indexOf(FENCE, at + 3) : -1
    if (close >= 0) {
      flush()
      blocks.push(fenced(text.slice(at + 3, close)))
      at = text[close + 3] === '\n' ? close + 4 : close + 3
      continue
    }
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    const next = KINDS.find(([pattern]) => pattern.test(line))?.[1] ?? paragraph
    if (next !== write) flush()
    write = next
    lines.push(line)
    at = end + 1
  }
  flush()
  return blocks.join('')
}
