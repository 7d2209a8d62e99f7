import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type MiniSearch from 'minisearch'
import { find, readIndex } from './find'
import { HELD_OUT, LATER_SEARCHES, SEARCHES, type Search } from './search-words'
import { OF_FIELDS } from './search-words-of-fields'
import { OF_OTHERS } from './search-words-of-others'

/** The lists, and how many of their searches must find a right page first. */
const LISTS: readonly (readonly [name: string, searches: readonly Search[], minimum: number])[] = [
  ['searches that the search was made with', SEARCHES, 97],
  ['later searches', LATER_SEARCHES, 37],
  ['searches of fields', OF_FIELDS, 124],
  ['searches of other documentations', OF_OTHERS, 54],
  ['searches held out', HELD_OUT, 30],
]

function indexOf(site: string): MiniSearch {
  const [, packed = ''] = /"(.*)"/.exec(readFileSync(join(site, 'assets/search-index.js'), 'utf8')) ?? []
  return readIndex(JSON.parse(String(inflateSync(Buffer.from(packed, 'base64')))))
}

const isRight = (url: string, right: readonly string[]): boolean =>
  right.some((address) => (address.endsWith('*') ? url.startsWith(address.slice(0, -1)) : url === address))

/** Returns the addresses of the lists that do not exist. */
function missingAddresses(site: string): string[] {
  const addresses = new Set(LISTS.flatMap(([, searches]) => searches.flatMap(([, ...right]) => right)))
  return [...addresses].filter((address) => {
    const [path = '', id] = address.replace(/\*$/, '').split('#')
    const file = join(site, path)
    return !existsSync(file) || (id !== undefined && !readFileSync(file, 'utf8').includes(` id="${id}"`))
  })
}

/** Prints what each search finds first, and returns what is wrong. */
export function checkSearch(site: string): string[] {
  const index = indexOf(site)
  const problems = missingAddresses(site).map((address) => `The search words name ${address}, which does not exist.`)
  for (const [name, searches, minimum] of LISTS) {
    let right = 0
    for (const [words, ...addresses] of searches) {
      const [first] = find(index, words)
      const is = isRight(first?.url ?? '', addresses)
      if (is) right += 1
      console.log(`| ${words} | ${first?.title ?? '–'} (${first?.where ?? ''}) | ${is ? '' : 'not right'} |`)
    }
    console.log(`${right} of ${searches.length} ${name} find a right page first.`)
    if (right < minimum)
      problems.push(`Only ${right} of ${searches.length} ${name} find a right page first: ${minimum} must.`)
  }
  return problems
}
