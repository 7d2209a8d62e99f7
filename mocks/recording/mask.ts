// What a recording keeps of calls and frames: names and enumerations of the contract, booleans, and few numbers.
import type { Endpoint } from '../../src/contract/endpoint'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { documentedValues, endpoints } from '../../src/contract/index'
import { AuthenticatorType, MfaVerificationRequestSchema } from '../../src/contract/mfa'
import * as s from '../../src/contract/schema'
import { isObject, readField } from '../../src/internal/json'
import { wireName } from '../gateway/hub'
import type { ParsedBody } from '../request'
import { parseAuthorization, type RecordedCall, typeMark } from './format'
import type { Names } from './names'

const anything = s.unchecked()

/** Payloads of events by their names in frames. */
export const EVENTS: ReadonlyMap<string, s.Schema<unknown>> = new Map(
  Object.values(gatewayEvents).map(({ name, payload }) => [wireName(name), payload]),
)

/** Fields of errors, of frames and of their payloads without an event: some of the document, most by convention. */
const ConventionalSchema: s.Definition = {
  kind: 'object',
  of: {
    ...{ message: s.string, code: s.integer, retry_after: s.number, mfa: MfaVerificationRequestSchema },
    ...{
      op: s.integer,
      s: s.integer,
      token: s.string,
      session_id: s.string,
      seq: s.integer,
      heartbeat_interval: s.number,
    },
  },
  more: anything,
}

/**
 * Names that stay: of the contract's events, of its fields and parameters wherever they occur, and of the conventions for
 * users, errors and frames.
 */
export const LISTED: ReadonlySet<string> = (() => {
  const listed = new Set(['avatar', 'errors', '_errors', 'global', 'd', 't', 'properties', 'client', 'RESUMED'])
  for (const event of EVENTS.keys()) listed.add(event)
  const visited = new Set<s.Schema<unknown>>()
  const visit = (schema: s.Schema<unknown>): void => {
    if (visited.has(schema)) return
    visited.add(schema)
    const { kind, of, more } = s.definitionOf(schema)
    if (kind === 'object') {
      for (const name of Object.keys(of)) listed.add(name)
      for (const inner of [...Object.values(of), more ?? anything]) visit(inner)
    } else if (kind === 'union') of.forEach(visit)
    else if (kind === 'array' || kind === 'optional' || kind === 'nullable' || kind === 'rule') visit(of)
  }
  const schemas = endpoints.flatMap(({ endpoint: { params, response } }) => [params ?? anything, response ?? anything])
  for (const schema of [...schemas, ...EVENTS.values(), ConventionalSchema]) visit(schema)
  return listed
})()

/** Returns the documented values of a field, of requests as well. */
function valuesOf(field: string): readonly unknown[] {
  const isFactor = /^(?:authenticator_type|method|mfa_type)$/.test(field)
  return [...documentedValues(field), ...(isFactor ? Object.values(AuthenticatorType) : [])]
}

/** Whether a string is a documented value of a field. */
export function isDocumented(field: string, value: string): boolean {
  return valuesOf(field).includes(value)
}

const isNumeric = (field: string) => valuesOf(field).some((value) => typeof value === 'number')

/** Whether a field is an enumeration of numbers that does not list a value. */
export function isUndocumentedNumber(field: string, value: unknown): boolean {
  return typeof value === 'number' && isNumeric(field) && !valuesOf(field).includes(value)
}

/** Fields with numbers that tell nothing about a user, unlike the statistics of a player. */
const NUMBERS =
  /^(?:code|retry_after|heartbeat_interval|op|s|seq|flags|height|width|placeholder_version|password_strength|dm_access_type)$/
/** Larger numbers may be IDs. */
const MAX_NUMBER = 1e9

/** Masks values; each result depends on the contract and on {@link Names} only. */
export class Mask {
  constructor(private readonly names: Names) {}

  /** Masks a value by its schema; `field` is the name of its field, or of that of the array. */
  value(schema: s.Schema<unknown>, value: unknown, field = ''): unknown {
    if (value === null || value === undefined || typeof value === 'boolean') return value
    const { kind, of, more } = s.definitionFor(schema, value)
    if (Array.isArray(value)) return value.map((item) => this.value(kind === 'array' ? of : anything, item, field))
    if (isObject(value)) return kind === 'object' ? this.#fields(of, more, value, field) : this.#fields({}, null, value)
    if (kind === 'string' && typeof value === 'string') return this.text(value, field)
    const isNumber = (kind === 'number' || kind === 'integer') && (NUMBERS.test(field) || isNumeric(field))
    const isShown = isNumber && Math.abs(Number(value)) < MAX_NUMBER && !this.names.has(String(value))
    const isKept = kind === 'enum' ? of.some((one) => one === value) : typeof value === 'number' && isShown
    return isKept ? value : typeMark(value)
  }

  /** Masks a string of a field that the contract lists. */
  text(value: string, field: string): string {
    if (isDocumented(field, value)) return value
    const isEnumeration = valuesOf(field).length > 0 && field !== 'key'
    return isEnumeration ? this.names.of(value, 'value') : this.names.text(value, field)
  }

  /** Masks the parameter of a query, which is a string whatever its schema is. */
  parameter(schema: s.Schema<unknown>, value: string, name: string): string {
    const { kind, of } = s.definitionFor(schema, value)
    if (kind === 'string') return this.text(value, name)
    const known: readonly unknown[] = kind === 'boolean' ? [true, false] : kind === 'enum' ? of : []
    return known.map(String).includes(value) ? value : typeMark(value)
  }

  #fields(fields: s.Fields, rest: s.Schema<unknown> | null, value: object, name = '') {
    const isMap = rest !== null && rest.kind !== 'unknown'
    const mask = (key: string, item: unknown): [string, unknown] => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (field !== undefined) return [key, this.value(field, item, key)]
      return isMap ? [this.text(key, name), this.value(rest, item)] : [this.names.key(key), this.value(anything, item)]
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => mask(key, item)))
  }

  /** Masks the body of an error, which may be in a field of `--keep-names`. */
  error(body: unknown): unknown {
    const masked = this.value(ConventionalSchema, body)
    if (!isObject(masked) || Array.isArray(masked)) return masked
    const wraps = ([name, item]: [string, unknown]) =>
      isObject(item) && !LISTED.has(name) && Object.hasOwn(masked, name)
    const wrapped = Object.entries(Object(body)).filter(wraps)
    return {
      ...masked,
      ...Object.fromEntries(wrapped.map(([name, item]) => [name, this.value(ConventionalSchema, item)])),
    }
  }

  /** Masks a frame of the default protocol. */
  frame(frame: unknown): unknown {
    if (!isObject(frame) || Array.isArray(frame)) return this.value(anything, frame)
    const { d, t, ...others }: Readonly<Record<string, unknown>> = { ...frame }
    const payload = this.value(EVENTS.get(String(t)) ?? ConventionalSchema, d)
    const event = typeof t === 'string' ? this.names.key(t, 'event') : this.value(anything, t)
    return { ...Object(this.value(ConventionalSchema, others)), d: payload, t: event }
  }
}

export interface RawCall {
  readonly endpoint: Endpoint
  /** Parameters of the path by their names in the template. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: ParsedBody
  readonly status: number
  readonly responseHeaders: Headers
  readonly responseBody: ParsedBody
}

/** Header with the verification JWT. API, "Authentication" 4. */
const MFA_HEADER = 'x-service-mfa-authorization'
const LIMITS = /^(?:retry-after|(?:x-)?ratelimit(?:-(?:limit|remaining|used|reset|reset-after|global))?)$/
const TYPES = ['application/json', 'application/problem+json', 'text/html', 'text/plain']

/** Masks a call. Tokens and tickets that it issues belong to the account that it signs in. */
export function maskCall(names: Names, call: RawCall): Omit<RecordedCall, 'order'> {
  const { endpoint, path, query, headers, status, body, responseBody } = call
  const mask = new Mask(names)
  const authorization = headers.get('authorization')
  const account = authorization === null ? null : names.accountOf(parseAuthorization(authorization).token)
  const sent: unknown = body.kind === 'value' ? body.value : undefined
  const received: unknown = responseBody.kind === 'value' ? responseBody.value : undefined
  const issued = textIn(received, 'token')
  if (endpoint.name === 'Verify MFA' && issued !== undefined) names.of(issued, 'jwt')
  // Others may contain the ID of another user.
  if (endpoint.auth === 'none') assignAccount(names, sent, received)
  const { params, response } = endpoint
  const definition = s.definitionFor(params ?? anything, sent)
  const maskParameter = ([name, value]: [string, string]): [string, string] => {
    const field = definition.kind === 'object' && endpoint.query?.includes(name) ? definition.of[name] : undefined
    return [names.key(name), mask.parameter(field ?? anything, value, name)]
  }
  const segments = endpoint.path.replace(/\{(.+?)\}/g, (_, name: string) => mask.text(path[name] ?? '', name))
  const { 'content-type': _, ...sentHeaders } = Object.fromEntries(maskHeaders(names, headers))
  return {
    kind: 'call',
    account,
    endpoint: endpoint.name,
    request: {
      path: segments,
      query: Object.fromEntries([...query].map(maskParameter)),
      headers: sentHeaders,
      ...bodyOf(body, (value) => mask.value(params ?? anything, value)),
    },
    response: {
      status,
      headers: Object.fromEntries(maskHeaders(names, call.responseHeaders)),
      ...bodyOf(responseBody, (value) => (status < 400 ? mask.value(response ?? anything, value) : mask.error(value))),
    },
  }
}

function bodyOf(parsed: ParsedBody, mask: (value: unknown) => unknown): { body?: unknown; unparsed?: true } {
  if (parsed.kind === 'none') return {}
  return parsed.kind === 'value' ? { body: mask(parsed.value) } : { unparsed: true }
}

function* maskHeaders(names: Names, headers: Headers): Generator<[string, string]> {
  for (const [name, value] of headers) {
    const { scheme, token } = parseAuthorization(value)
    const type = value.split(';')[0]?.trim() ?? ''
    const [, jwt] = name === 'set-cookie' ? (/^__Secure-recent_mfa=([^;]*)/.exec(value) ?? []) : []
    if (name === 'authorization') yield [name, scheme + names.of(token, 'token')]
    else if (name === MFA_HEADER) yield [name, names.of(value, 'jwt')]
    else if (name === 'x-fingerprint') yield [name, names.of(value, 'fingerprint')]
    else if (name === 'content-type') yield [name, TYPES.includes(type) ? type : 'application/octet-stream']
    else if (jwt !== undefined) yield [name, `__Secure-recent_mfa=${names.of(jwt, 'jwt')}; Path=/; Secure; HttpOnly`]
    else if (LIMITS.test(name) && /^(?:\d{1,9}(?:\.\d{1,9})?|true|false)$/.test(value) && !names.has(value))
      yield [name, value]
  }
}

const textIn = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = path.reduce(readField, value)
  return typeof found === 'string' ? found : undefined
}

/** Assigns the token and the ticket of a response to the account of its user, or to that of the ticket of the request. */
function assignAccount(names: Names, sent: unknown, received: unknown): void {
  const userId = textIn(received, 'user_id') ?? textIn(received, 'user', 'id')
  const [used, token] = [textIn(sent, 'ticket'), textIn(received, 'token')]
  const ticket = textIn(received, 'ticket')
  const account =
    userId !== undefined ? names.of(userId, 'account') : used !== undefined ? names.accountOf(used) : undefined
  if (token !== undefined) names.addTo(account ?? names.accountOf(token), token)
  if (ticket !== undefined && account !== undefined) names.addTo(account, ticket)
}
