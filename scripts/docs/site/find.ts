// The index of the search and what it finds. Used to build the site, in its pages, and in the check of the site.
import MiniSearch, { type AsPlainObject, type Options, type Query } from 'minisearch'
import { type Search, searchOf, stemOf, termsOf } from './words'

/** What the search finds: a document, a section of one, an entry of the package, or a name that it exports. */
export interface Row {
  readonly title: string
  readonly url: string
  /** Names of what it is in. */
  readonly where: string
  /** `guide`, `entry`, or the kind of a name, such as `interface`. */
  readonly kind: string
  /** Its first sentence. */
  readonly about: string
  /** Factor of its score. */
  readonly weight: number
  /** Name without that of its parent. */
  readonly name?: string
  /** Title of the document of a section. */
  readonly context?: string
  /** Words by which people call its subject, divided by commas. */
  readonly keywords?: string
  readonly headings?: string
  readonly text?: string
  readonly code?: string
}

/** A row that was found. */
export type Found = Pick<Row, 'title' | 'url' | 'where' | 'kind' | 'about'>

/** Weights of the fields of a row. */
const FIELDS = { title: 6, keywords: 5, phrases: 8, name: 3, context: 1.5, headings: 1.5, about: 2, text: 1, code: 0.4 }

/** MiniSearch's own, except that a long list of keywords (`b`) counts nearly as much as a short one. */
const BY_LENGTH = { k: 1.2, b: 0.3, d: 0.5 }

/** Factors for each word of a title or a keyword that the search has as a whole, for a longer one that starts with the search, for the start of a longer word, and for a similar word. */
const AS_PHRASE = 0.7
const AS_START = 0.3
const BY_START = 0.3
const BY_SPELLING = 0.3
/** Factor for a row that has hardly a word of a search of several. */
const FEW = 0.1

/** Factors for a document or a section whose title is the search. */
const IF_DOCUMENT = 3
const IF_SECTION = 1.15
/** Factors for an API name that is written exactly so: a word, or with capitals, which few other searches have. */
const IF_WORD = 2
const IF_NAME = 100

const options: Options = {
  fields: Object.keys(FIELDS),
  storeFields: ['title', 'url', 'where', 'about', 'kind', 'weight', 'plain'],
  tokenize: termsOf,
  processTerm: (term) => term,
  searchOptions: {
    boost: FIELDS,
    bm25: BY_LENGTH,
    tokenize: (term) => [term],
    boostDocument: (_id, _term, stored) => Number(stored?.weight),
  },
}

/** Returns the words of a title or a search without endings, stop words and what is in parentheses. */
const plainOf = (text: string): string =>
  searchOf(text.replace(/\s*\(.*?\)/g, ''))
    .words.map(({ stems, whole }) => whole ?? stems.join(''))
    .join('')

const isText = (kind: string): boolean => kind === 'guide' || kind === 'entry'

/** Makes the index of rows. `JSON.stringify` writes it, and {@link readIndex} reads it. */
export function createIndex(rows: readonly Row[]): MiniSearch {
  const index = new MiniSearch(options)
  const phrasesOf = ({ kind, title, keywords = '' }: Row) => (isText(kind) ? `${title}, ${keywords}` : '')
  index.addAll(rows.map((row, id) => ({ ...row, id, phrases: phrasesOf(row), plain: plainOf(row.name ?? row.title) })))
  return index
}

/** Reads an index from its JSON. */
export const readIndex = (json: AsPlainObject): MiniSearch => MiniSearch.loadJS(json, options)

const has = (index: MiniSearch, term: string): boolean => index.search(term).length > 0

/** Returns the ways to split a word that no row has into two that rows have: `scoreboard` into `score` and `board`. */
function splitsOf(index: MiniSearch, word: string): Query[] {
  return Array.from({ length: Math.max(0, word.length - 5) }, (_, at) => [word.slice(0, at + 3), word.slice(at + 3)])
    .map((parts) => parts.map(stemOf))
    .filter((parts) => parts.every((part) => has(index, part)))
    .map((queries) => ({ combineWith: 'AND', queries }))
}

/** Returns the query of a search. Its last word may not be complete; a word that no row has may be misspelt. */
function queryOf(index: MiniSearch, { words, phrases, start }: Search): Query {
  const queries: Query[] = words.map(({ stems, whole }, at) => {
    const own: Query[] = [{ combineWith: 'AND', queries: [...stems] }, ...(whole === undefined ? [] : [whole])]
    const [stem = ''] = stems
    if (at === words.length - 1 && stems.length === 1 && stem.length > 2)
      own.push({ queries: [stem], prefix: true, boostTerm: () => BY_START })
    const isKnown = phrases.some((phrase) => phrase.from <= at && at <= phrase.to && has(index, phrase.term))
    if (!isKnown && whole === undefined && !has(index, stem) && stem.length > 3) {
      const splits = splitsOf(index, stem)
      own.push(
        ...(splits.length > 0
          ? splits
          : [{ queries: [stem], fuzzy: 0.25, prefix: stem.length > 5, boostTerm: () => BY_SPELLING }]),
      )
    }
    return { combineWith: 'OR', queries: own }
  })
  const wholes: Query[] = phrases.map(({ term, from, to }) => ({
    queries: [term],
    boostTerm: () => AS_PHRASE * (to - from + 1),
  }))
  // `open telemetry` also finds `opentelemetry`, in a text as well.
  const joined: Query[] = phrases
    .filter(({ from, to }) => to === from + 1)
    .map(({ term }) => ({ queries: [term.slice(1)] }))
  const longer: Query[] =
    start.length > 4 ? [{ queries: [start], prefix: true, boostTerm: () => AS_START * words.length }] : []
  return { combineWith: 'OR', queries: [...queries, ...wholes, ...joined, ...longer] }
}

/** Returns how many of the words of a search are among the terms that a row has. */
function wordsAmong({ words, phrases }: Search, terms: readonly string[]): number {
  const isAmong = (term: string): boolean => terms.includes(term)
  return words.filter(
    ({ stems, whole }, at) =>
      stems.every(isAmong) ||
      (whole !== undefined && isAmong(whole)) ||
      phrases.some(
        ({ term, from, to }) => from <= at && at <= to && (isAmong(term) || (to > from && isAmong(term.slice(1)))),
      ),
  ).length
}

/** Returns the rows that a search finds, best first. */
export function find(index: MiniSearch, search: string): Found[] {
  const asked = searchOf(search)
  const plain = plainOf(search)
  const name = search.trim()
  const ifName = /[A-Z]/.test(name) ? IF_NAME : IF_WORD
  return index
    .search(queryOf(index, asked))
    .map(({ score, queryTerms, title, url, where, kind, about, plain: own }) => {
      const { length } = asked.words
      const share = length === 1 ? 1 : FEW + (wordsAmong(asked, queryTerms) / length) ** 2
      const asTitle = own === plain && isText(kind) ? (String(url).includes('#') ? IF_SECTION : IF_DOCUMENT) : 1
      const asName = !isText(kind) && String(title).split('.').at(-1) === name ? ifName : 1
      return { title, url, where, kind, about, score: score * share * asTitle * asName }
    })
    .sort((one, other) => other.score - one.score)
    .map(({ score: _, ...row }) => row)
}
