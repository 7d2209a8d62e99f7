import { unsafeCast } from '../components/plain-object'
import {
  element,
  escapeHtml,
  mentionText,
  openLink,
  openTag,
  type PreviewTimeStyle,
  type RenderContext,
  renderEmoji,
  resolveText,
  toWebUrl,
  tryGet,
} from './html'

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

/** URL of a link in angle brackets, to the end of the link. */
const BRACKETED_URL = /<(https?:\/\/[^\s[\]<>]{1,2040})>\)/y

/**
 * Returns the URL of a link between `](` and its `)`, and the index after it. Balanced parentheses belong to the URL.
 * Brackets do not, so no part of the input is scanned for two links.
 */
function readLinkUrl(text: string, from: number): readonly [url: string, end: number] | undefined {
  const bracketed = new RegExp(BRACKETED_URL)
  bracketed.lastIndex = from
  const [all = '', inner = ''] = bracketed.exec(text) ?? []
  if (inner) return [inner, from + all.length]
  let depth = 0
  for (let at = from; at < text.length && at <= from + MAX_URL_LENGTH; at++) {
    const character = text[at] ?? ''
    if (/[\s[\]<>]/.test(character)) return undefined
    if (character === '(') depth++
    if (character === ')' && --depth < 0) {
      const url = toWebUrl(text.slice(from, at))
      return url === undefined ? undefined : [url, at + 1]
    }
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

  add(html: string): void {
    this.#parts.push(html)
  }

  text(text: string): void {
    if (text) this.add(escapeHtml(text))
  }

  has(mark: string): boolean {
    return this.#open.has(mark)
  }

  /** Whether an open mark, or the text of a link, may end at an index. */
  endsAt(text: string, at: number): boolean {
    const isEnd = (mark: string) => mark !== '_' || !WORD.test(text[at + 1] ?? '')
    return [...this.#open.keys()].some((mark) => text.startsWith(mark === '[' ? ']' : mark, at) && isEnd(mark))
  }

  /** Adds a URL as a link if it is complete. It is in no other link, so an open bracket stays text. */
  link(url: string): void {
    const isComplete = url.length <= MAX_URL_LENGTH && /\/\/./.test(url)
    if (isComplete) this.#open.delete('[')
    this.add(isComplete ? `${openLink(url)}${escapeHtml(url)}</a>` : escapeHtml(url))
  }

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

/** Characters with a meaning: escapes, marks, brackets, line breaks, URLs, mentions and other tags. */
const TOKEN = /\\[!-/:-@[-`{-~]|`+|\*\*?|__?|~~|\|\||\[|\]\(|\n|https?:\/\/|@(?:everyone|here)\b|<[^<>\n]+>/g
const EMPHASIS = /[*_]/
const WORD = /[\p{L}\p{N}]/u

/** Whether a mark may open or close here: single ones cannot next to a space, nor underscores within a word. */
function canDelimit(mark: string, within = ' ', outside = ''): boolean {
  return mark.length > 1 || !EMPHASIS.test(mark) || (within.trim() !== '' && !(mark === '_' && WORD.test(outside)))
}

/**
 * Returns the URL at an index, without the punctuation after it and the marks that close around it. A closing
 * parenthesis belongs to the URL only if its opening one does.
 */
function readBareUrl(text: string, from: number, marks: Marks): string {
  let depth = 0
  let end = from
  for (; end < text.length; end++) {
    const character = text[end] ?? ''
    if (/[\s<>]/.test(character) || (/[*_~|\]]/.test(character) && marks.endsAt(text, end))) break
    if (character === '(') depth++
    if (character === ')') depth--
  }
  for (; ; end--) {
    const last = text[end - 1] ?? ''
    if (last === ')' ? ++depth > 0 : !/[.,:;"'\]]/.test(last)) return text.slice(from, end)
  }
}

/** Tags in angle brackets: mentions, custom emoji, timestamps, commands and URLs. */
const TAG = /^<(?:(@[!&]?|#)(\d+)|(a?):(\w+):(\d+)|t:(-?\d+)(?::([tTdDfFsSR]))?|(\/[^:]+):\d+|(https?:\/\/\S+))>$/

/** Renders a timestamp: what a function of the user returns, or else date and time in UTC. Throws if it is none. */
export function renderTime(date: Date, style: string, context: RenderContext): string {
  const datetime = date.toISOString()
  const [day = '', clock = ''] = datetime.split('T')
  const time = `${clock.slice(0, /[TS]/.test(style) ? 8 : 5)} UTC`
  const fallback = /d/i.test(style) ? day : /t/i.test(style) ? time : `${day} ${time}`
  // The pattern of timestamps matches these styles only.
  const text =
    resolveText((resolvers) => resolvers.time?.(date, unsafeCast<PreviewTimeStyle>(style)), context) || fallback
  return element('time', { class: 'rp-time', datetime }, escapeHtml(text))
}

/** Adds a tag; one that is not known is text. Returns the length of what was added. */
function addTag(tag: string, marks: Marks, context: RenderContext): number {
  const [, sign, id = '', animated, name = '', emoji, seconds, style = 'f', command, url] = TAG.exec(tag) ?? []
  const kind = sign === '#' ? 'channel' : sign === '@&' ? 'role' : 'user'
  const mention = sign ? mentionText(kind, id, context) : tag[0] === '@' ? tag : command
  const time = seconds && tryGet(() => renderTime(new Date(Number(seconds) * 1000), style, context))
  if (mention) marks.add(element('span', { class: 'rp-mention', dir: 'auto' }, escapeHtml(mention)))
  else if (emoji) marks.add(renderEmoji(emoji, name, animated === 'a', context))
  else if (time) marks.add(time)
  else if (url) marks.link(url)
  else {
    marks.text('<')
    return 1
  }
  return tag.length
}

/** Renders the inline Markdown of one paragraph, in linear time. */
function renderInline(text: string, context: RenderContext): string {
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
    const link = mark === '](' && marks.has('[') ? readLinkUrl(text, end) : undefined
    if (span !== undefined) {
      marks.add(element('code', {}, escapeHtml(text.slice(end, span))))
      end = span + mark.length
    } else if (link && marks.close('[', [openLink(link[0]), '</a>'])) end = link[1]
    else if (mark[0] === 'h') {
      const url = readBareUrl(text, index, marks)
      marks.link(url)
      end = index + url.length
    } else if (mark[0] === '<' || mark[0] === '@') end = index + addTag(mark, marks, context)
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

/** A custom emoji, or one of Unicode with its modifiers and those joined to it. */
const EMOJI =
  /<a?:\w+:\d+>|(?:\u200d?(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|\p{Emoji_Modifier_Base}(?=\p{Emoji_Modifier}))[\ufe0f\u{e0020}-\u{e007f}]*\p{Emoji_Modifier}?)+/gu
/** Maximum length of a text that may consist of emoji only. */
const MAX_EMOJI_LENGTH = 500

/** Whether a text consists of emoji and spaces. */
export function isOnlyEmoji(text: string): boolean {
  return text.length <= MAX_EMOJI_LENGTH && text.trim() !== '' && text.replace(EMOJI, '').trim() === ''
}

const HEADING = /^(#{1,3}|-#) +(?=\S)/
const QUOTE = '> '
/** Start of a quote to the end of the text. */
const LONG_QUOTE = '>>> '
const FENCE = '```'
/** Start of a list item: indentation and, in ordered lists, number. */
const LIST_ITEM = /^( {0,8})(?:[-*]|(\d{1,9})\.) +(?=\S)/

/** Renders lists. Every two spaces of indentation are one level; levels are not skipped. */
function renderList(lines: readonly string[], context: RenderContext): string {
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
    html += `<li>${renderInline(line.slice(mark.length), context)}`
  }
  while (tags.length > 0) close()
  return html
}

function renderHeadings(lines: readonly string[], context: RenderContext): string {
  return lines
    .map((line) => {
      const mark = HEADING.exec(line)?.[1] ?? ''
      const content = renderInline(line.slice(mark.length).trim(), context)
      return element(mark === '-#' ? 'small' : `h${mark.length}`, {}, content)
    })
    .join('')
}

function renderQuoted(text: string, context: RenderContext): string {
  return element('blockquote', {}, renderMarkdown(text, context, true))
}

function renderQuote(lines: readonly string[], context: RenderContext): string {
  return renderQuoted(lines.map((line) => line.slice(QUOTE.length)).join('\n'), context)
}

function renderParagraph(lines: readonly string[], context: RenderContext): string {
  return element('div', {}, renderInline(lines.join('\n'), context))
}

// Colours of code blocks: strings, comments, numbers and keywords, alike in all languages.

/** Languages that are text, in which an apostrophe starts no string. */
const TEXT = /^(?:te?xt|plain|md|markdown|log|diff|)$/i
const HASH =
  /^(?:py|python|rb|ruby|sh|bash|zsh|fish|shell|ya?ml|toml|ini|conf|r|pl|perl|make|makefile|docker|dockerfile)$/i
const DASH = /^(?:sql|lua|hs|haskell|ada|elm)$/i

// Each pattern takes all that it has read, at most 200 characters excepted, so that the time is linear.
const COMMENT = /\/\/.*|<!--[\s\S]*?(?:-->|$)|\/\*[\s\S]*?(?:\*\/|$)/
const HASH_COMMENT = /#.*/
const DASH_COMMENT = /--.*|\/\*[\s\S]*?(?:\*\/|$)/
const QUOTED = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n]){0,200}'|`(?:\\[\s\S]|[^`\\])*`?/
const NUMBER = /\d[\w.]*/
/** A word, or a URL, whose slashes start no comment. */
const IDENTIFIER = /([\p{L}_$][\p{L}\p{N}_$]*)(?::\/\/\S*)?/u

const KEYWORD =
  /^(?:and|as|async|await|break|case|catch|class|const|continue|def|default|del|delete|do|done|elif|else|end|enum|except|export|extends|extern|fi|final|finally|fn|for|foreach|from|func|function|if|impl|implements|import|in|instanceof|interface|is|lambda|let|local|match|module|mut|namespace|new|nil|not|null|of|or|package|pass|private|protected|pub|public|raise|readonly|return|self|static|struct|super|switch|then|this|throw|throws|trait|try|type|typeof|undefined|unless|until|use|using|var|void|when|while|with|yield|[Ff]alse|[Tt]rue|None|AND|AS|BY|CREATE|DELETE|FROM|GROUP|INSERT|INTO|JOIN|LIMIT|NOT|NULL|ON|OR|ORDER|SELECT|SET|TABLE|UPDATE|VALUES|WHERE)$/

/** Class of each group of a match. */
const CLASSES = ['rp-comment', 'rp-string', 'rp-number', 'rp-keyword'] as const

/** Renders code, with an element for each token unless it has no language or one of texts. */
function renderCode(code: string, language: string): string {
  if (TEXT.test(language)) return escapeHtml(code)
  const comment = HASH.test(language) ? HASH_COMMENT : DASH.test(language) ? DASH_COMMENT : COMMENT
  const token = `(${comment.source})|(${QUOTED.source})|(${NUMBER.source})|${IDENTIFIER.source}`
  let html = ''
  let end = 0
  for (const match of code.matchAll(new RegExp(token, 'gu'))) {
    const [text, ...groups] = match
    const kind = groups.findIndex((group) => group !== undefined)
    if (kind === 3 && !KEYWORD.test(text)) continue
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${CLASSES[kind]}">${escapeHtml(text)}</span>`
    end = match.index + text.length
  }
  return html + escapeHtml(code.slice(end))
}

/** Renders a fenced code block in the language on its first line. */
function renderCodeBlock(content: string): string {
  const [line = '', language = ''] = /^([\w+-]{0,32})\n/.exec(content) ?? []
  const code = renderCode(content.slice(line.length).replace(/\n$/, ''), language)
  // A wide code block scrolls, so it must be focusable by keyboard.
  return `<pre tabindex="0"><code>${code}</code></pre>`
}

type BlockRenderer = (lines: readonly string[], context: RenderContext) => string

function rendererOf(line: string, isQuoted: boolean): BlockRenderer {
  if (HEADING.test(line)) return renderHeadings
  if (!isQuoted && line.startsWith(QUOTE)) return renderQuote
  return LIST_ITEM.test(line) ? renderList : renderParagraph
}

/**
 * Renders Markdown in linear time: each line is visited once, in quotes twice, and after an unclosed fence no further
 * fence is searched. A quote contains every block except quotes. The supported subset is a convention, since the
 * API document names Markdown but not its rules.
 */
export function renderMarkdown(text: string, context: RenderContext, isQuoted = false): string {
  const blocks: string[] = []
  let lines: string[] = []
  let render: BlockRenderer = renderParagraph
  const flush = (): void => {
    if (lines.length > 0) blocks.push(render(lines, context))
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
    if (!isQuoted && text.startsWith(LONG_QUOTE, at)) {
      flush()
      return blocks.join('') + renderQuoted(text.slice(at + LONG_QUOTE.length), context)
    }
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    const next = rendererOf(line, isQuoted)
    if (next !== render) flush()
    render = next
    lines.push(line)
    at = end + 1
  }
  flush()
  return blocks.join('')
}
