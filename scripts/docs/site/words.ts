// Splits texts and searches into terms, for the index and in the page.
import { stemmer } from 'stemmer'

const STOP_WORDS = new Set(
  (
    'a an and any are as at be been but by can could do does for from get has have how i if in into is it its me my not of on ' +
    'or our should so than that the their then there these they this to us use using was we were what when where which who ' +
    'why will with would you your js'
  ).split(' '),
)

/** Largest number of words of a phrase that is looked up as a whole. */
const LONGEST = 4

interface Word {
  /** In lower case. */
  readonly word: string
  /** Of a name such as `tokenStore`: `token` and `store`. */
  readonly parts: readonly string[]
}

function wordsOf(text: string, splitsTypes: boolean): Word[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => {
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}+/gu) ?? []
    // `2fa` and `v2` are one word. `TanStack` and `TypeScript` have parts only as names of the code.
    const isName = parts.length > 1 && !/\p{N}/u.test(word) && (splitsTypes || /^\p{Ll}/u.test(word))
    return { word: word.toLowerCase(), parts: isName ? parts.map((part) => part.toLowerCase()) : [] }
  })
}

/** Returns a word without its ending. */
export const stemOf = (word: string): string => (word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word)

/** Returns the words of a text that mean something, or all if none does. */
function stemsOf(words: readonly string[]): string[] {
  const own = words.filter((word) => !STOP_WORDS.has(word))
  return (own.length > 0 ? own : words).map(stemOf)
}

/** Returns the term of a whole phrase: the same for `rate limits`, `rate-limit` and `ratelimit`. */
const phraseOf = (words: readonly string[]): string =>
  `=${words.length > 1 ? `${words.slice(0, -1).join('')}${stemOf(words.at(-1) ?? '')}` : stemOf(words.join(''))}`

const flat = (words: readonly Word[]): string[] =>
  words.flatMap(({ word, parts }) => (parts.length > 0 ? parts : [word]))

/**
 * Returns the terms of a text for the index: stems of its words, of its names and of their parts. The field `phrases` has its
 * phrases instead, which are divided by commas and the punctuation of titles.
 */
export function termsOf(text: string, field?: string): string[] {
  if (field === 'phrases')
    return text.split(/[,():…]|\s+\p{P}+\s+/u).flatMap((phrase) => {
      const words = wordsOf(phrase, false).map(({ word }) => word)
      return words.length > 0 ? phraseOf(words) : []
    })
  const words = wordsOf(text, field === 'name' || field === 'code')
  const stems = flat(words)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemOf)
  return [...stems, ...words.filter(({ parts }) => parts.length > 0).map(({ word }) => stemOf(word))]
}

/** What a search asks for. */
export interface Search {
  /** Of each word: its stem, or those of the parts of a name. */
  readonly words: readonly { readonly stems: readonly string[]; readonly whole: string | undefined }[]
  /** Its phrases of up to four words, and which of the words each has. */
  readonly phrases: readonly { readonly term: string; readonly from: number; readonly to: number }[]
  /** What the terms of all phrases that begin with it start with. */
  readonly start: string
}

/** Returns what a search asks for. */
export function searchOf(text: string): Search {
  const all = wordsOf(text, true)
  const isSaid = ({ word }: Word) => !STOP_WORDS.has(word)
  const said = all.some(isSaid) ? all.filter(isSaid) : all
  const phrases = all.flatMap((_, from) =>
    Array.from({ length: Math.min(LONGEST, all.length - from) }, (_, more) => {
      const own = all.slice(from, from + more + 1)
      const inside = own.map((word) => said.indexOf(word)).filter((at) => at >= 0)
      return {
        term: phraseOf(own.map(({ word }) => word)),
        from: inside[0] ?? -1,
        to: inside.at(-1) ?? -1,
      }
    }).filter((phrase) => phrase.from >= 0),
  )
  return {
    words: said.map(({ word, parts }) =>
      parts.length > 0 ? { stems: stemsOf(parts), whole: stemOf(word) } : { stems: [stemOf(word)], whole: undefined },
    ),
    phrases,
    start: `=${all.map(({ word }) => word).join('')}`,
  }
}
