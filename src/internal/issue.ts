// Separate from the schemas, so that components can count characters without zod.

/** Problem with a value, at its exact path. */
export interface Issue {
  /** Path from the root of the value, such as `['widgets', 0, 'data', 'games']`. Empty for the value itself. */
  readonly path: readonly (string | number)[]
  /** Machine-readable kind of problem. */
  readonly code: IssueCode
  /** Human-readable problem and what is allowed; never contains the value of a secret field. */
  readonly message: string
  /** Limit that was exceeded, in the unit named by the message. */
  readonly limit?: number
  /** Actual length if a limit was exceeded, else the value. `'[redacted]'` for secret fields. */
  readonly actual?: unknown
  /** An `error` prevents the call, a `warning` does not. */
  readonly severity: 'error' | 'warning'
}

/** Kinds of problems reported by an {@link Issue}. */
export type IssueCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_value'
  | 'invalid_format'
  | 'unknown_field'
  | 'too_short'
  | 'too_long'
  | 'too_few'
  | 'too_many'
  | 'conflict'
  | 'too_deep'

/** Creates an issue of severity `error`. */
export function createIssue(path: Issue['path'], code: IssueCode, message: string): Issue {
  return { path, code, message, severity: 'error' }
}

/** Formats a path in JavaScript notation, such as `widgets[0].data.games`; `(value)` for the value itself. */
export function formatPath(path: Issue['path']): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (/^[A-Za-z_$][\w$.]{0,63}$/.test(key)) text += (text && '.') + key
    else text += `[${JSON.stringify(key.replace(/^(.{64}).+/s, '$1…'))}]`
  }
  return text || '(value)'
}

/** Maximum number of lines in a message; the error contains everything. */
const MAX_LINES = 20

/** Formats problems one per line, at most {@link MAX_LINES}, and `where` to find the others: `password: is empty`. */
export function formatIssues(issues: readonly Pick<Issue, 'path' | 'message'>[], where = ''): string {
  const lines = issues
    .slice(0, MAX_LINES)
    .map(({ path, message }) => `  ${toOneLine(`${formatPath(path)}: ${message}`)}`)
  if (issues.length > MAX_LINES) lines.push(`  … and ${issues.length - MAX_LINES} more${where}`)
  return lines.join('\n')
}

/** Removes what could forge log lines, see {@link removeControls}, and truncates to 500 characters. */
export function toOneLine(text: string): string {
  return removeControls(text.replace(/^(.{500}).+/s, '$1…'))
}

/** Replaces line breaks, control characters and those that change the direction of the text after them by spaces. */
export function removeControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
}

/** Counts the Unicode code points of a string; the documented limits on "characters" are taken as code points. */
export function countCharacters(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ' ').length
}

/** Returns the violation of a size outside its bounds, or none. */
export function checkLength(size: number, unit: string, { min = 0, max = Infinity }: Bounds): Violation[] {
  const isShort = size < min
  if (!isShort && size <= max) return []
  const limit = isShort ? min : max
  const suffix = unit.startsWith('characters') ? (isShort ? 'short' : 'long') : isShort ? 'few' : 'many'
  const actual = `${size} ${size === 1 ? unit.slice(0, -1) : unit}`
  return [
    { code: `too_${suffix}`, message: `${actual}, at ${isShort ? 'least' : 'most'} ${limit}`, limit, actual: size },
  ]
}

/** Violation of a rule. */
export interface Violation {
  readonly path?: readonly (string | number)[]
  readonly code: IssueCode
  readonly message: string
  readonly limit?: number
  readonly actual?: unknown
}

/** Minimum and maximum of a size, inclusive. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}
