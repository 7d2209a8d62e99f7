// What a recording keeps of calls and frames: fields and enumerations of the contract, booleans, and numbers that are no IDs.
import type { Endpoint } from '../../src/contract/endpoint'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { documentedValues } from '../../src/contract/index'
import { AuthenticatorType, MfaVerificationRequestSchema } from '../../src/contract/mfa'
import {
  boolean,
  definitionOf,
  integer,
  looseObject,
  number,
  type Schema,
  string,
  unchecked,
} from '../../src/contract/schema'
import { isObject, readField } from '../../src/internal/json'
import { wireName } from '../gateway/hub'
import { Op } from '../gateway/protocol'
import type { ParsedBody } from '../request'
import { parseAuthorization, type RecordedCall, typeMark } from './format'
import type { Names } from './names'

const anything = unchecked()

/** What the document shows of errors, and the fields of a rate limit, a convention. */
const ERROR_FIELDS: Readonly<Record<string, Schema<unknown>>> = {
  message: string,
  code: integer,
  retry_after: number,
  global: boolean,
  mfa: MfaVerificationRequestSchema,
}

/** Returns the documented values of a field, of requests as well. */
function valuesOf(field: string): readonly unknown[] {
  const isFactor = /^(?:authenticator_type|method|mfa_type)$/.test(field)
  return [...documentedValues(field), ...(isFactor ? Object.values(AuthenticatorType) : [])]
}

/** Whether a string is a documented value of a field. */
export function isDocumented(field: string, value: string): boolean {
  return valuesOf(field).includes(value)
}

/** Whether a field is an enumeration of numbers that does not list a value. */
export function isUndocumentedNumber(field: string, value: unknown): boolean {
  const values = valuesOf(field)
  return typeof value === 'number' && values.some((one) => typeof one === 'number') && !values.includes(value)
}

/** Larger numbers may be IDs. */
const MAX_NUMBER = 1e9

/** Masks values; each result depends on the contract and on {@link Names} only. */
export class Mask {
  readonly #names: Names

  constructor(names: Names) {
    this.#names = names
  }

  /** Masks a value by its schema; `field` is the name of its field, or of that of the array. */
  value(schema: Schema<unknown>, value: unknown, field = ''): unknown {
    if (value === null) return null
    const { kind, of, more } = definitionOf(schema)
    switch (kind) {
      case 'optional':
      case 'nullable':
      case 'rule':
        return this.value(of, value, field)
      case 'union':
        return this.value(more(value), value, field)
      case 'string':
        return typeof value === 'string' ? this.text(value, field) : this.#unknown(value)
      case 'number':
      case 'integer': {
        const isKept = typeof value === 'number' && Math.abs(value) < MAX_NUMBER && !this.#names.has(String(value))
        return isKept ? value : this.#unknown(value)
      }
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#unknown(value)
      case 'enum':
        return of.some((one) => one === value) ? value : this.#unknown(value)
      case 'array':
        return Array.isArray(value) ? value.map((item) => this.value(of, item, field)) : this.#unknown(value)
      case 'object':
        return isObject(value) && !Array.isArray(value) ? this.#fields(of, more, value, field) : this.#unknown(value)
      case 'unknown':
        return this.#unknown(value)
    }
  }

  /** Masks a string of a field that the contract lists. */
  text(value: string, field: string): string {
    if (isDocumented(field, value)) return value
    const isEnumeration = valuesOf(field).length > 0 && field !== 'key'
    return isEnumeration ? this.#names.of(value, 'value') : this.#names.text(value, field)
  }

  /** Masks the parameter of a query, which is a string whatever its schema is. */
  parameter(schema: Schema<unknown> | undefined, value: string, name: string): string {
    if (schema === undefined) return typeMark(value)
    const { kind, of } = definitionOf(schema)
    if (kind === 'optional' || kind === 'nullable' || kind === 'rule') return this.parameter(of, value, name)
    if (kind === 'string') return this.text(value, name)
    return /^(?:true|false|-?\d{1,9})$/.test(value) && !this.#names.has(value) ? value : typeMark(value)
  }

  #fields(
    fields: Readonly<Record<string, Schema<unknown>>>,
    rest: Schema<unknown> | null,
    value: object,
    name: string,
  ) {
    const isMap = rest !== null && rest.kind !== 'unknown'
    const mask = (key: string, item: unknown): [string, unknown] => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (field !== undefined) return [key, this.value(field, item, key)]
      return isMap ? [this.text(key, name), this.value(rest, item)] : [this.#names.key(key), this.#unknown(item)]
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => mask(key, item)))
  }

  /** Keeps names and types of what the contract does not list. */
  #unknown(value: unknown): unknown {
    if (value === null) return null
    if (Array.isArray(value)) return value.map((item) => this.#unknown(item))
    if (!isObject(value)) return typeMark(value)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#names.key(key), this.#unknown(item)]))
  }

  /** Masks the body of an error. */
  error(value: unknown): unknown {
    if (!isObject(value) || Array.isArray(value)) return this.#unknown(value)
    return this.#fields(ERROR_FIELDS, anything, value, '')
  }

  /** Masks the value of `Authorization`: the scheme stays. */
  authorization(value: string): string {
    const { scheme, token } = parseAuthorization(value)
    return scheme + this.#names.of(token, 'token')
  }

  /** Masks a frame of the default protocol. */
  frame(frame: unknown): unknown {
    if (!isObject(frame) || Array.isArray(frame)) return this.#unknown(frame)
    const name = readField(frame, 't')
    const event = Object.values(gatewayEvents).find((one) => wireName(one.name) === name)
    const payload = event?.payload ?? PAYLOADS[Number(readField(frame, 'op'))] ?? anything
    const masked = Object(this.#fields({ op: integer, s: integer, d: payload }, anything, frame, ''))
    const isKept = typeof name === 'string' && /^[A-Z][A-Z_]{0,39}$/.test(name) && !this.#names.has(name)
    return isKept ? { ...masked, t: name } : masked
  }
}

/** Payloads of the frames without an event. */
const PAYLOADS: Readonly<Record<number, Schema<unknown>>> = {
  [Op.IDENTIFY]: looseObject<{ token: string }>()({ token: string }),
  [Op.RESUME]: looseObject<{ token: string; session_id: string; seq: number }>()({
    token: string,
    session_id: string,
    seq: integer,
  }),
  [Op.INVALID_SESSION]: boolean,
  [Op.HELLO]: looseObject<{ heartbeat_interval: number }>()({ heartbeat_interval: number }),
}

/** A call as it was sent and answered. */
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
const LIMITS =
  /^(?:retry-after|(?:x-)?ratelimit(?:-(?:limit|remaining|used|reset|reset-after|global|policy|scope|bucket))?)$/
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
  const fieldsOf = (schema: Schema<unknown> | undefined): Readonly<Record<string, Schema<unknown>>> => {
    const { kind, of } = definitionOf(schema ?? anything)
    return kind === 'rule' ? fieldsOf(of) : kind === 'object' ? of : {}
  }
  const maskParameter = ([name, value]: [string, string]): [string, string] => {
    const isListed = endpoint.query?.includes(name) === true
    return [names.key(name), mask.parameter(isListed ? fieldsOf(params)[name] : undefined, value, name)]
  }
  const segments = endpoint.path.replace(/\{(.+?)\}/g, (_, name: string) => mask.text(path[name] ?? '', name))
  const jwt = headers.get(MFA_HEADER)
  const fingerprint = headers.get('x-fingerprint')
  return {
    kind: 'call',
    account,
    endpoint: endpoint.name,
    request: {
      path: segments,
      query: Object.fromEntries([...query].map(maskParameter)),
      headers: {
        ...(authorization !== null && { authorization: mask.authorization(authorization) }),
        ...(jwt !== null && { [MFA_HEADER]: names.of(jwt, 'jwt') }),
        ...(fingerprint !== null && { 'x-fingerprint': names.of(fingerprint, 'fingerprint') }),
      },
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
    const type = value.split(';')[0]?.trim() ?? ''
    const [, jwt] = name === 'set-cookie' ? (/^__Secure-recent_mfa=([^;]*)/.exec(value) ?? []) : []
    if (name === 'content-type') yield [name, TYPES.includes(type) ? type : 'application/octet-stream']
    else if (LIMITS.test(name) && /^(?:\d{1,9}(?:\.\d{1,9})?|true|false)$/.test(value) && !names.has(value))
      yield [name, value]
    else if (jwt !== undefined) yield [name, `__Secure-recent_mfa=${names.of(jwt, 'jwt')}; Path=/; Secure; HttpOnly`]
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
