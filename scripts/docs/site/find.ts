// The index of the search and what it finds. Used to build the site, in its pages, and in the check of the site.
import MiniSearch, { type AsPlainObject, type Options, type Query } from 'minisearch'
import { termsOf, type Unit, unitsOf } from './words'

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
  readonly headings?: string
  readonly text?: string
  readonly code?: string
}

/** A row that was found. */
export type Found = Pick<Row, 'title' | 'url' | 'where' | 'kind' | 'about'>

/** Weights of the fields of a row. */
const FIELDS = { title: 6, name: 5, context: 2, headings: 1.5, about: 2, text: 1, code: 0.4 }

/** Their weights for words of the vocabulary: they say more in a title than in a text, and nothing in code. */
const FIELDS_OF_GROUPS = { title: 8, name: 3, context: 1, headings: 0.5, about: 2, text: 0.3, code: 0.01 }

/** Factors for a word of the vocabulary instead of that of the search, and for the start of a longer word. */
const BY_GROUP = 0.7
const BY_START = 0.3
/** Factor for the words of a phrase if they are not one. */
const APART = 0.3

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
    tokenize: (term) => [term],
    boostDocument: (_id, _term, stored) => Number(stored?.weight),
  },
}

/** Returns the words of a title or a search without endings, stop words and what is in parentheses. */
const plainOf = (text: string): string =>
  unitsOf(text.replace(/\s*\(.*?\)/g, ''))
    .map(({ stems, whole }) => whole ?? stems.join(''))
    .join('')

/** Makes the index of rows. `JSON.stringify` writes it, and {@link readIndex} reads it. */
export function createIndex(rows: readonly Row[]): MiniSearch {
  const index = new MiniSearch(options)
  index.addAll(rows.map((row, id) => ({ ...row, id, plain: plainOf(row.name ?? row.title) })))
  return index
}

/** Reads an index from its JSON. */
export const readIndex = (json: AsPlainObject): MiniSearch => MiniSearch.loadJS(json, options)

/** Returns the query of a unit of a search. The last word may not be complete. */
function queryOf({ stems, whole, isPhrase, groups }: Unit, isLast: boolean): Query {
  const [start = ''] = stems
  const byGroup = isPhrase ? 1 : BY_GROUP
  const queries: Query[] = groups.map((term) => ({
    queries: [term],
    boost: FIELDS_OF_GROUPS,
    boostTerm: () => byGroup,
  }))
  if (whole !== undefined) queries.push(whole)
  if (stems.length > 0)
    queries.push({ combineWith: 'AND', queries: [...stems], boostTerm: () => (isPhrase ? APART : 1) })
  if (isLast && !isPhrase && stems.length === 1 && start.length > 2)
    queries.push({ queries: [start], prefix: true, boostTerm: () => BY_START })
  return { combineWith: 'OR', queries }
}

/** Returns how many of the units of a search are among the terms that a row has. */
function unitsAmong(units: readonly Unit[], terms: readonly string[]): number {
  const has = (term: string): boolean => terms.includes(term)
  return units.filter(
    ({ stems, whole, groups }) =>
      (stems.length > 0 && stems.every(has)) || (whole !== undefined && has(whole)) || groups.some(has),
  ).length
}

/** Returns the rows that a search finds, best first. */
export function find(index: MiniSearch, search: string): Found[] {
  const units = unitsOf(search)
  const words = units.flatMap(({ stems }) => stems)
  const all: Query = { combineWith: 'OR', queries: units.map((unit, at) => queryOf(unit, at === units.length - 1)) }
  // `open telemetry` also finds `opentelemetry`.
  const query: Query = { combineWith: 'OR', queries: words.length === 2 ? [all, words.join('')] : [all] }
  const found = index.search(query)
  // If nothing has the words, then what has words that are spelt nearly so.
  const rows =
    found.length > 0 ? found : index.search({ combineWith: 'OR', queries: words }, { fuzzy: 0.25, prefix: true })
  const plain = plainOf(search)
  const name = search.trim()
  const ifName = /[A-Z]/.test(name) ? IF_NAME : IF_WORD
  return rows
    .map(({ score, queryTerms, title, url, where, kind, about, plain: own }) => {
      const share = units.length === 1 ? 1 : 0.3 + unitsAmong(units, queryTerms) / units.length
      const isText = kind === 'guide' || kind === 'entry'
      const asTitle = own === plain && isText ? (String(url).includes('#') ? IF_SECTION : IF_DOCUMENT) : 1
      const asName = !isText && String(title).split('.').at(-1) === name ? ifName : 1
      return { title, url, where, kind, about, score: score * share * asTitle * asName }
    })
    .sort((one, other) => other.score - one.score)
    .map(({ score: _, ...row }) => row)
}
