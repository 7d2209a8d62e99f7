// Sends the requests of a check, and learns from each response what any response shows.
import { AbortScope, sleep, throwIfAborted } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { logout } from '../contract/login'
import { MFA_REQUIRED_CODE, MfaMethodSchema } from '../contract/mfa'
import { sessions } from '../contract/sessions'
import { isValid } from '../contract/validate'
import { ConnectionError } from '../errors/client-errors'
import { isObject, readField } from '../internal/json'
import type { TransportConfig } from '../transport/call'
import { type BufferedResponse, decodeFailure, readRateLimit } from '../transport/response'
import { REDIRECTS, readResponse } from '../transport/send'
import type { FetchInit } from '../types/fetch'
import type { MaybePromise } from '../types/options'
import type { Findings } from './report'

/** A response, read as far as possible. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** JSON of the body; `undefined` if it is none. */
  readonly body: unknown
  readonly isSuccess: boolean
  /** Code of an error, wherever it is. */
  readonly code: number | undefined
}

interface RequestParts {
  /** Values of path parameters. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: object
  /** Value of `Authorization`; `null` for none. Default: the one that was accepted. */
  readonly authorization?: string | null
  /** Verification of a second factor. */
  readonly jwt?: string
}

/** Thrown by requests after a 429. */
export class Stopped {}

/** The pace of a check. */
interface ProbeOptions {
  readonly onStep?: ((step: string) => MaybePromise<void>) | undefined
  readonly intervalMs: number
}

/** Maximum time for a response, in milliseconds. */
const TIMEOUT_MS = 30_000

/** Requests of one check. */
export class Probe {
  readonly findings: Findings
  /** Value of `Authorization` that the service accepts. */
  authorization: string | null = null
  /** Ends the current requests. */
  signal: AbortSignal
  /** Why no further requests are sent. */
  stopped: string | undefined
  readonly #config: TransportConfig
  readonly #options: ProbeOptions
  #nextAt = 0

  constructor(config: TransportConfig, findings: Findings, signal: AbortSignal, options: ProbeOptions) {
    this.#config = config
    this.findings = findings
    this.signal = signal
    this.#options = options
  }

  /** Waits for the time of the next request or connection, and names it. */
  async step(text: string): Promise<void> {
    const { onStep, intervalMs } = this.#options
    throwIfAborted(this.signal)
    // Timers may fire slightly early.
    while (performance.now() < this.#nextAt) await sleep(Math.ceil(this.#nextAt - performance.now()), this.signal)
    this.#nextAt = performance.now() + intervalMs
    await onStep?.(text)
  }

  /**
   * Sends a request.
   * @throws Stopped after a 429.
   */
  async request(endpoint: Endpoint, parts: RequestParts = {}): Promise<Answer> {
    const { path = {}, query = '', body, authorization = this.authorization, jwt } = parts
    const { baseUrl, fetch = globalThis.fetch, headers: shared, mfaHeader, maxResponseBytes } = this.#config
    if (this.stopped !== undefined) throw new Stopped()
    await this.step(`${endpoint.method} ${endpoint.path}${query}${authorization === null ? ' without a token' : ''}`)
    const target = endpoint.path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
    const headers: Record<string, string> = { accept: 'application/json', ...shared }
    if (authorization !== null) headers.authorization = authorization
    if (jwt !== undefined) headers[mfaHeader] = jwt
    if (body) headers['content-type'] = 'application/json'
    const url = baseUrl.href.replace(/\/$/, '') + target + query
    const scope = new AbortScope(endpoint.name, this.signal, TIMEOUT_MS)
    const init: FetchInit = {
      method: endpoint.method,
      headers,
      signal: scope.signal,
      redirect: 'manual',
      cache: 'no-store',
    }
    if (body) init.body = JSON.stringify(body)
    try {
      const fetched = await scope.race(fetch(url, init)).catch((error: unknown) => {
        throwIfAborted(scope.signal)
        throw new ConnectionError(endpoint.name, 'no response', { cause: Object(error).code })
      })
      if (REDIRECTS.has(fetched.status) || fetched.type === 'opaqueredirect')
        throw new ConnectionError(endpoint.name, 'the response is a redirect, which is not followed')
      const response = await readResponse(fetched, url, maxResponseBytes, scope, () => undefined)
      const { status } = response
      const body = decodeFailure(response)
      const code = readPath(body, findEnvelope(body)?.code ?? [])
      const answer = {
        ...{ status, headers: response.headers, body, isSuccess: status < 300 },
        code: typeof code === 'number' && Math.abs(code) < 1e6 ? code : undefined,
      }
      this.#read(endpoint, response, answer)
      return answer
    } finally {
      scope.close()
    }
  }

  /** Learns what any response shows. */
  #read(endpoint: Endpoint, response: BufferedResponse, answer: Answer): void {
    const { name, response: schema } = endpoint
    const { status, body, isSuccess } = answer
    this.#readLimits(endpoint, response, answer)
    if (!isSuccess) this.#readError(endpoint, answer)
    else if (schema === undefined && status !== 204 && name !== logout.logout.name)
      this.findings.differ(name, '', `status ${status} instead of 204`)
    else if (schema && body === undefined) this.findings.differ(name, '', 'no JSON')
    else if (schema) this.findings.compare(name, schema, body)
  }

  #readLimits({ name }: Endpoint, response: BufferedResponse, { status, headers, body }: Answer): void {
    const { readRateLimit: readOwn } = this.#config
    const read = (of: Headers) =>
      readOwn?.({ status, headers: of, body }) ?? readRateLimit({ ...response, headers: of })
    const names: string[] = []
    headers.forEach((_, header) => void (/rate-?limit.*remaining|^ratelimit$/i.test(header) && names.push(header)))
    if (names.length > 0)
      this.findings.record('rateLimitHeaders', read(headers).remaining !== undefined, `\`${names.join('`, `')}\``)
    if (status !== 429) return
    this.stopped = `the service answered ${name} with 429`
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    const found = findObject(body, (value) => typeof readField(value, 'retry_after') === 'number')
    if (found && seconds >= 0) {
      const retryAfter = Number(readField(found.value, 'retry_after'))
      const withoutHeader = new Headers()
      headers.forEach((value, header) => void (header !== 'retry-after' && withoutHeader.append(header, value)))
      const isNear = (ms = Number.NaN) => Math.abs(ms - seconds * 1000) <= 1000
      const unit = isNear(retryAfter * 1000) ? 'seconds' : isNear(retryAfter) ? 'milliseconds' : undefined
      if (unit) this.findings.facts.retryAfter = { unit, path: [...found.path, 'retry_after'] }
      this.findings.record('retryAfterUnit', isNear(read(withoutHeader).retryAfterMs), unit ?? 'another unit')
    } else if (!found) this.findings.record('retryAfterUnit', seconds >= 0, seconds >= 0 ? '`Retry-After`' : 'no wait')
    else this.findings.skip('retryAfterUnit', 'the 429 has no `Retry-After` in seconds to compare with')
    const hasGlobal = findObject(body, (value) => readField(value, 'global') !== undefined) !== undefined
    if (hasGlobal) this.findings.record('globalRateLimit', true, '`global`')
    else this.findings.skip('globalRateLimit', 'the 429 does not say')
  }

  #readError(endpoint: Endpoint, { status, headers, body, code }: Answer): void {
    const { readError, isStepUp, requestIdHeaders } = this.#config
    const { facts } = this.findings
    const show = (path: readonly string[]) => `\`${path.map((one) => this.findings.name(one)).join('.')}\``
    const found = findEnvelope(body)
    const content = readError?.({ status, headers, body })
    const read = (name: 'code' | 'message' | 'mfa') => readField(content ?? body, name)
    if (found) {
      const hasCode = typeof read('code') === 'number' || found.code === undefined
      const seen = `${found.code ? `code in ${show(found.code)}, ` : ''}message in ${show(found.message)}`
      this.findings.record('errorEnvelope', hasCode && typeof read('message') === 'string', seen)
      facts.envelope ??= found
    } else this.findings.skip('errorEnvelope', 'errors have no JSON with a message')
    const id = requestIdHeaders.find((name) => headers.has(name))
    if (id !== undefined) this.findings.record('requestId', true, `\`${id}\``)
    const required = findTicket(body)
    if (!required) return
    this.findings.hide(required.ticket)
    const isStepUpCode = status === 401 && read('code') === MFA_REQUIRED_CODE
    const isAsAssumed = (isStepUp?.({ status, headers, body }) ?? isStepUpCode) && isObject(read('mfa') ?? undefined)
    const shown = code === undefined ? 'no code' : `code ${code}`
    this.findings.record('stepUpRefusal', isAsAssumed, `status ${status}, ${shown}, ticket in ${show(required.path)}`)
    this.findings.record('stepUpEndpoints', endpoint.name === sessions.logout.name, endpoint.name)
    facts.stepUp = { status, ...(code !== undefined && { code }), endpoint: endpoint.name, path: required.path }
  }
}

/** Names of the fields in which services have the code and the message of an error, the most common first. */
const CODES = ['code', 'error_code', 'errorCode']
const MESSAGES = ['message', 'detail', 'error_description', 'description', 'title', 'msg']

/** Finds code and message of an error, wherever they are. */
function findEnvelope(body: unknown) {
  const nameIn = (value: object, names: readonly string[], type: string) =>
    names.find((name) => typeof readField(value, name) === type)
  const found = findObject(body, (value) => nameIn(value, MESSAGES, 'string') !== undefined)
  if (!found) return undefined
  const message = nameIn(found.value, MESSAGES, 'string')
  const code = nameIn(found.value, CODES, 'number')
  if (message === undefined) return undefined
  return { message: [...found.path, message], ...(code !== undefined && { code: [...found.path, code] }) }
}

/** Maximum number of objects that are searched. */
const MAX_SEARCHED = 1000

/** Finds the object nearest to the root that `accept` accepts. */
export function findObject(root: unknown, accept: (value: object) => boolean) {
  const pending: { readonly path: readonly string[]; readonly value: unknown }[] = [{ path: [], value: root }]
  for (const { path, value } of pending) {
    if (!isObject(value)) continue
    if (accept(value)) return { path, value }
    if (pending.length < MAX_SEARCHED)
      for (const [name, item] of Object.entries(value)) pending.push({ path: [...path, name], value: item })
  }
  return undefined
}

/** Finds the ticket of a required second factor, and the accepted methods. */
export function findTicket(body: unknown) {
  const found = findObject(body, (value) => typeof readField(value, 'ticket') === 'string')
  const ticket = readField(found?.value, 'ticket')
  const methods = readField(found?.value, 'methods')
  if (!found || typeof ticket !== 'string') return undefined
  return {
    ticket,
    path: found.path,
    methods: Array.isArray(methods) ? methods.filter((one) => isValid(MfaMethodSchema, one)) : [],
  }
}

/** Reads the value at a path. */
function readPath(body: unknown, path: readonly string[]): unknown {
  return path.reduce(readField, body)
}
