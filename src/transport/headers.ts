import type { Issue } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'

/** A header value is tabs, printable ASCII and the upper half of Latin-1. Fetch itself would quote what it refuses. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Gives a value back if it can be a header's; the value is never quoted.
 * @throws RequestValidationError where it cannot.
 */
export function checkHeaderValue<T extends string | null>(option: string, value: T): T {
  const problem = value === null ? undefined : valueProblem(value)
  if (problem !== undefined) throw new RequestValidationError('Client', [issue([option], problem)])
  return value
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return `expected a string, got ${typeof value}`
  if (value === '') return 'is empty'
  return VALUE.test(value) ? undefined : 'has characters that a header cannot carry (a line break, say)'
}

/** Headers that the client sets itself, and what to use instead. */
const RESERVED: Readonly<Record<string, string>> = {
  authorization: 'use `token` and `authorize`',
  'x-fingerprint': 'use `fingerprint`',
  'content-length': 'it follows from the body',
  host: 'it follows from `baseUrl`',
}

/** Reads headers a caller gives, and says of each what is wrong with it. */
export function readHeaders(
  init: HeadersInit | undefined,
  mfaHeader: string,
): { headers: [string, string][]; issues: Issue[] } {
  const headers: [string, string][] = []
  const issues: Issue[] = []
  if (init === undefined) return { headers, issues }
  const entries: Iterable<readonly [string, string]> =
    Symbol.iterator in init ? (init as Iterable<[string, string]>) : Object.entries(init)
  for (const [name, value] of entries) {
    const instead = RESERVED[name.toLowerCase()]
    if (!NAME.test(name)) issues.push(issue(['headers'], 'a name has characters that a header name cannot have'))
    else if (instead !== undefined) issues.push(issue(['headers', name], `the client sets it: ${instead}`))
    else if (name.toLowerCase() === mfaHeader.toLowerCase())
      issues.push(issue(['headers', name], 'the client sets it: verify a second factor'))
    else {
      const problem = value === '' ? undefined : valueProblem(value)
      if (problem === undefined) headers.push([name, value])
      else issues.push(issue(['headers', name], problem))
    }
  }
  return { headers, issues }
}

function issue(path: Issue['path'], message: string): Issue {
  return { path, code: 'invalid_format', message, severity: 'error' }
}
