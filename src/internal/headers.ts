import { createIssue, type Issue } from './issue'
import { describeType } from './json'

/** A header value is tabs, printable ASCII and the upper half of Latin-1. Fetch itself would quote what it refuses. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** What keeps a value from being a header's. */
export function validateHeaderValue(option: string, value: unknown): Issue[] {
  const problem = valueProblem(value)
  return problem === undefined ? [] : [createIssue([option], 'invalid_format', problem)]
}

/** What keeps a name from being that of a header which the client may be told to set. */
export function validateHeaderName(option: string, name: unknown): Issue[] {
  const isName = typeof name === 'string' && NAME.test(name)
  const problem = isName ? reservedFor(name.toLowerCase()) : 'expected the name of a header'
  return problem === undefined ? [] : [createIssue([option], 'invalid_format', problem)]
}

/** Whether a value can be a header's, and is not empty. */
export function isHeaderValue(value: unknown): value is string {
  return valueProblem(value) === undefined
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return `expected a string, got ${describeType(value)}`
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

function reservedFor(name: string): string | undefined {
  const instead = RESERVED.get(name)
  return instead && `the client sets it: ${instead}`
}

/** Reads headers that a caller gives, names in lower case, and says of each what is wrong with it. */
export function readHeaders(
  init: HeaderValues | undefined,
  mfaHeader: string,
  issues: Issue[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  const refuse = (path: string[], problem: string) =>
    issues.push(createIssue(['headers', ...path], 'invalid_format', problem))
  for (const entry of entriesOf(init)) {
    const [given, value]: readonly unknown[] = Array.isArray(entry) ? entry : []
    if (typeof given !== 'string') {
      refuse([], 'expected pairs of a name and a value')
      continue
    }
    const name = given.toLowerCase()
    const reserved = name === mfaHeader ? 'the client sets it: verify a second factor' : reservedFor(name)
    const problem = reserved ?? (value === '' ? undefined : valueProblem(value))
    // The name may be a secret that was put in its place.
    if (!NAME.test(name)) refuse([], 'a name has characters that a header name cannot have')
    else if (problem !== undefined) refuse([given], problem)
    else headers[name] = String(value)
  }
  return headers
}

function entriesOf(init: HeaderValues | undefined): Iterable<readonly [string, string]> {
  // That it is no object is told with the kinds of options.
  if (typeof init !== 'object' || init === null) return []
  return Symbol.iterator in init ? init : Object.entries(init)
}

/** Headers, in any of the forms that fetch takes. Written out, since not every runtime's types name it. */
export type HeaderValues = Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>
