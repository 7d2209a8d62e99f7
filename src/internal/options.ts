// Checks that all options share.
import { createIssue, type Issue } from './issue'
import { describeType, isObject, readField } from './json'

/** Returns the issues of an option. */
export type Check = (name: string, value: unknown) => Issue[]

/** The check of each option. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>

/** Creates a check; `expected` completes the message, such as `a boolean`, and `describe` the value. */
export function createCheck(expected: string, isValid: (value: unknown) => boolean, describe = describeActual): Check {
  return (name, value) =>
    isValid(value) ? [] : [createIssue([name], 'invalid_value', `expected ${expected}, got ${describe(value)}`)]
}

/** Describes a value in a message. A string is not quoted: it may be a secret in the wrong place. */
export function describeActual(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeType(value)
}

export function oneOf(...values: readonly string[]): Check {
  return createCheck(values.map((one) => `'${one}'`).join(', '), (value) => values.some((one) => one === value))
}

/** For an option that is validated where it is read. */
export const anyValue: Check = () => []

export const booleanOption = createCheck('a boolean', (value) => typeof value === 'boolean')

export const functionOption = createCheck('a function', (value) => typeof value === 'function')

export const objectOption = createCheck('an object', isObject)

/** A schema of an older library would otherwise fail only after the response. */
export const schemaOption = createCheck('a Standard Schema, with `~standard`', (value) =>
  isObject(Reflect.get(Object(value), '~standard')),
)

export const positiveNumber = createCheck('a number above 0', (value) => typeof value === 'number' && value > 0)

export const signalOption = createCheck(
  'an AbortSignal',
  (value) => isObject(value) && typeof Reflect.get(value, 'addEventListener') === 'function',
)

export const nonNegativeInteger = createCheck(
  'an integer of at least 0',
  (value) => Number.isInteger(value) && Number(value) >= 0,
)

/**
 * Copies options, including inherited ones. Reads each once, since `input` may have getters and may change later.
 * Adds to `issues` unknown options and options of the wrong type; a typo would otherwise be ignored silently.
 * @param path Path of `input`, for the issues.
 */
export function readOptions<T>(
  input: T,
  checks: Readonly<Record<string, Check>>,
  issues: Issue[],
  path: readonly string[] = [],
): NonNullable<T> {
  const options = Object.create(null)
  const addIssues = (found: readonly Issue[]) =>
    issues.push(...found.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
  if (!isObject(input) || Array.isArray(input))
    addIssues([createIssue([], 'invalid_value', `expected an object, got ${describeActual(input)}`)])
  else
    for (const name of new Set([...Object.keys(input), ...Object.keys(checks)])) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      options[name] = readField(input, name)
      if (check === undefined) addIssues(validateName([name], name, Object.keys(checks)))
      // `undefined` means not set.
      else if (options[name] !== undefined) addIssues(check(name, options[name]))
    }
  return options
}

/** Returns the issues of options; see {@link readOptions}. */
export function validateOptions(
  input: unknown,
  checks: Readonly<Record<string, Check>>,
  path: readonly string[] = [],
): Issue[] {
  const issues: Issue[] = []
  readOptions(input, checks, issues, path)
  return issues
}

/** Returns the issue of the name of an option or event, if it is unknown. */
export function validateName(path: readonly string[], name: unknown, known: readonly unknown[]): Issue[] {
  return known.includes(name)
    ? []
    : [createIssue(path, 'invalid_value', `unknown; expected one of ${known.join(', ')}`)]
}

/** Tabs, printable ASCII and the upper half of Latin-1. Checked here, because errors of `fetch` quote the value. */
const VALUE = /^[\t -~\x80-\xff]*$/
const NAME = /^[!#$%&'*+\-.^`|~\w]+$/

/** Returns the issue of a header value, if it is invalid or empty. */
export function validateHeaderValue(option: string, value: unknown): Issue[] {
  const problem = valueProblem(value)
  return problem === undefined ? [] : [createIssue([option], 'invalid_format', problem)]
}

/** Returns the issue of a header name, if it is invalid or reserved for the client. */
export function validateHeaderName(option: string, name: unknown): Issue[] {
  const isName = typeof name === 'string' && NAME.test(name)
  if (isName && !RESERVED.test(name.toLowerCase())) return []
  return [createIssue([option], 'invalid_format', isName ? RESERVED_PROBLEM : 'expected the name of a header')]
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

/** Headers that the client sets itself: from `token` and `authorize`, `fingerprint`, `baseUrl` and the body. */
const RESERVED = /^(?:authorization|x-fingerprint|content-length|host)$/
const RESERVED_PROBLEM = 'the client sets it'

/** Validates the caller's headers and returns them with names in lower case. */
export function readHeaders(
  init: HeaderValues | undefined,
  mfaHeader: string,
  issues: Issue[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  const addIssue = (path: string[], problem: string) =>
    issues.push(createIssue(['headers', ...path], 'invalid_format', problem))
  for (const [key, value] of entriesOf(init)) {
    const name = key.toLowerCase()
    const isReserved = name === mfaHeader || RESERVED.test(name)
    const problem = isReserved ? RESERVED_PROBLEM : value === '' ? undefined : valueProblem(value)
    // The name is not quoted: it may be a secret in the wrong place.
    if (!NAME.test(name)) addIssue([], 'a name contains characters that are invalid in a header name')
    else if (problem !== undefined) addIssue([key], problem)
    else headers[name] = String(value)
  }
  return headers
}

function entriesOf(init: HeaderValues | undefined): Iterable<readonly [string, string]> {
  // The checks of options report a value that is not an object.
  if (!isObject(init)) return []
  return Symbol.iterator in init ? init : Object.entries(init)
}

/** Headers in any form that `fetch` accepts. Written out, since not every runtime's types have `HeadersInit`. */
export type HeaderValues = Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a host is the local machine, so that no network can read the traffic. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** Calls `add` with each problem of a URL of the service; `scheme` is that without encryption. The URL is not quoted. */
export function checkUrl(
  { protocol, hostname, username, password }: URL,
  scheme: 'http' | 'ws',
  allowInsecure: boolean,
  add: (problem: string) => void,
): void {
  if (protocol === `${scheme}:`) {
    if (!allowInsecure && !isLoopback(hostname))
      add(`${scheme} exposes tokens and passwords to the network: use ${scheme}s, or \`allowInsecureHttp: true\``)
  } else if (protocol !== `${scheme}s:`) add(`expected ${scheme}s or ${scheme}`)
  if (username !== '' || password !== '') add('must not contain a user name or a password')
}

/** Returns the problem of a gateway URL, or `undefined` if it is valid. The URL is not quoted. */
export function validateGatewayUrl(value: unknown, allowInsecure: boolean): string | undefined {
  const href = String(value)
  if (!URL.canParse(href)) return 'expected the absolute URL of the Gateway, such as "wss://gateway.service.example"'
  const url = new URL(href)
  const problems: string[] = []
  checkUrl(url, 'ws', allowInsecure, (problem) => problems.push(problem))
  // WebSocket also refuses an empty fragment.
  return problems[0] ?? (url.href.includes('#') ? 'must not contain a fragment' : undefined)
}
