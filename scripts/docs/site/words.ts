// Splits texts and searches into stems, for the index and in the page.
import { stemmer } from 'stemmer'
import { VOCABULARY } from './vocabulary'

const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could do does for from has have how i if in into is it its me my not of on or our ' +
    'should so than that the their then there these they this to us was we were what when where which who why will with ' +
    'would you your js'
  ).split(' '),
)

interface Word {
  /** In lower case. */
  readonly word: string
  /** Of a name such as `tokenStore`: `token` and `store`. */
  readonly parts: readonly string[]
}

function wordsOf(text: string, splitsTypes: boolean): Word[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => {
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}+/gu) ?? []
    // `2fa` and `v2` are one word. `TanStack` and `TypeScript` have parts only as names of the code.
    const isName = parts.length > 1 && !/\p{N}/u.test(word) && (splitsTypes || /^\p{Ll}/u.test(word))
    return { word: word.toLowerCase(), parts: isName ? parts.map((part) => part.toLowerCase()) : [] }
  })
}

/** Returns a word without its ending. */
const stemOf = (word: string): string => (word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word)

/** Returns the key of a phrase: the same for `log in` and `login`. */
const keyOf = (words: readonly string[]): string => stemOf(words.join(''))

/** Terms of the groups of the vocabulary, by the keys of their phrases. */
const groups = new Map<string, string[]>()
for (const [index, phrases] of VOCABULARY.entries()) {
  for (const phrase of phrases) {
    const key = keyOf(phrase.split(' '))
    groups.set(key, [...(groups.get(key) ?? []), `=${index}`])
  }
}
/** Largest number of words of a phrase. */
const longest = Math.max(...VOCABULARY.flat().map((phrase) => phrase.split(' ').length))

interface Phrase {
  readonly at: number
  readonly length: number
  readonly groups: readonly string[]
}

/** Returns the phrases of the vocabulary in some words, the shorter ones of a place first. */
function phrasesIn(words: readonly string[]): Phrase[] {
  return words.flatMap((_, at) =>
    Array.from({ length: Math.min(longest, words.length - at) }, (_, more) => ({
      at,
      length: more + 1,
      groups: groups.get(keyOf(words.slice(at, at + more + 1))) ?? [],
    })).filter((phrase) => phrase.groups.length > 0),
  )
}

/**
 * Returns the terms of a text for the index: stems of its words and of the parts of its names, and `=N` for each phrase of
 * group N of the vocabulary.
 */
export function termsOf(text: string, field?: string): string[] {
  const words = wordsOf(text, field === 'name' || field === 'code')
  const parts = words.flatMap(({ word, parts }) => (parts.length > 0 ? parts : [word]))
  const stems = parts.filter((word) => !STOP_WORDS.has(word)).map(stemOf)
  const names = words.filter(({ parts }) => parts.length > 0).map(({ word }) => word)
  const found = [...phrasesIn(parts), ...names.flatMap((name) => phrasesIn([name]))].flatMap((phrase) => phrase.groups)
  return [...stems, ...names.map(stemOf), ...found]
}

/** What a word or a phrase of a search asks for: one of these must be in a page. */
export interface Unit {
  /** All of them. */
  readonly stems: readonly string[]
  /** The stems as one word, if the unit is a name or a phrase: `passkey` for `pass key`. */
  readonly whole: string | undefined
  /** Whether the vocabulary has it as a phrase of several words, which then mean less by themselves. */
  readonly isPhrase: boolean
  /** Terms of the vocabulary. */
  readonly groups: readonly string[]
}

/** Returns what a search asks for. */
export function unitsOf(search: string): Unit[] {
  const words = wordsOf(search, true)
  const phrases = phrasesIn(words.map(({ word }) => word))
  const units: Unit[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = phrases.findLast((one) => one.at === at)
    const length = phrase?.length ?? 1
    const taken = words.slice(at, at + length).map(({ word }) => word)
    const parts = length === 1 ? (words[at]?.parts ?? []) : []
    const own = (parts.length > 0 ? parts : taken).filter((word) => !STOP_WORDS.has(word)).map(stemOf)
    if (phrase || own.length > 0) {
      const isOneWord = length === 1 && parts.length === 0
      const whole = isOneWord ? undefined : keyOf(taken)
      units.push({ stems: own, whole, isPhrase: length > 1, groups: phrase?.groups ?? [] })
    }
    at += length
  }
  // A search of nothing but stop words means them.
  return units.length > 0
    ? units
    : words.map(({ word }) => ({ stems: [stemOf(word)], whole: undefined, isPhrase: false, groups: [] }))
}
