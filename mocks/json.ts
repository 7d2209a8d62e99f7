/**
 * How many lists and objects a body may hold inside each other; a convention of this mock. Everything that follows a
 * value down does so by calling itself, and a deeper one would end its stack.
 */
export const MAX_DEPTH = 100

/** What the text of a body says, or why it says nothing. */
export type ParsedBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'none' | 'malformed' | 'too_deep' | 'too_large' }

/** Reads the text of a body, which is `null` if it is too large. Its depth is told from the text, before anything follows it down. */
export function parseBody(text: string | null): ParsedBody {
  if (text === null) return { kind: 'too_large' }
  if (text === '') return { kind: 'none' }
  if (isDeeper(text, MAX_DEPTH)) return { kind: 'too_deep' }
  try {
    return { kind: 'value', value: JSON.parse(text) }
  } catch {
    return { kind: 'malformed' }
  }
}

function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (isInString) {
      if (sign === '\\') index++
      else if (sign === '"') isInString = false
    } else if (sign === '"') isInString = true
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > limit) return true
  }
  return false
}
