import { createIssue, type Issue } from './issue'
import { describeType } from './json'

/** Tabs, printable ASCII and the upper half of Latin-1. Checked here, because errors of `fetch` quote the value. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Returns the issue of a header value, if it is invalid or empty. */
export function validateHeaderValue(option: string, value: unknown): Issue[] {
  const problem = valueProblem(value)
  return problem === undefined ? [] : [createIssue([option], 'invalid_format', problem)]
}

/** Returns the issue of a header name, if it is invalid or reserved for the client. */
export function validateHeaderName(option: string, name: unknown): Issue[] {
  const isName = typeof name === 'string' && NAME.test(name)
  const problem = isName ? reservedProblem(name.toLowerCase()) : 'expected the name of a header'
  return problem === undefined ? [] : [createIssue([option], 'invalid_format', problem)]
}

/** Whether a value is a valid header value and not empty. */
export function isHeaderValue(value: unknown): value is string {
  return valueProblem(value) === undefined
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return `expected a string, got ${describeType(value)}`
  if (value === '') return 'is empty'
  return VALUE.test(value) ? undefined : 'contains characters that are invalid in a header, such as a line break'
}

/** Headers that the client sets itself, and what to do instead. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['authorization', 'use `token` and `authorize`'],
  ['x-fingerprint', 'use `fingerprint`'],
  ['content-length', 'it follows from the body'],
  ['host', 'it follows from `baseUrl`'],
])

function reservedProblem(name: string): string | undefined {
  const instead = RESERVED.get(name)
  return instead && `the client sets it: ${instead}`
}

/** Validates the caller's headers and returns them with names in lower case. */
export function readHeaders(
  init: HeaderValues | undefined,
  mfaHeader: string,
  issues: Issue[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  const addIssue = (path: string[], problem: string) =>
    issues.push(createIssue(['headers', ...path], 'invalid_format', problem))
  for (const entry of entriesOf(init)) {
    const [key, value]: readonly unknown[] = Array.isArray(entry) ? entry : []
    if (typeof key !== 'string') {
      addIssue([], 'expected pairs of a name and a value')
      continue
    }
    const name = key.toLowerCase()
    const reserved = name === mfaHeader ? 'the client sets it: verify a second factor' : reservedProblem(name)
    const problem = reserved ?? (value === '' ? undefined : valueProblem(value))
    // The name is not quoted: it may be a secret in the wrong place.
    if (!NAME.test(name)) addIssue([], 'a name contains characters that are invalid in a header name')
    else if (problem !== undefined) addIssue([key], problem)
    else headers[name] = String(value)
  }
  return headers
}

function entriesOf(init: HeaderValues | undefined): Iterable<readonly [string, string]> {
  // The checks of options report a value that is not an object.
  if (typeof init !== 'object' || init === null) return []
  return Symbol.iterator in init ? init : Object.entries(init)
}

/** Headers in any form that `fetch` accepts. Written out, since not every runtime's types have `HeadersInit`. */
export type HeaderValues = Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>
