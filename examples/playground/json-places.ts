/** A stretch of a text, in UTF-16 units. */
export interface Place {
  readonly start: number
  readonly end: number
}

type Path = readonly (string | number)[]

/** Where a value is in JSON text; where it is not there, where the value is that should hold it. */
export function placeOf(text: string, path: Path): Place {
  const { places } = scan(text)
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(JSON.stringify(path.slice(0, length)))
    if (place !== undefined) return place
  }
  return { start: 0, end: 0 }
}

/** Where a text stops being JSON. Browsers do not all tell. */
export function placeOfMistake(text: string): Place {
  const { stop } = scan(text)
  return { start: stop, end: Math.min(stop + 1, text.length) }
}

/** The line that a position is on, from 1. */
export function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

const SPACE = /\s*/y
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Levels that are read, ten times as many as components have: what is deeper is where the value is that holds it. */
const DEEPEST = 100

/** The place of each value, by its path as JSON, as far as the text can be read, and where that ends. */
function scan(text: string): { places: ReadonlyMap<string, Place>; stop: number } {
  const places = new Map<string, Place>()
  let at = 0

  /** Goes past what the pattern finds right here. */
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
  /** The name before a value of an object. */
  const name = (): string | undefined => {
    take(SPACE)
    const found = take(STRING)
    return found !== undefined && takeSign(':') ? String(JSON.parse(found)) : undefined
  }
  const items = (path: Path, isList: boolean, closing: string): boolean => {
    if (takeSign(closing)) return true
    for (let index = 0; ; index++) {
      const key = isList ? index : name()
      if (key === undefined || !value([...path, key])) return false
      if (!takeSign(',')) return takeSign(closing)
    }
  }
  const value = (path: Path): boolean => {
    take(SPACE)
    const start = at
    const isList = text[at] === '['
    const isHolder = isList || text[at] === '{'
    if (isHolder) at++
    else if (take(STRING) === undefined && take(SCALAR) === undefined) return false
    // Of an object or a list its bracket is enough.
    places.set(JSON.stringify(path), { start, end: at })
    return !isHolder || (path.length < DEEPEST && items(path, isList, isList ? ']' : '}'))
  }
  value([])
  take(SPACE)
  return { places, stop: at }
}
