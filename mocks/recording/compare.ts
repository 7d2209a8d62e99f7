// Runs a recording against a mock and reports where the mock answers otherwise.
import { readFileSync } from 'node:fs'
import { definitionFor, type Fields, type Schema, unchecked } from '../../src/contract/schema'
import { isObject, readField } from '../../src/internal/json'
import { parseBody } from '../request'
import { rowNamed } from '../router'
import type { MockServiceOptions } from '../service'
import { Counterparts } from './counterparts'
import { isName, payloadOf, type RecordedCall, type RecordedFrame, readRecording } from './format'
import { EVENTS, isDocumented, isUndocumentedNumber, LISTED } from './mask'

/** Options of {@link compareRecording}: those of the mock that answers. */
export type CompareRecordingOptions = Pick<MockServiceOptions, 'policy' | 'strict'>

/** A place where the mock answers otherwise than the service. */
export interface RecordingDifference {
  /** Number of the entry in the recording. */
  readonly order: number
  /** Name of the endpoint, or `gateway` and the name of the event. */
  readonly endpoint: string
  /** Place: `status`, or a path in the body such as `[].user.username`. */
  readonly path: string
  /** Whether the status, the type or the value differs, the mock lacks the field (`missing`) or only the mock has it (`extra`). */
  readonly kind: 'status' | 'type' | 'value' | 'missing' | 'extra'
  /** What the service sent. */
  readonly recorded: string
  /** What the mock sent. */
  readonly mock: string
}

/** Result of {@link compareRecording}. */
export interface RecordingComparison {
  /** Number of entries that were compared. */
  readonly compared: number
  /** Differences, in the order of the recording; each place of an endpoint once. */
  readonly differences: readonly RecordingDifference[]
  /** Entries that cannot be compared, and why. */
  readonly notComparable: readonly { readonly order: number; readonly endpoint: string; readonly reason: string }[]
}

/**
 * Runs a recording of `rapport-mock --record` against a mock with accounts that correspond to those of the recording, and
 * reports where it answers otherwise: by `policy`, the mock can be made to answer as the service does. What depends on
 * secrets or on state that the recording does not have is not compared.
 * @throws Error if the file cannot be read, TypeError if it is not a recording or an option is invalid.
 */
export async function compareRecording(
  file: string,
  options: CompareRecordingOptions = {},
): Promise<RecordingComparison> {
  const { entries } = readRecording(JSON.parse(readFileSync(file, 'utf8')), file)
  const counterparts = new Counterparts(entries, options)
  const differences = new Map<string, RecordingDifference>()
  const notComparable: { order: number; endpoint: string; reason: string }[] = []
  let compared = 0
  const compare = (order: number, endpoint: string, found: Iterable<Difference | string>) => {
    const all = [...found]
    const reasons = all.filter((one) => typeof one === 'string')
    notComparable.push(...reasons.slice(0, 1).map((reason) => ({ order, endpoint, reason })))
    if (reasons.length === 0) compared += 1
    for (const one of all) {
      const key = typeof one === 'string' ? '' : `${endpoint} ${one.path} ${one.kind} ${one.recorded}`
      if (typeof one !== 'string' && !differences.has(key)) differences.set(key, { order, endpoint, ...one })
    }
  }
  const played: RecordedFrame[] = []
  try {
    for (const entry of entries) {
      if (entry.kind === 'call') compare(entry.order, entry.endpoint, await compareCall(counterparts, entry))
      else if (entry.kind === 'frame' && entry.from === 'client') counterparts.sendFrame(entry)
      else if (entry.kind === 'frame') played.push(entry)
    }
    for (const entry of played)
      compare(entry.order, `gateway ${nameOf(entry.frame)}`, compareFrame(counterparts, entry))
  } finally {
    await counterparts.service.close()
  }
  return { compared, differences: [...differences.values()], notComparable }
}

type Difference = Omit<RecordingDifference, 'order' | 'endpoint'>

async function compareCall(counterparts: Counterparts, call: RecordedCall): Promise<(Difference | string)[]> {
  const { response, endpoint } = call
  const prepared = counterparts.requestOf(call)
  if (typeof prepared === 'string') return [prepared]
  const outcome = await counterparts.service.handle(prepared)
  if (outcome.kind === 'failure') return ['the mock did not respond']
  const parsed = parseBody(outcome.body)
  const body: unknown = parsed.kind === 'value' ? parsed.value : undefined
  counterparts.bind(response.body, body)
  const [isRefused, isRefusedByMock] = [response.status >= 400, outcome.status >= 400]
  const { code, message, fields } = counterparts.errorOf(body)
  const isOfState = outcome.status === 404 || (outcome.status === 400 && fields.length === 0)
  if (!isRefused && isRefusedByMock && isOfState) return [`the mock lacks what the service had: ${message} (${code})`]
  if (isRefused && !isRefusedByMock && (response.status === 400 || response.status === 404))
    return ['the service refused it, by a value or a state that the recording does not have']
  if (response.status !== outcome.status) {
    return [{ path: 'status', kind: 'status', recorded: String(response.status), mock: String(outcome.status) }]
  }
  if (response.body === undefined && body === undefined) return []
  const schema = isRefused ? unchecked() : (rowNamed(endpoint)?.response ?? unchecked())
  const found = [...differencesOf(schema, response.body, body, '')]
  const { wrapper, code: field } = counterparts.service.policy.errorEnvelope
  const path = wrapper === null ? field : `${wrapper}.${field}`
  const { code: recordedCode } = counterparts.errorOf(response.body)
  if (isRefused && typeof recordedCode === 'number' && recordedCode !== code)
    found.push({ path, kind: 'value', recorded: String(recordedCode), mock: String(code) })
  return found
}

function compareFrame(counterparts: Counterparts, { connection, frame }: RecordedFrame): (Difference | string)[] {
  const name = nameOf(frame)
  const frames = counterparts.framesOf(connection)
  if (frames === undefined) return ['the connection did not identify with a token of the recording']
  const same = frames.find((one) => nameOf(one) === name)
  if (same === undefined) return [`the mock sent no ${name}`]
  const payload = EVENTS.get(name) ?? unchecked()
  const found = [...differencesOf(payload, readField(frame, 'd'), readField(same, 'd'), 'd')]
  const interval = (of: unknown) => String(payloadOf(of, 'heartbeat_interval'))
  const [recorded, mock] = [interval(frame), interval(same)]
  if (recorded !== mock) found.push({ path: 'd.heartbeat_interval', kind: 'value', recorded, mock })
  return found
}

const nameOf = (frame: unknown): string => String(readField(frame, 't') ?? `op ${readField(frame, 'op')}`)

/** Returns the type of a value, or of the one that a mark such as `<number>` stands for. */
function typeOf(value: unknown): string {
  const [, marked] = typeof value === 'string' ? (/^<(string|number)>$/.exec(value) ?? []) : []
  const type = value === undefined ? 'absent' : value === null ? 'null' : typeof value
  return marked ?? (Array.isArray(value) ? 'array' : type)
}

/** Yields the differences of two values; a text is the reason why a part of them cannot be compared. */
function* differencesOf(
  schema: Schema<unknown>,
  recorded: unknown,
  mock: unknown,
  path: string,
): Generator<Difference | string> {
  // Whether a value is null depends on state.
  if (recorded === null || mock === null) return
  const { kind, of, more } = definitionFor(schema, mock)
  const types = { recorded: typeOf(recorded), mock: typeOf(mock) }
  if (types.recorded !== types.mock) return yield { path, kind: 'type', ...types }
  if (Array.isArray(recorded) && Array.isArray(mock)) {
    const item = kind === 'array' ? of : unchecked()
    if (recorded.length > 0 && mock.length === 0) yield `the mock has no item of ${path || 'the list'} to compare`
    for (const one of mock.length === 0 ? [] : recorded) {
      // One of the same type, such as that of a second factor.
      const type = readField(one, 'type')
      const same = mock.find((other) => type !== undefined && readField(other, 'type') === type)
      yield* differencesOf(item, one, same ?? mock[0], `${path}[]`)
    }
  } else if (isObject(recorded) && isObject(mock)) {
    const isMap = kind === 'object' && more !== null && more.kind !== 'unknown'
    if (isMap)
      yield* differencesOf(more, Object.values(recorded)[0] ?? null, Object.values(mock)[0] ?? null, `${path}.*`)
    else yield* fieldDifferences(kind === 'object' ? of : {}, recorded, mock, path)
  } else yield* valueDifferences(recorded, mock, path)
}

function* fieldDifferences(
  fields: Fields,
  recorded: object,
  mock: object,
  path: string,
): Generator<Difference | string> {
  const hidden = Object.keys(recorded).filter(isName)
  if (hidden.length > 0) yield `names of fields of ${path || 'the body'} are not in the recording`
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(mock)])) {
    // One of the mock's may be one of those.
    const isUnknown =
      hidden.includes(name) || (hidden.length > 0 && !Object.hasOwn(recorded, name) && !LISTED.has(name))
    if (isUnknown) continue
    const at = path === '' ? name : `${path}.${name}`
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const [one, other]: unknown[] = [readField(recorded, name), readField(mock, name)]
    if (one !== undefined && other !== undefined) yield* differencesOf(field ?? unchecked(), one, other, at)
    // Whether an optional field is there depends on state.
    else if (field?.kind !== 'optional')
      yield { path: at, kind: other === undefined ? 'missing' : 'extra', recorded: typeOf(one), mock: typeOf(other) }
  }
}

function* valueDifferences(recorded: unknown, mock: unknown, path: string): Generator<Difference> {
  const field = path.replace(/\[\]$/, '').split('.').at(-1) ?? ''
  const isNew = (isName(recorded) && recorded.startsWith('value-')) || isUndocumentedNumber(field, recorded)
  if (isNew) yield { path, kind: 'value', recorded: 'a value that the contract does not list', mock: String(mock) }
  // The theme is a setting of the user.
  else if (typeof recorded === 'string' && field !== 'theme' && recorded !== mock && isDocumented(field, recorded))
    yield { path, kind: 'value', recorded, mock: String(mock) }
}
