// The format of a recording, and the check of a file that is read.
import * as s from '../../src/contract/schema'
import { check } from '../../src/contract/validate'
import { formatIssues, type Issue } from '../../src/internal/issue'
import { isObject, readField } from '../../src/internal/json'
import { describeActual } from '../../src/internal/options'
import { endpointNames } from '../router'
import * as option from '../settings'
import { fields } from '../settings'
import { literal, within } from '../table'

export const RECORDING_VERSION = 1

const text = s.string
const texts = s.record(text)
const count = within(s.integer, 1, Number.MAX_SAFE_INTEGER)

const recorded = {
  /** Number in the order of receipt: of the request, the frame or the end of the connection. */
  order: count,
  /** Name of the account whose token was sent, such as `account-1`; `null` without one. */
  account: s.nullable(text),
}
const json = option.fromCheck<unknown>(option.json)
/** `unparsed` stands for a body that is not JSON. */
const body = { body: s.optional(json), unparsed: s.optional(option.fromCheck<true>(option.literalTrue)) }
const onConnection = { ...recorded, connection: count, from: literal('client', 'service') }

/** Headers are by name in lower case. */
const CallSchema = fields({
  kind: literal('call'),
  ...recorded,
  endpoint: literal(...endpointNames),
  /** The path is below the base URL. */
  request: fields({ ...body, headers: texts, path: text, query: texts }),
  response: fields({
    ...body,
    headers: option.fromCheck<Readonly<Record<string, string>>>(option.headers),
    status: within(s.integer, 200, 599),
  }),
})

/** A message at the gateway, except heartbeats; `<text>` or `<binary>` if it is not JSON. */
const FrameSchema = fields({ kind: literal('frame'), ...onConnection, frame: json })

const CloseSchema = fields({ kind: literal('close'), ...onConnection, code: within(s.integer, 1000, 4999) })

export type RecordedCall = s.ValueOfSchema<typeof CallSchema>
export type RecordedFrame = s.ValueOfSchema<typeof FrameSchema>
export type RecordedClose = s.ValueOfSchema<typeof CloseSchema>
export type RecordedEntry = RecordedCall | RecordedFrame | RecordedClose

const KINDS = new Map<unknown, s.Schema<RecordedEntry>>([
  ['call', CallSchema],
  ['frame', FrameSchema],
  ['close', CloseSchema],
])
const OtherSchema = s.looseObject<{ kind: string }>()({ kind: literal<string>('call', 'frame', 'close') })
const EntrySchema = s.union<RecordedEntry>(
  [...KINDS.values()],
  (value) => KINDS.get(readField(value, 'kind')) ?? OtherSchema,
)

const RecordingSchema = fields({ version: literal(RECORDING_VERSION), entries: s.readonlyArray(EntrySchema) })

/** Calls and gateway frames between clients and a service, without secrets, names and IDs. */
export type Recording = s.ValueOfSchema<typeof RecordingSchema>

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
    throw new option.OptionsError(`${subject} ${message}`, [])
  }
  const issues = check(RecordingSchema, value)
  if (!isValid(value, issues)) throw new option.OptionsError(`${subject}:\n${formatIssues(issues)}`, issues)
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
