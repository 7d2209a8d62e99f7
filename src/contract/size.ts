// Apart from the schemas, so that components can count without zod.
import type { Bounds, Breach } from './rules'

/** The number of Unicode code points in a text, which is what the document's "characters" are here. */
export function characters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length - 1; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      count--
      index++
    }
  }
  return count
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** What a size outside its bounds breaks, if anything. */
export function sizeBreach(size: number, unit: string, { min = 0, max = Infinity }: Bounds): Breach[] {
  const text = unit === 'characters'
  const given = `${size} ${size === 1 ? unit.slice(0, -1) : unit}`
  if (size < min) {
    return [{ code: text ? 'too_short' : 'too_few', message: `${given}, at least ${min}`, limit: min, actual: size }]
  }
  if (size <= max) return []
  return [{ code: text ? 'too_long' : 'too_many', message: `${given}, at most ${max}`, limit: max, actual: size }]
}
