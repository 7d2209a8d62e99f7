/** Width of the code that is shown, in characters. */
const WIDTH = 64

/** Code that is printed on one line if it fits, else on several. */
export type Doc =
  | string
  | { readonly kind: 'list'; readonly open: string; readonly items: readonly Doc[]; readonly close: string }
  | { readonly kind: 'entry'; readonly name: string; readonly value: Doc }
  | { readonly kind: 'chain'; readonly head: Doc; readonly calls: readonly Doc[] }

/** Returns the code of a call. */
export const call = (name: string, args: readonly Doc[]): Doc => ({
  kind: 'list',
  open: `${name}(`,
  items: args,
  close: ')',
})

/** Returns the literal of a JSON value. Objects and arrays have the `children` that are given, by their key. */
export function literal(
  value: unknown,
  children: (key: string, part: unknown) => Doc = (_, part) => literal(part),
): Doc {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) {
    return { kind: 'list', open: '[', items: value.map((item, at) => children(String(at), item)), close: ']' }
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const items = Object.entries(value).map(
    ([key, part]): Doc => ({ kind: 'entry', name: propertyName(key), value: children(key, part) }),
  )
  return { kind: 'list', open: items.length === 0 ? '{' : '{ ', items, close: items.length === 0 ? '}' : ' }' }
}

/** Returns code on one line, or on several if it is wider than the panel. */
export function print(doc: Doc, indent = 0, reserved = 0): string {
  const line = onOneLine(doc)
  if (typeof doc === 'string' || indent + reserved + line.length <= WIDTH) return line
  if (doc.kind === 'entry') return `${doc.name}: ${print(doc.value, indent, reserved + doc.name.length + 2)}`
  if (doc.kind === 'list') {
    if (doc.items.length === 0) return line
    const items = doc.items.map((item) => `${' '.repeat(indent + 2)}${print(item, indent + 2, 1)},\n`)
    return `${doc.open.trimEnd()}\n${items.join('')}${' '.repeat(indent)}${doc.close.trimStart()}`
  }
  const head = print(doc.head, indent, reserved)
  if (head.includes('\n')) return `${head}${doc.calls.map((each) => print(each, indent, 1)).join('')}`
  const calls = doc.calls.map((each) => `\n${' '.repeat(indent + 2)}${print(each, indent + 2)}`)
  return `${head}${calls.join('')}`
}

function onOneLine(doc: Doc): string {
  if (typeof doc === 'string') return doc
  if (doc.kind === 'entry') return `${doc.name}: ${onOneLine(doc.value)}`
  if (doc.kind === 'chain') return [doc.head, ...doc.calls].map(onOneLine).join('')
  return `${doc.open}${doc.items.map(onOneLine).join(', ')}${doc.close}`
}

/** Characters that reorder or break the lines of code, so that it reads as other code than it is. */
const INVISIBLE = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped.replace(INVISIBLE, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`
}

/** `__proto__: …` would set the prototype. */
const propertyName = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quote(name)
