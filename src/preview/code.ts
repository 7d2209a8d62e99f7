// Colours of code blocks: strings, comments, numbers and keywords, alike in all languages.
import { escapeHtml } from './html'

/** Languages that are text, in which an apostrophe starts no string. */
const TEXT = /^(?:te?xt|plain|md|markdown|log|diff|)$/i
const HASH =
  /^(?:py|python|rb|ruby|sh|bash|zsh|fish|shell|ya?ml|toml|ini|conf|r|pl|perl|make|makefile|docker|dockerfile)$/i
const DASH = /^(?:sql|lua|hs|haskell|ada|elm)$/i

// Each pattern takes all that it has read, at most 200 characters excepted, so that the time is linear.
const COMMENT = /\/\/.*|<!--[\s\S]*?(?:-->|$)|\/\*[\s\S]*?(?:\*\/|$)/
const HASH_COMMENT = /#.*/
const DASH_COMMENT = /--.*|\/\*[\s\S]*?(?:\*\/|$)/
const STRING = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n]){0,200}'|`(?:\\[\s\S]|[^`\\])*`?/
const NUMBER = /\d[\w.]*/
/** A word, or a URL, whose slashes start no comment. */
const WORD = /([\p{L}_$][\p{L}\p{N}_$]*)(?::\/\/\S*)?/u

const KEYWORD =
  /^(?:and|as|async|await|break|case|catch|class|const|continue|def|default|del|delete|do|done|elif|else|end|enum|except|export|extends|extern|fi|final|finally|fn|for|foreach|from|func|function|if|impl|implements|import|in|instanceof|interface|is|lambda|let|local|match|module|mut|namespace|new|nil|not|null|of|or|package|pass|private|protected|pub|public|raise|readonly|return|self|static|struct|super|switch|then|this|throw|throws|trait|try|type|typeof|undefined|unless|until|use|using|var|void|when|while|with|yield|[Ff]alse|[Tt]rue|None|AND|AS|BY|CREATE|DELETE|FROM|GROUP|INSERT|INTO|JOIN|LIMIT|NOT|NULL|ON|OR|ORDER|SELECT|SET|TABLE|UPDATE|VALUES|WHERE)$/

/** Class of each group of a match. */
const CLASSES = ['rp-comment', 'rp-string', 'rp-number', 'rp-keyword'] as const

/** Renders code, with an element for each token unless it has no language or one of texts. */
export function renderCode(code: string, language: string): string {
  if (TEXT.test(language)) return escapeHtml(code)
  const comment = HASH.test(language) ? HASH_COMMENT : DASH.test(language) ? DASH_COMMENT : COMMENT
  const token = `(${comment.source})|(${STRING.source})|(${NUMBER.source})|${WORD.source}`
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
