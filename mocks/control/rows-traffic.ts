// Rows of what the service sent and received: mails, SMS and requests.
import * as s from '../../src/contract/schema'
import { isObject } from '../../src/internal/json'
import { isSecretName, REDACTED } from '../../src/internal/redact'
import { type Duration, milliseconds } from '../clock'
import type { MailKind, MailParts, Message, MessageContents, MessageHead, SmsKind, UserRef } from '../database'
import { contains } from '../faults'
import type { JournalEntry } from '../journal'
import { type MessageQuery, messageMatcher, type Outbox } from '../outbox'
import type { KnownSecrets } from '../redaction/redaction'
import { type EndpointSelector, matcherOf, rowNamed } from '../router'
import { knownSecrets, type MockService } from '../service'
import * as option from '../settings'
import { fields, type Values } from '../settings'
import { JournalEntrySchema } from '../snapshot'
import { literal, within } from '../table'
import { ControlProblem, counted, existing, itemsOf, refusal, row, WaitSchema } from './row'
import { assertFilter } from './rows-service'

const messageId = s.formattedString((text) => /^\d{1,20}$/.test(text), 'the ID of a message')

const contents = {
  password_reset: { token: s.string, ticket: s.optional(s.string) },
  account_recovery: { token: s.string },
  new_location: { token: s.string },
  phone_verification: { code: s.string },
  mfa: { code: s.string },
} as const

const mailParts = { subject: s.string, html: s.string, link: s.string } as const

/** Returns the schema of messages; `parts` are the fields that all of them have in addition. */
function messageOf<K extends keyof MessageContents, Parts>(kinds: readonly K[], parts: object) {
  const ofKind = (kind: K) =>
    // The fields are those of `MessageContents`, which the tests compare.
    s.looseObject<MessageHead<K>>()({
      id: s.string,
      to: s.string,
      kind: literal(kind),
      text: s.string,
      at: s.string,
      ...parts,
      ...contents[kind],
    } as never)
  const schemas = kinds.map(ofKind)
  // There is at least one kind.
  return s.union<Message<K> & Parts>(
    schemas,
    (value) => schemas[kinds.indexOf(Object(value).kind)] ?? (schemas[0] as never),
  )
}

const outboxRows = <K extends MailKind | SmsKind, Parts>(
  kinds: readonly K[],
  message: s.Schema<Message<K> & Parts>,
  outbox: (service: MockService) => Outbox<K, Parts>,
) => {
  const query = { to: s.optional(s.string), kind: s.optional(literal(...kinds)), after: s.optional(messageId) }
  return {
    list: row(
      'Returns the messages that were sent, oldest first',
      ({ service, params }) => ({ items: outbox(service).all().filter(messageMatcher<K, Parts, K>(params)) }),
      {
        // The compiler does not resolve `K` in the fields.
        params: s.strictObject<MessageQuery<K>>()(query as never),
        result: itemsOf(message),
      },
    ),
    last: row(
      'Returns the last message, or the last one after an ID; with `wait`, waits for one if there is none yet',
      async ({ service, params: { wait = 0, ...options }, signal }) => {
        try {
          return await outbox(service).waitFor<K>({ ...options, timeout: wait, signal })
        } catch (error) {
          throw refusal(404, 'to', error instanceof Error ? error.message : String(error))
        }
      },
      {
        // The compiler does not resolve `K` in the fields.
        params: s.strictObject<MessageQuery<K> & { readonly wait?: Duration }>()({
          ...query,
          wait: s.optional(WaitSchema),
        } as never),
        result: message,
      },
    ),
    remove: row('Deletes a message', ({ service, id }) => {
      const { all, remove } = outbox(service)
      const ids = () => all().map((message) => message.id)
      existing(remove(id), 'id', `no message has the ID ${JSON.stringify(id)}`, ids)
    }),
    clear: row('Deletes the messages', ({ service }) => outbox(service).clear()),
  }
}

const MAIL_KINDS = ['password_reset', 'account_recovery', 'new_location'] as const satisfies readonly MailKind[]
const SMS_KINDS = ['password_reset', 'phone_verification', 'mfa'] as const satisfies readonly SmsKind[]
const MailSchema = messageOf<MailKind, MailParts>(MAIL_KINDS, mailParts)
const SmsSchema = messageOf<SmsKind, unknown>(SMS_KINDS, {})
const mail = outboxRows(MAIL_KINDS, MailSchema, ({ mail }) => mail)
const sms = outboxRows(SMS_KINDS, SmsSchema, ({ sms }) => sms)

/** Schemas with a name in the OpenAPI document. */
export const trafficSchemas = {
  Mail: MailSchema,
  Request: JournalEntrySchema,
  Sms: SmsSchema,
}

const atLeast = (min: number) => option.fromCheck<number>(option.integer(min, Number.MAX_SAFE_INTEGER))

const statusText = s.formattedString(
  (text) => /^[1-5](?:\d\d|xx)$/.test(text),
  'a status such as 404, or a class such as 4xx',
)
const statusNumber = within(s.integer, 100, 599)
const status = s.union<number | string>([statusNumber, statusText], (value) =>
  typeof value === 'number' ? statusNumber : statusText,
)

/** Which requests are meant. */
const filterFields = {
  // `assertFilter` validates it.
  endpoint: s.optional(s.string as s.Schema<EndpointSelector>),
  status: s.optional(status),
  user: s.optional(s.string),
}

/** Which requests of the journal are meant. Default: all. */
export interface RequestFilter {
  /** Endpoint, by its name or by method and path. */
  readonly endpoint?: EndpointSelector
  /** A status, or a class such as `'4xx'`. */
  readonly status?: number | string
  /** User whose token was sent. */
  readonly user?: UserRef
}

/** An expected request. A secret value is compared only with `'[redacted]'`, which stands for any. */
export interface RequestExpectation extends RequestFilter {
  /** Parameters of query and body that must be contained in those of the request. */
  readonly params?: Readonly<Record<string, unknown>>
  /** The whole body: the request has these fields and no others. */
  readonly body?: unknown
  /** Headers that the request has, among others. */
  readonly headers?: Readonly<Record<string, string>>
}

const expectationFields = {
  ...filterFields,
  params: s.optional(s.OpenObjectSchema),
  body: s.optional(s.unchecked<unknown>()),
  headers: s.optional(s.record(s.string)),
}
type Expectation = Values<typeof expectationFields>

const steps = s.refine(s.readonlyArray(fields(expectationFields)), function* ({ length }) {
  if (length === 0) yield { code: 'invalid_value', message: 'must have at least one request, got none' }
})

/** Returns how a request differs from the expected one. */
function missesOf(service: MockService, expected: Expectation, entry: JournalEntry): string[] {
  const { endpoint, status, user, params = {}, body, headers = {} } = expected
  const misses: string[] = []
  const known = knownSecrets(service)
  const show = (path: string, value: unknown) => format(known, path, value)
  const compare = (name: string, isEqual: boolean, wanted: unknown, actual: unknown) => {
    if (!isEqual) misses.push(`${name} is ${show(name, actual)}, not ${show(name, wanted)}`)
  }
  if (endpoint !== undefined) {
    compare('endpoint', matcherOf(endpoint)({ ...entry, endpoint: rowNamed(entry.endpoint) }), endpoint, entry.endpoint)
  }
  if (status !== undefined) {
    const pattern = new RegExp(`^${String(status).replace('xx', '\\d\\d')}$`)
    compare('status', pattern.test(String(entry.status)), status, entry.status)
  }
  if (user !== undefined) compare('user', entry.user === (service.users.find(user)?.id ?? user), user, entry.user)
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  misses.push(...differences(show, 'params', entry.params ?? {}, params))
  misses.push(...differences(show, 'headers', entry.headers, Object.fromEntries(lowerCase)))
  if (body !== undefined) misses.push(...differences(show, 'body', bodyOf(entry), body, true))
  return misses
}

function bodyOf({ params, query }: JournalEntry): unknown {
  if (!isObject(params) || Array.isArray(params)) return params
  return Object.fromEntries(Object.entries(params).filter(([name]) => !Object.hasOwn(query, name)))
}

/** Yields where a JSON value lacks parts of another; if `isWhole`, also where it has more. */
function* differences(
  show: (path: string, value: unknown) => string,
  path: string,
  actual: unknown,
  wanted: unknown,
  isWhole = false,
): Generator<string> {
  if (isObject(actual) && isObject(wanted) && !Array.isArray(wanted)) {
    const names = isWhole ? new Set([...Object.keys(wanted), ...Object.keys(actual)]) : Object.keys(wanted)
    for (const name of names) {
      yield* differences(show, `${path}.${name}`, Reflect.get(actual, name), Reflect.get(wanted, name), isWhole)
    }
  } else if (actual === REDACTED && wanted !== REDACTED && wanted !== undefined) {
    yield `${path} is redacted and cannot be compared`
  } else if (wanted === undefined ? actual !== undefined : !contains(actual, wanted)) {
    yield `${path} is ${show(path, actual)}, not ${show(path, wanted)}`
  }
}

const MAX_SHOWN = 200

/** Formats a value at a path without its secrets: the one that was expected may be a password. */
function format(known: KnownSecrets, path: string, value: unknown): string {
  const redact = (name: string, part: unknown) =>
    isSecretName(name) && !isObject(part) && part !== undefined ? REDACTED : part
  const text = known.text(JSON.stringify(redact(path.split('.').at(-1) ?? '', value), redact) ?? 'absent')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Waits in real time until a condition holds after one of the next requests, or the time or the namespace is over. */
function waitFor(service: MockService, isMet: () => boolean, wait: Duration, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (problem?: unknown) => {
      clearTimeout(timer)
      for (const unsubscribe of unsubscribes) unsubscribe()
      if (problem instanceof ControlProblem) reject(problem)
      resolve()
    }
    const end = async () => settle(refusal(410, '', 'the namespace was removed while the request waited'))
    const check = () => {
      if (isMet() || signal.aborted) settle()
    }
    const timer = setTimeout(settle, milliseconds(wait))
    const unsubscribes = [service.onEvent(({ type }) => type === 'request' && check()), service.onClose(end)]
    signal.addEventListener('abort', settle, { once: true })
    check()
  })
}

const MAX_MISSES = 3

const nameOf = ({ method, path, at }: JournalEntry) => `${method} ${path} at ${at}`

/** Returns the requests that come closest to an expected one, as the end of a sentence. */
function nearest(service: MockService, expected: Expectation, entries: readonly JournalEntry[]): string {
  const near = entries.map((entry) => ({ entry, misses: missesOf(service, expected, entry) }))
  const lines = near
    .filter(({ misses }) => misses.length > 0 && !misses[0]?.startsWith('endpoint'))
    .sort((one, other) => one.misses.length - other.misses.length)
    .slice(0, MAX_MISSES)
    .map(({ entry, misses }) => `${nameOf(entry)}: ${misses.join(', ')}`)
  return lines.length === 0 ? 'none comes close' : `closest: ${lines.join('; ')}`
}

/** Returns the first step that no request fulfills after those of the steps before it, and the requests after those. */
function missingStep(service: MockService, steps: readonly Expectation[]) {
  let rest = service.journal.requests
  for (const [index, step] of steps.entries()) {
    const at = rest.findIndex((entry) => missesOf(service, step, entry).length === 0)
    if (at === -1) return { index, step, rest }
    rest = rest.slice(at + 1)
  }
  return undefined
}

/** Returns why an answer about all requests is not known; `undefined` if the journal still has all of them. */
function incomplete({ journal: { dropped, requests } }: MockService): string | undefined {
  if (dropped === 0) return undefined
  const kept = `the journal keeps ${counted(requests.length, 'request')}, and ${counted(dropped, 'earlier one')} made room`
  return `${kept}; --max-journal-entries (maxJournalEntries of createMockService) keeps more, DELETE /_mock/requests clears it`
}

function assertComplete(service: MockService, path: string): void {
  const reason = incomplete(service)
  if (reason !== undefined) throw refusal(409, path, reason)
}

function found(service: MockService, expected: Expectation): readonly JournalEntry[] {
  return service.journal.requests.filter((entry) => missesOf(service, expected, entry).length === 0)
}

export const trafficRows = {
  'GET /mail': mail.list,
  'DELETE /mail': mail.clear,
  'DELETE /mail/{id}': mail.remove,
  'GET /mail/last': mail.last,
  'GET /sms': sms.list,
  'DELETE /sms': sms.clear,
  'DELETE /sms/{id}': sms.remove,
  'GET /sms/last': sms.last,
  'GET /requests': row(
    'Returns the last requests, oldest first, and the number of earlier ones that the journal has dropped, with the reason of each refusal; with `wait`, waits for `count` of them, or one; 409 if fewer than `count` are left of more',
    async ({ service, params: { limit = Number.POSITIVE_INFINITY, wait = 0, count, ...filter }, signal }) => {
      assertFilter(service, '', filter)
      await waitFor(service, () => found(service, filter).length >= (count ?? 1), wait, signal)
      if (count !== undefined && found(service, filter).length < count) assertComplete(service, 'count')
      return { items: found(service, filter).slice(-limit), dropped: service.journal.dropped }
    },
    {
      params: fields({
        ...filterFields,
        limit: s.optional(atLeast(1)),
        wait: s.optional(WaitSchema),
        count: s.optional(atLeast(1)),
      }),
      result: s.looseObject<{ readonly items: readonly JournalEntry[]; readonly dropped: number }>()({
        items: s.readonlyArray(JournalEntrySchema),
        dropped: s.integer,
      }),
    },
  ),
  'GET /requests/count': row(
    'Returns the number of requests; 409 if the journal no longer has all of them',
    ({ service, params }) => {
      assertFilter(service, '', params)
      assertComplete(service, '')
      return { count: found(service, params).length }
    },
    { params: fields(filterFields), result: s.looseObject<{ readonly count: number }>()({ count: s.integer }) },
  ),
  'POST /requests/verify': row(
    'Succeeds if the requests were received; a failure is 409 and names those that come closest',
    async ({ service, params: { times, order, wait = 0, ...expected }, signal }) => {
      const fail = (path: string, message: string) =>
        refusal(409, path, [message, incomplete(service) ?? []].flat().join('; '))
      assertFilter(service, '/', expected)
      for (const [index, step] of order?.entries() ?? []) assertFilter(service, `/order/${index}/`, step)
      if (times === undefined) {
        const steps = (order ?? [{}]).map((step) => ({ ...expected, ...step }))
        await waitFor(service, () => missingStep(service, steps) === undefined, wait, signal)
        const missing = missingStep(service, steps)
        if (missing === undefined) return
        const { index, step, rest } = missing
        const expectation =
          order === undefined
            ? 'expected at least one request, got 0'
            : `expected ${counted(steps.length, 'request')} in this order, and number ${index + 1} did not follow`
        const earlier = found(service, step).at(-1)
        const closest = earlier ? `it came before: ${nameOf(earlier)}` : nearest(service, step, rest)
        throw fail(order ? `/order/${index}` : '', `${expectation}; ${closest}`)
      }
      if (order !== undefined) throw refusal(400, '/times', 'times cannot be combined with order')
      await waitFor(service, () => found(service, expected).length >= times, wait, signal)
      const received = found(service, expected)
      const { length } = received
      if (length === times) return assertComplete(service, '/times')
      const shown = received.slice(-MAX_MISSES).map(nameOf)
      const got = length === 0 ? '0' : `${length}: ${length > MAX_MISSES ? '…, ' : ''}${shown.join(', ')}`
      const closest = length > times ? '' : `; ${nearest(service, expected, service.journal.requests)}`
      throw fail('/times', `expected ${counted(times, 'request')}, got ${got}${closest}`)
    },
    {
      params: fields({
        ...expectationFields,
        order: s.optional(steps),
        times: s.optional(atLeast(0)),
        wait: s.optional(WaitSchema),
      }),
    },
  ),
  'DELETE /requests': row('Deletes the recorded requests', ({ service }) => service.journal.clear()),
}
