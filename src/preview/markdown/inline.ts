import { element, escapeHtml, openLink } from '../element'
import { codeSpans } from './code-spans'
import { linkAddress } from './link'
import { Marks } from './marks'

/** What may have a meaning: an escaped character, a mark, a bracket, the end of a line. */
const TOKEN = /\\[!-/:-@[-`{-~]|`+|\*\*?|__?|~~|\|\||\[|\]\(|\n/g
const EMPHASIS = /[*_]/
const WORD = /[\p{L}\p{N}]/u

/** Whether a mark may begin or end something: emphasis does neither at a space, and no underscore does within a word. */
function mayTurn(mark: string, within = ' ', outside = ''): boolean {
  return !EMPHASIS.test(mark) || (within.trim() !== '' && !(mark[0] === '_' && WORD.test(outside)))
}

/** Markdown within a line, or within lines that belong together, in time that grows with its length alone. */
export function inline(text: string): string {
  const marks = new Marks()
  const spans = codeSpans(text)
  const token = new RegExp(TOKEN)
  let done = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { index } = found
    let [mark] = found
    marks.text(text.slice(done, index))
    done = index + mark.length
    const span = spans.get(index)
    const href = mark === '](' && marks.has('[') ? linkAddress(text, done) : undefined
    if (span !== undefined) {
      marks.add(element('code', {}, escapeHtml(text.slice(done, span))))
      done = span + mark.length
    } else if (href !== undefined && marks.close('[', [openLink(href), '</a>'])) done += href.length + 1
    else if (mark === '\n') marks.add('<br>')
    else if (mark[0] === '\\') marks.text(mark.slice(1))
    else if (mark[0] === '`' || mark === '](') marks.text(mark)
    else {
      const before = text[index - 1]
      const mayClose = mark !== '[' && mayTurn(mark, before, text[done])
      // Three in a row end first what has begun last.
      const single = mark.slice(1)
      if (mayClose && EMPHASIS.test(single) && marks.isLast(single) && text[done] === single) {
        mark = single
        done--
      }
      if (mayClose && marks.has(mark)) {
        if (!marks.close(mark)) marks.text(mark)
      } else if (mayTurn(mark, text[done], before)) marks.open(mark)
      else marks.text(mark)
    }
    token.lastIndex = done
  }
  marks.text(text.slice(done))
  return marks.toString()
}
