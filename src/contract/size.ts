// Separate from the schemas, so that components can count characters without zod.
import type { Bounds, Breach } from './rules'

/** Counts the Unicode code points of a string, which the documented "characters" are here. */
export function characters(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ' ').length
}

/** Returns the violation of a size outside its bounds, or none. */
export function sizeBreach(size: number, unit: string, { min = 0, max = Infinity }: Bounds): Breach[] {
  const isShort = size < min
  if (!isShort && size <= max) return []
  const limit = isShort ? min : max
  const suffix = unit.startsWith('characters') ? (isShort ? 'short' : 'long') : isShort ? 'few' : 'many'
  const given = `${size} ${size === 1 ? unit.slice(0, -1) : unit}`
  return [
    { code: `too_${suffix}`, message: `${given}, at ${isShort ? 'least' : 'most'} ${limit}`, limit, actual: size },
  ]
}
