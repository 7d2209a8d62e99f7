import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'
import type { HeaderValues } from '../options'

/** A header value is tabs, printable ASCII and the upper half of Latin-1. Fetch itself would quote what it refuses. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Gives a value back if it can be a header's; the value is never quoted.
 * @throws RequestValidationError where it cannot.
 */
export function checkHeaderValue<T extends string | null>(option: string, value: T): T {
  const issues = value === null ? [] : headerValueIssues(option, value)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return value
}

/** What keeps a value from being a header's. */
export function headerValueIssues(option: string, value: unknown): Issue[] {
  const problem = valueProblem(value)
  return problem === undefined ? [] : [issueAt([option], 'invalid_format', problem)]
}

/** What keeps a name from being that of a header which the client may be told to set. */
export function headerNameIssues(option: string, name: unknown): Issue[] {
  if (typeof name !== 'string' || !NAME.test(name))
    return [issueAt([option], 'invalid_format', 'expected the name of a header')]
  const instead = RESERVED.get(name.toLowerCase())
  return instead === undefined
    ? []
    : [issueAt([option], 'invalid_format', `the client sets this header already: ${instead}`)]
}

/** Whether a value can be a header's, and is not empty. */
export function isHeaderValue(value: unknown): value is string {
  return valueProblem(value) === undefined
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return `expected a string, got ${typeof value}`
  if (value === '') return 'is empty'
  return VALUE.test(value) ? undefined : 'has characters that a header cannot carry (a line break, say)'
}

/** Headers that the client sets itself, and what to use instead. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['authorization', 'use `token` and `authorize`'],
  ['x-fingerprint', 'use `fingerprint`'],
  ['content-length', 'it follows from the body'],
  ['host', 'it follows from `baseUrl`'],
])

/** Reads headers that a caller gives, names in lower case, and says of each what is wrong with it. */
export function readHeaders(
  init: HeaderValues | undefined,
  mfaHeader: string,
): { headers: Record<string, string>; issues: Issue[] } {
  const headers: Record<string, string> = {}
  const issues: Issue[] = []
  for (const entry of entriesOf(init)) {
    const [given, value]: readonly unknown[] = Array.isArray(entry) ? entry : []
    if (typeof given !== 'string') {
      issues.push(issueAt(['headers'], 'invalid_format', 'expected pairs of a name and a value'))
      continue
    }
    const name = given.toLowerCase()
    const instead = name === mfaHeader ? 'verify a second factor' : RESERVED.get(name)
    const problem = value === '' ? undefined : valueProblem(value)
    if (!NAME.test(name))
      issues.push(issueAt(['headers'], 'invalid_format', 'a name has characters that a header name cannot have'))
    else if (instead !== undefined)
      issues.push(issueAt(['headers', given], 'invalid_format', `the client sets it: ${instead}`))
    else if (problem !== undefined) issues.push(issueAt(['headers', given], 'invalid_format', problem))
    else headers[name] = String(value)
  }
  return { headers, issues }
}

function entriesOf(init: HeaderValues = {}): Iterable<readonly [string, string]> {
  return Symbol.iterator in init ? init : Object.entries(init)
}
