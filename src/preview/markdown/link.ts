import { webAddress } from '../address'

/** Longer addresses are in no link: none of the interface's is. */
const LONGEST = 2048

/**
 * The address of a link, from behind its `](` to its `)`: parentheses in pairs are its own. Brackets are not, so no part of
 * a text is looked at for two links.
 */
export function linkAddress(text: string, from: number): string | undefined {
  let depth = 0
  for (let at = from; at < text.length && at < from + LONGEST; at++) {
    const character = text[at] ?? ''
    if (/[\s[\]<>]/.test(character)) return undefined
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return webAddress(text.slice(from, at))
  }
  return undefined
}
