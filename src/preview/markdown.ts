import { element, escapeHtml, openLink, openTag, toWebUrl } from './html'

/**
 * Maps the index of each run of backticks to that of the next run of the same length, if any. Runs backwards, so that
 * each is visited once.
 */
function findCodeSpans(text: string): ReadonlyMap<number, number | undefined> {
  const nextOf = new Map<number, number>()
  const ends = new Map<number, number | undefined>()
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    ends.set(index, nextOf.get(run.length))
    nextOf.set(run.length, index)
  }
  return ends
}

/** Maximum length of a linked URL; the longest documented limit of a URL. */
const MAX_URL_LENGTH = 2048

/**
 * Returns the URL of a link between `](` and its `)`; balanced parentheses belong to the URL. Brackets do not, so no
 * part of the input is scanned for two links.
 */
function readLinkUrl(text: string, from: number): string | undefined {
  let depth = 0
  for (let at = from; at < text.length && at <= from + MAX_URL_LENGTH; at++) {
    const character = text[at] ?? ''
    if (/[\s[\]<>]/.test(character)) return undefined
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return toWebUrl(text.slice(from, at))
  }
  return undefined
}

/** HTML tags by pair of marks. */
const PAIRS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  '**': ['<strong>', '</strong>'],
  '*': ['<em>', '</em>'],
  __: ['<u>', '</u>'],
  _: ['<em>', '</em>'],
  '~~': ['<s>', '</s>'],
  '||': ['<details class="rp-hidden"><summary>Spoiler</summary><span>', '</span></details>'],
}

/**
 * HTML output with at most one open mark per kind. So looking one up takes constant time, and nesting is at most as
 * deep as there are kinds.
 */
class Marks {
  readonly #parts: string[] = []
  /** Index of the part of each open mark, in order of opening. */
  readonly #open = new Map<string, number>()

  /** Adds HTML. */
  add(html: string): void {
    this.#parts.push(html)
  }

  /** Adds escaped text. */
  text(text: string): void {
    if (text) this.add(escapeHtml(text))
  }

  /** Whether a mark is open. */
  has(mark: string): boolean {
    return this.#open.has(mark)
  }

  /** Whether a mark is the last one opened. */
  isLast(mark: string): boolean {
    return [...this.#open.keys()].pop() === mark
  }

  /** Opens a mark. It is text until closed; so is an earlier open mark of the same kind. */
  open(mark: string): void {
    this.#open.delete(mark)
    // A click that opens a spoiler in a link would also follow the link.
    if (mark === '||') this.#open.delete('[')
    this.#open.set(mark, this.#parts.length)
    this.text(mark)
  }

  /** Closes a mark, unless it would be empty; marks opened within it stay text. Returns whether it was closed. */
  close(mark: string, [begin, end] = PAIRS[mark] ?? ['', '']): boolean {
    const at = this.#open.get(mark) ?? 0
    for (const [other, from] of this.#open) if (from >= at) this.#open.delete(other)
    if (at === this.#parts.length - 1) return false
    this.#parts[at] = begin
    this.add(end)
    return true
  }

  toString(): string {
    return this.#parts.join('')
  }
}

/** Characters with a meaning: escapes, marks, brackets, line breaks. */
const TOKEN = /\\[!-/:-@[-`{-~]|`+|\*\*?|__?|~~|\|\||\[|\]\(|\n/g
const EMPHASIS = /[*_]/
const WORD = /[\p{L}\p{N}]/u

/** Whether a mark may open or close here: emphasis cannot next to a space, underscores cannot within a word. */
function canDelimit(mark: string, within = ' ', outside = ''): boolean {
  return !EMPHASIS.test(mark) || (within.trim() !== '' && !(mark[0] === '_' && WORD.test(outside)))
}

/** Renders the inline Markdown of one paragraph, in linear time. */
function renderInline(text: string): string {
  const marks = new Marks()
  const spans = findCodeSpans(text)
  const token = new RegExp(TOKEN)
  let end = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const { index } = match
    let [mark] = match
    marks.text(text.slice(end, index))
    end = index + mark.length
    const span = spans.get(index)
    const href = mark === '](' && marks.has('[') ? readLinkUrl(text, end) : undefined
    if (span !== undefined) {
      marks.add(element('code', {}, escapeHtml(text.slice(end, span))))
      end = span + mark.length
    } else if (href !== undefined && marks.close('[', [openLink(href), '</a>'])) end += href.length + 1
    else if (mark === '\n') marks.add('<br>')
    else if (mark[0] === '\\') marks.text(mark.slice(1))
    else if (mark[0] === '`' || mark === '](') marks.text(mark)
    else {
      const before = text[index - 1]
      const mayClose = mark !== '[' && canDelimit(mark, before, text[end])
      // Three in a row close the mark opened last first.
      const single = mark.slice(1)
      if (mayClose && EMPHASIS.test(single) && marks.isLast(single) && text[end] === single) {
        mark = single
        end--
      }
      if (mayClose && marks.has(mark)) {
        if (!marks.close(mark)) marks.text(mark)
      } else if (canDelimit(mark, text[end], before)) marks.open(mark)
      else marks.text(mark)
    }
    token.lastIndex = end
  }
  marks.text(text.slice(end))
  return marks.toString()
}

const HEADING = /^(#{1,3}|-#) +(?=\S)/
const QUOTE = /^> ?/
const FENCE = '```'
/** Start of a list item: indentation and, in ordered lists, number. */
const LIST_ITEM = /^( {0,8})(?:[-*]|(\d{1,9})\.) +(?=\S)/

/** Renders lists. Every two spaces of indentation are one level; levels are not skipped. */
function renderList(lines: readonly string[]): string {
  const tags: string[] = []
  let html = ''
  const close = (): void => {
    html += `</li></${tags.pop()}>`
  }
  for (const line of lines) {
    const [mark = '', indent = '', start] = LIST_ITEM.exec(line) ?? []
    const level = Math.min(indent.length >> 1, tags.length)
    const tag = start ? 'ol' : 'ul'
    while (tags.length > level + 1 || (tags.length > level && tags[level] !== tag)) close()
    if (tags.length > level) html += '</li>'
    else {
      html += openTag(tag, { start })
      tags.push(tag)
    }
    html += `<li>${renderInline(line.slice(mark.length))}`
  }
  while (tags.length > 0) close()
  return html
}

function renderHeadings(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const mark = HEADING.exec(line)?.[1] ?? ''
      const content = renderInline(line.slice(mark.length).trim())
      return element(mark === '-#' ? 'small' : `h${mark.length}`, {}, content)
    })
    .join('')
}

function renderQuote(lines: readonly string[]): string {
  return element('blockquote', {}, renderInline(lines.map((line) => line.replace(QUOTE, '')).join('\n')))
}

function renderParagraph(lines: readonly string[]): string {
  return element('div', {}, renderInline(lines.join('\n')))
}

/** Renders a fenced code block without the language on its first line. */
function renderCodeBlock(content: string): string {
  const code = escapeHtml(content.replace(/^[\w+-]{0,32}\n/, '').replace(/\n$/, ''))
  // A wide code block scrolls, so it must be focusable by keyboard.
  return `<pre tabindex="0"><code>${code}</code></pre>`
}

type BlockRenderer = (lines: readonly string[]) => string

/** Renderers of blocks by the pattern of their lines; other lines are paragraphs. */
const BLOCKS: readonly (readonly [pattern: RegExp, render: BlockRenderer])[] = [
  [HEADING, renderHeadings],
  [QUOTE, renderQuote],
  [LIST_ITEM, renderList],
]

/**
 * Renders Markdown in linear time: each line is visited once, and after an unclosed fence no further fence is searched.
 * The supported subset is a convention, since the interface document names Markdown but not its rules.
 */
export function renderMarkdown(text: string): string {
  const blocks: string[] = []
  let lines: string[] = []
  let render: BlockRenderer = renderParagraph
  const flush = (): void => {
    if (lines.length > 0) blocks.push(render(lines))
    lines = []
  }
  for (let at = 0; at < text.length; ) {
    const close = text.startsWith(FENCE, at) ? text.indexOf(FENCE, at + 3) : -1
    if (close >= 0) {
      flush()
      blocks.push(renderCodeBlock(text.slice(at + 3, close)))
      at = text[close + 3] === '\n' ? close + 4 : close + 3
      continue
    }
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    const next = BLOCKS.find(([pattern]) => pattern.test(line))?.[1] ?? renderParagraph
    if (next !== render) flush()
    render = next
    lines.push(line)
    at = end + 1
  }
  flush()
  return blocks.join('')
}
