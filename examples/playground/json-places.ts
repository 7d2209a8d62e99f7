/** A stretch of a text, in UTF-16 units. */
export interface Place {
  readonly start: number
  readonly end: number
}

type Path = readonly (string | number)[]

/** Where a value is in JSON text; where it is not there, where the value is that should hold it. */
export function placeOf(text: string, path: Path): Place {
  const places = placesIn(text)
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(JSON.stringify(path.slice(0, length)))
    if (place !== undefined) return place
  }
  return { start: 0, end: 0 }
}

/** Where `JSON.parse` stopped, as far as its message tells. */
export function placeOfMistake(text: string, message: string): Place {
  const position = /position (\d+)/.exec(message)?.[1]
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  let start = /end of|unterminated/i.test(message) ? text.length : 0
  if (position !== undefined) start = Number(position)
  else if (line !== undefined) start = text.split('\n', Number(line) - 1).join('\n').length + Number(column)
  start = Math.min(start, text.length)
  return { start, end: Math.min(start + 1, text.length) }
}

/** The line that a position is on, from 1. */
export function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

/** The place of each value of JSON text that can be parsed, by its path as JSON. */
function placesIn(text: string): Map<string, Place> {
  const places = new Map<string, Place>()
  let at = 0
  const skip = () => {
    while (/[\s:,]/.test(text[at] ?? '')) at++
  }
  const string = () => {
    const start = at++
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at++
    return text.slice(start, at)
  }
  const value = (path: Path): void => {
    skip()
    const start = at
    const opening = text[at]
    if (opening === '"') string()
    else if (opening === '{' || opening === '[') {
      at++
      for (let index = 0; ; index++) {
        skip()
        if (at >= text.length || text[at] === '}' || text[at] === ']') break
        value([...path, opening === '[' ? index : String(JSON.parse(string()))])
      }
      at++
    } else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++
    // Of an object or a list its bracket is enough.
    const isHolder = opening === '{' || opening === '['
    places.set(JSON.stringify(path), { start, end: isHolder ? start + 1 : at })
  }
  value([])
  return places
}
