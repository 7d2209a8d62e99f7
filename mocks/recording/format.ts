// The format of a recording, and the check of a file that is read.

import { string as anyString, record } from '../../src/contract/schema'
import { formatIssues, type Issue } from '../../src/internal/issue'
import { isObject, readField } from '../../src/internal/json'
import { describeActual } from '../../src/internal/options'
import { endpointNames } from '../router'
import * as option from '../settings'
import { OptionsError } from '../settings'

export const RECORDING_VERSION = 1

/** Calls and gateway frames between clients and a service, without secrets, names and IDs. */
export interface Recording {
  readonly version: typeof RECORDING_VERSION
  readonly entries: readonly RecordedEntry[]
}

export type RecordedEntry = RecordedCall | RecordedFrame | RecordedClose

interface Recorded {
  /** Number in the order of receipt: of the request, the frame or the end of the connection. */
  readonly order: number
  /** Name of the account whose token was sent, such as `account-1`; `null` without one. */
  readonly account: string | null
}

/** Headers by name in lower case; `unparsed` instead of a body that is not JSON. */
export interface RecordedMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly unparsed?: true
}

export interface RecordedCall extends Recorded {
  readonly kind: 'call'
  readonly endpoint: string
  /** The path is below the base URL. */
  readonly request: RecordedMessage & { readonly path: string; readonly query: Readonly<Record<string, string>> }
  readonly response: RecordedMessage & { readonly status: number }
}

interface OnConnection extends Recorded {
  readonly connection: number
  readonly from: 'client' | 'service'
}

/** A message at the gateway, except heartbeats; `<text>` or `<binary>` if it is not JSON. */
export interface RecordedFrame extends OnConnection {
  readonly kind: 'frame'
  readonly frame: unknown
}

export interface RecordedClose extends OnConnection {
  readonly kind: 'close'
  readonly code: number
}

const texts = option.matches(record(anyString))
const body: option.OptionChecks = { headers: texts, body: option.json, unparsed: option.literalTrue }
const recorded: option.OptionChecks = { kind: option.anyValue, order: option.count(1), account: option.stringOrNull }
const onConnection: option.OptionChecks = {
  ...recorded,
  connection: option.count(1),
  from: option.oneOf('client', 'service'),
}

const ENTRIES: Readonly<Record<string, option.Check>> = {
  call: required({
    ...recorded,
    endpoint: option.oneOf(...endpointNames),
    request: option.nested({ ...body, path: option.string, query: texts }, ['path', 'query', 'headers']),
    response: option.nested({ ...body, headers: option.sentHeaders, status: option.integer(200, 599) }, [
      'status',
      'headers',
    ]),
  }),
  frame: required({ ...onConnection, frame: option.json }),
  close: required({ ...onConnection, code: option.integer(1000, 4999) }),
}

function required(checks: option.OptionChecks): option.Check {
  return option.nested(checks, Object.keys(checks))
}

const entry: option.Check = (name, value) => {
  const kind: unknown = isObject(value) ? Reflect.get(value, 'kind') : undefined
  const own = typeof kind === 'string' && Object.hasOwn(ENTRIES, kind) ? ENTRIES[kind] : undefined
  if (own !== undefined) return own(name, value)
  return option
    .oneOf(...Object.keys(ENTRIES))('kind', kind)
    .map((issue) => ({ ...issue, path: [name, ...issue.path] }))
}

const CHECKS: option.OptionChecks = { version: option.oneOf(RECORDING_VERSION), entries: option.each(entry) }

/**
 * Returns a recording with its entries in order.
 * @param subject The file, for the message.
 * @throws TypeError with the path of each mistake, or with the version if that is another one.
 */
export function readRecording(value: unknown, subject = 'recording'): Recording {
  const version: unknown = isObject(value) ? Reflect.get(value, 'version') : undefined
  // First, because another version may have other fields.
  if (version !== RECORDING_VERSION) {
    const message = `is not a recording of version ${RECORDING_VERSION}: its "version" is ${describeActual(version)}`
    throw new OptionsError(`${subject} ${message}`, [])
  }
  const issues = required(CHECKS)('', value).map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  if (!isValid(value, issues)) throw new OptionsError(`${subject}:\n${formatIssues(issues)}`, issues)
  return { ...value, entries: [...value.entries].sort((one, other) => one.order - other.order) }
}

const isValid = (_: unknown, { length }: readonly Issue[]): _ is Recording => length === 0

export const payloadOf = (frame: unknown, field: string): unknown => readField(readField(frame, 'd'), field)

/** Type of a value that is not part of the contract, in its place. */
export const typeMark = (value: unknown): string => `<${typeof value}>`

const NAME = /^[a-z]+-\d+$/

/** Whether a value is a name of the recording, such as `token-1`. */
export const isName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value)

/** Fields, maps and parameters of snowflakes: the IDs of sessions, sign-ins and other services are other strings. */
const SNOWFLAKES =
  /^(?:(?!session|login|external|provider).*[_.])?ids?$|^(?:configs|suggested_(?:wishlist_)?games|(?:failed|successful)_requests)$/

/** Returns the digits that stand for a name such as `id-1` in a field of snowflakes, as clients expect; other texts stay. */
export function snowflakeOf(text: string, field: string): string {
  const [, kind, number = ''] = SNOWFLAKES.test(field) ? (/^(account|id)-(\d+)$/.exec(text) ?? []) : []
  return kind === undefined ? text : (kind === 'id' ? '2' : '1') + number.padStart(17, '0')
}

/** Returns a path with other values of its parameters. */
export function mapPath(template: string, path: string, map: (value: string, name: string) => string): string {
  const names = template.split('/').map((part) => /^\{(.+)\}$/.exec(part)?.[1])
  const segments = path.split('/').map((text, index) => [text, names[index]] as const)
  return segments.map(([text, name]) => (name === undefined ? text : map(text, name))).join('/')
}

/** Returns the scheme of `Authorization` with its space, if it is a common one, and the token. */
export function parseAuthorization(value: string): { readonly scheme: string; readonly token: string } {
  const [scheme = ''] = /^(?:bearer|bot|basic|token) +/i.exec(value) ?? []
  return { scheme, token: value.slice(scheme.length) }
}
