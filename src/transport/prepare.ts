import { checkRequest } from '../contract/check-request'
import type { Endpoint, Method } from '../contract/endpoint'
import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'
import { isPlain, isWellFormed } from '../internal/json'
import { sentSecrets } from '../internal/redact'
import { jsonBody, type WrittenBody, writeBody } from './body'
import type { CustomRequest } from './custom-request'
import { METHODS } from './methods'
import { CUSTOM_REQUEST, takeOptions } from './option-checks'
import { fillPath, templateIssues } from './path'
import { type ResponseReader, schemaReader, standardReader } from './respond'

/** A longer name of a call, in characters, would fill a message. */
const MAX_NAME = 200

/** A call that has passed its checks: everything of it but who makes it. */
export interface PreparedCall extends WrittenBody, Pick<Endpoint, 'name' | 'method' | 'path' | 'auth'> {
  /** Path and query, to be put behind the base address. */
  readonly target: string
  readonly stepUp: boolean
  /** Secrets that the caller sends, so that an echo is redacted. Read at once, for they are the caller's to change. */
  readonly secrets: readonly string[]
  readonly read: ResponseReader
}

/** Checks a call of the contract and writes it down. Throws with all that is wrong. */
export function prepare(
  endpoint: Endpoint,
  pathValues: readonly unknown[],
  params: unknown,
  further: readonly Issue[],
): PreparedCall {
  let filled = 0
  const { path, issues } = fillPath(endpoint.path, () => pathValues[filled++])
  if (endpoint.params !== undefined) issues.push(...checkRequest(endpoint.params, params === undefined ? {} : params))
  issues.push(...further)
  if (issues.length > 0) throw new RequestValidationError(endpoint.name, issues)

  // What is undefined is absent, as it is in JSON.
  const checked = (params ?? {}) as object
  const given = Object.entries(endpoint.sends?.(checked) ?? checked).filter(([, value]) => value !== undefined)
  const inQuery = (name: string) => endpoint.query?.includes(name) ?? false
  const query = given.filter(([name]) => inQuery(name))
  const content = Object.fromEntries(given.filter(([name]) => !inQuery(name)))
  const isBodyDue =
    endpoint.method !== 'GET' &&
    endpoint.params !== undefined &&
    (endpoint.method !== 'DELETE' || Object.keys(content).length > 0)
  const { name, method, auth } = endpoint
  const { body, contentType, isOneShot } = jsonBody(isBodyDue ? JSON.stringify(content) : undefined, content)
  // Each by its name: spreading objects here makes every call slower by a tenth.
  return {
    name,
    method,
    path: endpoint.path,
    auth,
    body,
    contentType,
    content,
    isOneShot,
    target: path + queryString(query),
    stepUp: endpoint.stepUp ?? true,
    secrets: sentSecrets(Object.fromEntries(given)),
    read: schemaReader(endpoint),
  }
}

/** Checks a call that the document leaves out and writes it down. `suspendedToken` goes into the body. */
export function prepareCustom(
  request: CustomRequest,
  suspendedToken: string | undefined,
  further: readonly Issue[],
): PreparedCall {
  const name = customName(request)
  const unusable: Issue[] = []
  const given = takeOptions(request, CUSTOM_REQUEST, unusable)
  if (unusable.length > 0) throw new RequestValidationError(name, unusable)
  const { method = 'GET', path, pathParams = {}, query = {}, auth = 'token', schema, body } = given
  const issues: Issue[] = templateIssues(path, pathParams)
  const filled = issues.length === 0 ? fillPath(path, (name) => pathParams[name]) : { path: '', issues: [] }
  issues.push(...filled.issues, ...further)
  if (!METHODS.has(method))
    issues.push(issueAt(['method'], 'invalid_value', `expected one of ${[...METHODS].join(', ')}`))
  for (const [name, value] of Object.entries(query)) {
    if (!isQueryValue(value) || !isWellFormed(name))
      issues.push(
        issueAt(['query', name], 'invalid_value', 'expected whole characters, a finite number, a boolean or a list'),
      )
  }
  if (method === 'GET' && body !== undefined) issues.push(issueAt(['body'], 'invalid_value', 'GET has no body'))
  const content = withToken(body, suspendedToken, method, issues)
  const written = writeBody(content, issues)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
  return {
    ...written,
    name,
    method,
    path,
    target: filled.path + queryString(Object.entries(query)),
    auth: suspendedToken === undefined ? auth : 'none',
    stepUp: suspendedToken === undefined && auth === 'token',
    // A suspended token is in the body, by its name.
    secrets: sentSecrets([query, pathParams, typeof written.body === 'string' ? written.content : content]),
    read: standardReader(schema),
  }
}

/** What a call of the caller's own is called; a query that is put into the path by mistake is not told. */
export function customName(request: CustomRequest | undefined): string {
  try {
    const { method = 'GET', path } = request ?? {}
    return `${method} ${String(path).replace(/[?#].*/s, '')}`.slice(0, MAX_NAME)
  } catch {
    // Neither can be told; what is wrong with them is told where they are read.
    return 'request'
  }
}

/** A suspended user's token travels in the body as `token` (Interface, "Authentication", 2). */
function withToken(body: unknown, token: string | undefined, method: Method, issues: Issue[]): unknown {
  if (token === undefined) return body
  const conflict = (message: string) => issues.push(issueAt(['body'], 'conflict', message))
  const plain = isRecord(body) ? body : {}
  if (method === 'GET') conflict('a suspended token travels in the body, and GET has none')
  else if (body !== undefined && plain !== body)
    conflict('a suspended token travels in the body, which must be a plain object')
  else if ('token' in plain) conflict('has a token already; the suspended one would replace it')
  return { ...plain, token }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value)

function isQueryValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isQueryValue(item))
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return isWellFormed(value)
  return value === null || ['boolean', 'undefined'].includes(typeof value)
}

function queryString(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((item) => item !== undefined).map((item) => [name, String(item)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
