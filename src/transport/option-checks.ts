import { kindOf } from '../contract/check'
import { type Issue, issueAt } from '../contract/issue'
import type { ClientOptions, RequestOptions, RetryOptions } from '../options'
import type { CustomRequest } from './custom-request'
import { headerNameIssues, headerValueIssues } from './headers'
import { METHODS } from './methods'

/** Says of an option what is wrong with it. */
type Check = (name: string, value: unknown) => Issue[]
/** What each option must be. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>

// @__NO_SIDE_EFFECTS__
function expected(what: string, fits: (value: unknown) => boolean): Check {
  return (name, value) => {
    if (fits(value)) return []
    // A text in the wrong place may be a secret.
    const given = ['number', 'boolean'].includes(typeof value) ? String(value) : kindOf(value)
    return [issueAt([name], 'invalid_value', `expected ${what}, got ${given}`)]
  }
}

// @__NO_SIDE_EFFECTS__
function oneOf(...values: readonly string[]): Check {
  return expected(values.map((one) => `'${one}'`).join(', '), (value) => values.some((one) => one === value))
}

/** For what is checked where it is read. */
export const anything: Check = () => []
export const aBoolean = expected('a boolean', (value) => typeof value === 'boolean')
export const aFunction = expected('a function', (value) => typeof value === 'function')
export const anObject = expected('an object', isObject)
export const aLimit = expected('a number above 0', (value) => typeof value === 'number' && value > 0)

export const aSignal = expected(
  'an AbortSignal',
  (value) => isObject(value) && typeof Reflect.get(value, 'addEventListener') === 'function',
)

/** How often something is repeated. */
export const aCount = expected('a whole number, 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0)

/** The options of a client. */
export const CLIENT_OPTIONS: Checks<ClientOptions> = {
  baseUrl: anything,
  allowInsecureHttp: aBoolean,
  token: headerValueIssues,
  tokenStore: anObject,
  fingerprint: headerValueIssues,
  authorize: aFunction,
  headers: anObject,
  fetch: aFunction,
  credentials: oneOf('omit', 'same-origin', 'include'),
  timeout: aLimit,
  deadline: aLimit,
  retry: anything,
  maxResponseBytes: aLimit,
  onMfaRequired: aFunction,
  mfaTimeout: aLimit,
  mfaHeader: headerNameIssues,
  classifyMfaFailure: aFunction,
  onResponseMismatch: oneOf('report', 'throw', 'ignore'),
  webauthn: anObject,
  gateway: anything,
  logger: anObject,
}

/** The options of a call. */
export const REQUEST_OPTIONS: Checks<RequestOptions> = {
  signal: aSignal,
  timeout: aLimit,
  deadline: aLimit,
  retry: anything,
  headers: anObject,
  token: headerValueIssues,
  onMfaRequired: expected('a function, or false', (value) => value === false || typeof value === 'function'),
}

/** The options of retries. */
export const RETRY_OPTIONS: Checks<RetryOptions> = {
  limit: aCount,
  methods: methodIssues,
  maxRateLimitWaitMs: expected('a number, 0 or more', (value) => typeof value === 'number' && value >= 0),
}

function methodIssues(name: string, value: unknown): Issue[] {
  const areMethods = (given: unknown) => Array.isArray(given) && given.every((method) => METHODS.has(method))
  return expected(`a list of ${[...METHODS].join(', ')}`, areMethods)(name, value)
}

/** What a call of the caller's own is made of. */
export const CUSTOM_REQUEST: Checks<CustomRequest> = {
  method: anything,
  path: anything,
  pathParams: anObject,
  query: anObject,
  body: anything,
  auth: oneOf('token', 'none'),
  // A schema of a library that is older than the standard would fail once the request has been answered.
  schema: expected('a Standard Schema, with `~standard`', (value) => isObject(Reflect.get(Object(value), '~standard'))),
}

/**
 * Reads options, inherited ones included, each once: `given` may have getters, and may be changed later. Adds to `issues`
 * what is not an option at all, since a misspelt one is as good as none, or is of the wrong kind. `path` is where they are.
 */
export function takeOptions<T>(
  given: T,
  checks: Readonly<Record<string, Check>>,
  issues: Issue[],
  path: readonly string[] = [],
): NonNullable<T> {
  const taken = Object.create(null)
  const add = (found: readonly Issue[]) =>
    issues.push(...found.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
  if (!isObject(given)) add(anObject('', given).map((issue) => ({ ...issue, path: [] })))
  else
    for (const name of new Set([...Object.keys(given), ...Object.keys(checks)])) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      try {
        taken[name] = Reflect.get(given, name)
      } catch {
        // Its error may quote anything.
        add([issueAt([name], 'invalid_value', 'cannot be read: its getter threw')])
        continue
      }
      if (check === undefined)
        add([issueAt([name], 'invalid_value', `unknown; known here: ${Object.keys(checks).join(', ')}`)])
      // What is undefined is as good as not given.
      else if (taken[name] !== undefined) add(check(name, taken[name]))
    }
  return taken
}

/** What is wrong with options; see {@link takeOptions}. */
export function optionIssues(given: unknown, checks: Readonly<Record<string, Check>>): Issue[] {
  const issues: Issue[] = []
  takeOptions(given, checks, issues)
  return issues
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
