// Sends the requests of a check, and learns from each response what any response shows.
import { AbortScope, sleep, throwIfAborted } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { logout } from '../contract/login'
import { sessions } from '../contract/sessions'
import type { ApiFailure } from '../errors/api-errors'
import { ConnectionError, RequestValidationError } from '../errors/client-errors'
import { isObject, readField } from '../internal/json'
import { compileSecrets } from '../internal/redact'
import type { TransportConfig } from '../transport/call'
import { fillPath } from '../transport/request'
import {
  type BufferedResponse,
  decodeFailure,
  headerEntries,
  readFailure,
  readRateLimit,
  readWith,
  requiresStepUp,
} from '../transport/response'
import { REDIRECTS, readResponse } from '../transport/send'
import type { MaybePromise, RateLimit } from '../types/options'
import { type FieldErrorsPlace, type Findings, NAME } from './report'

/** A response, read as far as possible. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** JSON of the body; `undefined` if it is none. */
  readonly body: unknown
  readonly isSuccess: boolean
  /** Status, and the code wherever it is. */
  readonly seen: { readonly status: number; readonly code?: number }
  /** What the client reads of it. */
  readonly failure: ApiFailure
}

interface RequestParts {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: string
  readonly body?: object
  /** Value of `Authorization`; `null` for none. Default: the one that was accepted. */
  readonly authorization?: string | null
  /** Verification of a second factor. */
  readonly jwt?: string | undefined
}

/** Thrown by requests after a 429: only the undo of changes follows. */
export class Stopped {}

interface ProbeOptions {
  readonly onStep?: ((step: string) => MaybePromise<void>) | undefined
  readonly intervalMs: number
  readonly signal: AbortSignal
}

/** Maximum time for a response, and to wait after a 429, in milliseconds. */
const TIMEOUT_MS = 30_000
const MAX_WAIT_MS = 60_000
const NO_SECRETS = compileSecrets()
/** Headers that say how many requests are left. */
const REMAINING = /^(?:x-)?rate-?limit-remaining(?:-(?:second|minute|hour|day|requests|tokens))?$|^ratelimit$/

export class Probe {
  /** Value of `Authorization` that the service accepts. */
  authorization: string | null = null
  /** Why no further requests are sent. */
  stopped: string | undefined
  sent = 0
  /** Changes that could not be undone. */
  readonly notUndone: string[] = []
  #isUndoing = false
  #nextAt = 0

  constructor(
    readonly config: TransportConfig,
    readonly findings: Findings,
    readonly options: ProbeOptions,
  ) {}

  /** Ends waits and GETs. An undo continues. */
  get signal(): AbortSignal {
    return this.#isUndoing ? new AbortController().signal : this.options.signal
  }

  throwIfStopped(): void {
    if (this.stopped !== undefined) throw new Stopped()
  }

  /** Waits for the time of the next request or connection, and names it. */
  async step(text: string): Promise<void> {
    throwIfAborted(this.signal)
    const seconds = Math.ceil((this.#nextAt - performance.now()) / 1000)
    if (seconds * 1000 > this.options.intervalMs) await this.#tell(`wait ${seconds} s, as the service asks`)
    // Timers may fire slightly early.
    while (performance.now() < this.#nextAt) await sleep(Math.ceil(this.#nextAt - performance.now()), this.signal)
    await this.#tell(text)
    this.#nextAt = performance.now() + this.options.intervalMs
  }

  async #tell(text: string): Promise<void> {
    try {
      await this.options.onStep?.(text)
    } catch (error) {
      // A terminal that was closed must not prevent an undo.
      if (!this.#isUndoing) throw error
    }
  }

  /** Undoes a change, also after an abort or a 429. */
  async undo(text: string, run: () => Promise<Answer>): Promise<void> {
    const { stopped } = this
    this.#isUndoing = true
    this.stopped = undefined
    const answer = await run().catch(() => undefined)
    if (!answer?.isSuccess) {
      this.notUndone.push(text)
      await this.#tell(`could not undo: ${text}`)
    }
    this.#isUndoing = false
    this.stopped ??= stopped
  }

  /**
   * Sends a request.
   * @throws Stopped after a 429, RequestValidationError if a path parameter is missing or unusable.
   */
  async request(endpoint: Endpoint, parts: RequestParts = {}): Promise<Answer> {
    const { path, query = '', body, authorization = this.authorization, jwt } = parts
    const { name, method } = endpoint
    const { baseUrl, fetch = globalThis.fetch, headers: shared, mfaHeader, maxResponseBytes } = this.config
    this.throwIfStopped()
    const filled = fillPath(endpoint.path, (parameter) => path?.[parameter])
    if (filled.issues.length > 0) throw new RequestValidationError(name, filled.issues, true)
    await this.step(`${method} ${endpoint.path}${query}${authorization === null ? ' without a token' : ''}`)
    const headers = {
      accept: 'application/json',
      ...shared,
      ...(authorization !== null && { authorization }),
      ...(jwt !== undefined && { [mfaHeader]: jwt }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const url = baseUrl.href.replace(/\/$/, '') + filled.path + query
    // A change is not aborted: what it has done would be unknown, such as the token to sign out with.
    const scope = new AbortScope(name, method === 'GET' ? this.signal : undefined, TIMEOUT_MS)
    const init = { method, headers, signal: scope.signal, redirect: 'manual', cache: 'no-store' } as const
    this.sent++
    try {
      const fetching = fetch(url, body ? { ...init, body: JSON.stringify(body) } : init)
      const fetched = await scope.race(fetching).catch((error: unknown) => {
        throwIfAborted(scope.signal)
        const code = readField(readField(error, 'cause'), 'code')
        const cause = typeof code === 'string' ? ` (${code})` : ''
        throw new ConnectionError(name, `no response from ${baseUrl.origin}${cause}`)
      })
      // Also if its body never ends.
      if (fetched.status === 429) this.stopped = `the service responded to ${name} with 429`
      if (REDIRECTS.has(fetched.status) || fetched.type === 'opaqueredirect')
        throw new ConnectionError(name, 'the response is a redirect, which is not followed')
      const response = await scope.race(readResponse(fetched, url, maxResponseBytes, scope, () => undefined))
      const answer = this.#answerOf(endpoint, response)
      this.#read(endpoint, response, answer)
      return answer
    } finally {
      scope.close()
    }
  }

  #answerOf({ name }: Endpoint, response: BufferedResponse): Answer {
    const { status, headers } = response
    const { readError } = this.config
    const body = decodeFailure(response)
    const isSuccess = status < 300
    if (readError && !isSuccess) response.content = readWith(readError, response, ignore, Object)
    const envelope = findEnvelope(body)
    const code = readField(envelope?.value, envelope?.code ?? '')
    const seen = { status, ...(typeof code === 'number' && Math.abs(code) < 1e6 && { code }) }
    const failure = readFailure(name, status, isSuccess ? undefined : body, NO_SECRETS, response.content)
    return { status, headers, body, isSuccess, seen, failure }
  }

  /** Learns what any response shows. */
  #read(endpoint: Endpoint, response: BufferedResponse, answer: Answer): void {
    const { name, response: schema } = endpoint
    const { status, body, isSuccess } = answer
    this.#readLimits(response, answer)
    if (!isSuccess) this.#readError(endpoint, response, answer)
    else if (schema === undefined && status !== 204 && name !== logout.logout.name)
      this.findings.differ(name, '', `status ${status} instead of 204`)
    else if (schema && response.bodyError?.isConnection) throw new ConnectionError(name, response.bodyError.reason)
    else if (schema && response.bodyError)
      this.findings.differ(name, '', `larger than ${this.config.maxResponseBytes} bytes`)
    else if (schema && body === undefined) this.findings.differ(name, '', 'no JSON')
    else if (schema) this.findings.compare(name, schema, body)
  }

  #readLimits(response: BufferedResponse, { status, headers, body }: Answer): void {
    const { findings } = this
    const { readRateLimit: readOwn } = this.config
    const read = (of: Headers): RateLimit => {
      const own = readOwn && readWith(readOwn, { ...response, headers: of }, ignore, Object)
      return own ?? readRateLimit({ ...response, headers: of })
    }
    const names = headerEntries(headers).flatMap(([header]) => (REMAINING.test(header) ? `\`${header}\`` : []))
    if (names.length > 0) findings.record('rateLimitHeaders', read(headers).remaining !== undefined, names.join(', '))
    if (status !== 429) return
    // Otherwise the undo would be refused, too.
    const waitMs = Math.min(read(headers).retryAfterMs ?? 0, MAX_WAIT_MS)
    this.#nextAt = Math.max(this.#nextAt, performance.now() + waitMs)
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    const found = findObject(body, (value) => typeof readField(value, 'retry_after') === 'number')
    if (found && seconds >= 0) {
      const retryAfter = Number(readField(found.value, 'retry_after'))
      const withoutHeader = new Headers(headerEntries(headers).filter(([header]) => header !== 'retry-after'))
      const isNear = (ms = Number.NaN) => Math.abs(ms - seconds * 1000) <= 1000
      const unit = isNear(retryAfter * 1000) ? 'seconds' : isNear(retryAfter) ? 'milliseconds' : undefined
      if (unit) findings.facts.retryAfter = { unit, path: [...findings.path(found.path), 'retry_after'] }
      findings.record('retryAfterUnit', isNear(read(withoutHeader).retryAfterMs), unit ?? 'another unit')
    } else if (!found) findings.record('retryAfterUnit', seconds >= 0, seconds >= 0 ? '`Retry-After`' : 'no wait')
    else findings.skip('retryAfterUnit', 'the 429 has no `Retry-After` in seconds to compare with')
    const hasGlobal = findObject(body, (value) => readField(value, 'global') !== undefined) !== undefined
    if (hasGlobal) findings.record('globalRateLimit', true, '`global`')
    else findings.skip('globalRateLimit', 'the 429 does not say')
  }

  #readError({ name }: Endpoint, response: BufferedResponse, { status, headers, body, seen, failure }: Answer): void {
    const { isStepUp, requestIdHeaders } = this.config
    const { findings } = this
    const show = (path: readonly string[]) => `\`${path.join('.')}\``
    const found = findEnvelope(body)
    if (found) {
      const path = findings.path(found.path)
      const [message, code] = [[...path, found.message], found.code === undefined ? undefined : [...path, found.code]]
      const isRead = (failure.code !== undefined || code === undefined) && failure.serviceMessage !== ''
      findings.record('errorEnvelope', isRead, `${code ? `code in ${show(code)}, ` : ''}message in ${show(message)}`)
      findings.facts.envelope ??= { message, ...(code && { code }) }
    } else if (isObject(body) && !findings.facts.envelope) {
      const [name = '', other] = Object.keys(body)
      const where = other === undefined && isObject(readField(body, name)) ? show([findings.name(name)]) : 'the body'
      findings.record('errorEnvelope', failure.serviceMessage !== '', `no known name of a message in ${where}`, false)
    } else findings.skip('errorEnvelope', 'errors have no JSON')
    const id = requestIdHeaders.find((header) => headers.has(header))
    if (id !== undefined) findings.record('requestId', true, `\`${id}\``)
    const required = findTicket(body)
    if (!required) return
    findings.hide(required.ticket)
    const { content = body } = response
    const isRead = requiresStepUp(response, isStepUp, ignore) && isObject(readField(content, 'mfa'))
    const code = seen.code === undefined ? 'no code' : `code ${seen.code}`
    const path = findings.path(required.path)
    findings.record('stepUpRefusal', isRead, `status ${status}, ${code}, ticket in ${show(path)}`)
    findings.record('stepUpEndpoints', name === sessions.logout.name, name)
    findings.facts.stepUp = { ...seen, endpoint: name, path }
  }
}

const ignore = () => {}

/** Names of the fields in which services have the code and the message of an error, the most common first. */
const CODES = ['code', 'error_code', 'errorCode']
const MESSAGES = ['message', 'detail', 'error_description', 'description', 'title', 'msg']

/** Finds the message of an error, at the root or in a wrapper: what is deeper, or in a list, may be of a single field. */
function findEnvelope(body: unknown) {
  const nameIn = (value: unknown, names: readonly string[], type: string) =>
    names.find((name) => typeof readField(value, name) === type)
  const isEnvelope = (value: object) => !Array.isArray(value) && nameIn(value, MESSAGES, 'string') !== undefined
  const found = findObject(body, isEnvelope, 1)
  const message = nameIn(found?.value, MESSAGES, 'string')
  return found && message !== undefined ? { ...found, message, code: nameIn(found.value, CODES, 'number') } : undefined
}

/** An invalid parameter of a query, and its value, to see field errors. */
export const INVALID = ['with_profiles', 'maybe'] as const

/** Finds the errors of {@link INVALID}: `_errors` or another value below its name, or an item with its name in a list. */
export function findFieldErrors(body: unknown, nameOf: (name: string) => string): FieldErrorsPlace | null {
  const [field, sent] = INVALID
  // Some services repeat the query.
  const isError = (value: unknown) => isObject(value) || (typeof value === 'string' && value !== sent)
  const named = findObject(body, (value) => isError(readField(value, field)))
  const value = readField(named?.value, field)
  const isTree = Array.isArray(readField(value, '_errors'))
  const isOf = (one: unknown) => [one].flat().at(-1) === field
  // At the root, other fields of an error would be taken for errors of fields.
  const isMap = named !== undefined && named.path.length > 0
  const list = findObject(body, (one) => Array.isArray(one) && Object.values(Object(one[0])).some(isOf))
  const item: unknown = isMap ? [value].flat()[0] : readField(list?.value, '0')
  const names = Object.keys(Object(item)).filter((name) => NAME.test(name))
  const find = (pattern: RegExp, byDefault: string) => nameOf(names.find((name) => pattern.test(name)) ?? byDefault)
  const contents = { code: find(/code$|^type$/i, 'code'), message: find(/message|msg|detail|reason/i, 'message') }
  const place = (isTree || isMap ? named : list)?.path.map(nameOf)
  const own = names.find((name) => isOf(readField(item, name)))
  if (!place) return null
  if (isTree) return { form: 'tree', path: place }
  if (isMap) return { form: 'map', path: place, ...contents }
  if (own === undefined) return null
  return { form: 'list', path: place, field: nameOf(own), skip: [readField(item, own)].flat().length - 1, ...contents }
}

const MAX_SEARCHED = 1000

/** Finds the object nearest to the root that `accept` accepts. Fields that may be named by an ID or an address are not searched. */
export function findObject(root: unknown, accept: (value: object) => boolean, maxDepth = Number.POSITIVE_INFINITY) {
  const pending: { readonly path: readonly string[]; readonly value: unknown }[] = [{ path: [], value: root }]
  for (const { path, value } of pending) {
    if (!isObject(value)) continue
    if (accept(value)) return { path, value }
    if (path.length >= maxDepth) continue
    for (const [name, item] of Object.entries(value).slice(0, Math.max(0, MAX_SEARCHED - pending.length)))
      if (NAME.test(name) || /^\d$/.test(name)) pending.push({ path: [...path, name], value: item })
  }
  return undefined
}

/** Finds the ticket of a required second factor, and the accepted methods. */
export function findTicket(body: unknown) {
  const found = findObject(body, (value) => typeof readField(value, 'ticket') === 'string')
  const { ticket, methods }: { readonly ticket?: string; readonly methods?: unknown } = Object(found?.value)
  return found && ticket !== undefined ? { ticket, methods, path: found.path } : undefined
}
