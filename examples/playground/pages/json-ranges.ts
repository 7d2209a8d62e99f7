/** A range of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

type Path = readonly (string | number)[]

/** Returns the range of the value at a path of a JSON text; if there is no such value, the range of its closest parent. */
export function rangeOf(text: string, path: Path): TextRange {
  const { ranges } = scan(text)
  for (let length = path.length; length >= 0; length--) {
    const range = ranges.get(JSON.stringify(path.slice(0, length)))
    if (range !== undefined) return range
  }
  return { start: 0, end: 0 }
}

/** Returns the range of the first character that is not valid JSON. Not all browsers report it. */
export function syntaxErrorRange(text: string): TextRange {
  const { stop } = scan(text)
  return { start: stop, end: Math.min(stop + 1, text.length) }
}

/** Returns the line number of a position, from 1. */
export function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

const SPACE = /\s*/y
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Maximum depth of the scan, ten times that of valid components. */
const MAX_DEPTH = 100

/** Returns the ranges of all values by their paths as JSON, and the position at which the scan stopped. */
function scan(text: string): { ranges: ReadonlyMap<string, TextRange>; stop: number } {
  const ranges = new Map<string, TextRange>()
  let at = 0

  /** Consumes a match of the pattern at the current position. */
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const takeSign = (sign: string): boolean => {
    take(SPACE)
    if (text[at] !== sign) return false
    at++
    return true
  }
  /** Consumes the key of an object entry and its colon. */
  const name = (): string | undefined => {
    take(SPACE)
    const found = take(STRING)
    return found !== undefined && takeSign(':') ? String(JSON.parse(found)) : undefined
  }
  const items = (path: Path, isArray: boolean, closing: string): boolean => {
    if (takeSign(closing)) return true
    for (let index = 0; ; index++) {
      const key = isArray ? index : name()
      if (key === undefined || !value([...path, key])) return false
      if (!takeSign(',')) return takeSign(closing)
    }
  }
  const value = (path: Path): boolean => {
    take(SPACE)
    const start = at
    const isArray = text[at] === '['
    const isContainer = isArray || text[at] === '{'
    if (isContainer) at++
    else if (take(STRING) === undefined && take(SCALAR) === undefined) return false
    // The range of an object or array is its opening bracket.
    ranges.set(JSON.stringify(path), { start, end: at })
    return !isContainer || (path.length < MAX_DEPTH && items(path, isArray, isArray ? ']' : '}'))
  }
  value([])
  take(SPACE)
  return { ranges, stop: at }
}
