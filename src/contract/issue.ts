/** One thing that is wrong with a value, at its exact place. */
export interface Issue {
  /** Where, from the root of what was given: `['widgets', 0, 'data', 'games']`. Empty for the value as a whole. */
  readonly path: readonly (string | number)[]
  /** What kind of problem it is, for programs. */
  readonly code: IssueCode
  /** What is wrong and what is allowed, for people; never the value of a secret field. */
  readonly message: string
  /** The limit that was passed, in the unit that the message names. */
  readonly limit?: number
  /** What was given: a length for a limit, else the value. Secret fields show `'[redacted]'`. */
  readonly actual?: unknown
  /** An `error` stops the call, a `warning` is advice. */
  readonly severity: 'error' | 'warning'
}

/** The kinds of problem that an {@link Issue} names. */
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

/** An issue that stops the call. */
export function issueAt(path: Issue['path'], code: IssueCode, message: string): Issue {
  return { path, code, message, severity: 'error' }
}

/** A path as people write it: `widgets[0].data.games`; `(value)` for the value as a whole. */
export function formatPath(path: Issue['path']): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (/^[A-Za-z_$][\w$.]{0,63}$/.test(key)) text += text === '' ? key : `.${key}`
    else text += `[${JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)}]`
  }
  return text === '' ? '(value)' : text
}

/** More lines, and longer ones, help nobody; `issues` has the rest. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 500

/** Issues as lines, one each, of {@link MAX_LINES} at most: `password: 7 characters, at least 8`. */
export function formatIssues(issues: readonly Issue[]): string {
  const lines = issues.slice(0, MAX_LINES).map(({ path, message }) => {
    const line = `  ${formatPath(path)}: ${message}`
    return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
  })
  if (issues.length > MAX_LINES) lines.push(`  … and ${issues.length - MAX_LINES} more`)
  return lines.join('\n')
}
