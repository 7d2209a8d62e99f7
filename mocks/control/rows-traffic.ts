import {
  formattedString,
  integer,
  looseObject,
  optional,
  refine,
  type Schema,
  strictObject,
  string,
  unchecked,
  union,
} from '../../src/contract/schema'
import { REDACTED } from '../../src/internal/redact'
import { type Duration, milliseconds } from '../clock'
import {
  literal,
  type MailKind,
  type Message,
  type MessageContents,
  type MessageHead,
  openObject,
  type SmsKind,
} from '../database'
import { contains, FAULT_OPTIONS, type Fault, type PendingFault } from '../faults'
import type { JournalEntry } from '../journal'
import type { Outbox } from '../outbox'
import { type EndpointSelector, endpointNames, matcherOf, rowNamed } from '../router'
import type { MockService } from '../service'
import { check, integer as integerCheck, nested, orNull, schemaOf } from '../settings'
import { JournalEntrySchema } from '../snapshot'
import { fromCheck } from './json-schema'
import { durationOf, fields, given, itemsOf, refusal, requireUser, row, type Values } from './row'

export interface MessageQuery<K> {
  /** E-mail address or phone number. Default: all. */
  readonly to?: string
  /** Kind of message. Default: all. */
  readonly kind?: K
}

const MAX_WAIT = 60_000

const messageOf = <K extends keyof MessageContents>(kind: K, contents: object) =>
  // The fields are those of `MessageContents`, which the tests compare.
  looseObject<MessageHead<K>>()({ to: string, kind: literal(kind), text: string, at: string, ...contents } as never)

const messages = {
  password_reset: messageOf('password_reset', { token: string, ticket: optional(string) }),
  account_recovery: messageOf('account_recovery', { token: string }),
  new_location: messageOf('new_location', { token: string }),
  phone_verification: messageOf('phone_verification', { code: string }),
  mfa: messageOf('mfa', { code: string }),
} as const

const messageOfKinds = <K extends keyof MessageContents>(...kinds: readonly K[]) =>
  union<Message<K>>(
    kinds.map((kind) => messages[kind]),
    // There is at least one kind.
    (value) => messages[(kinds.find((kind) => kind === Object(value).kind) ?? kinds[0]) as K],
  )

const outboxRows = <K extends MailKind | SmsKind>(
  kinds: readonly K[],
  message: Schema<Message<K>>,
  outbox: (service: MockService) => Outbox<K>,
) => {
  const query = { to: optional(string), kind: optional(literal(...kinds)) }
  return {
    list: row({
      summary: 'Returns the messages that were sent, oldest first',
      // The compiler does not resolve `K` in the fields.
      params: strictObject<MessageQuery<K>>()(query as never),
      result: itemsOf(message),
      handle: ({ service, params: { to, kind } }) => ({
        items: outbox(service)
          .all()
          .filter((message) => to === undefined || message.to.toLowerCase() === to.toLowerCase())
          .filter((message) => kind === undefined || message.kind === kind),
      }),
    }),
    last: row({
      summary: 'Returns the last message; with `wait`, waits for one if there is none yet',
      // The compiler does not resolve `K` in the fields.
      params: strictObject<MessageQuery<K> & { readonly wait?: Parameters<MockService['clock']['advance']>[0] }>()({
        ...query,
        wait: optional(durationOf(MAX_WAIT)),
      } as never),
      result: message,
      async handle({ service, params: { wait = 0, ...options }, signal }) {
        try {
          return await outbox(service).waitFor<K>({ ...options, timeout: wait, signal })
        } catch (error) {
          throw refusal(404, 'to', error instanceof Error ? error.message : String(error))
        }
      },
    }),
    clear: row({
      summary: 'Deletes the messages',
      handle: ({ service }) => outbox(service).clear(),
    }),
  }
}

const MAIL_KINDS = ['password_reset', 'account_recovery', 'new_location'] as const satisfies readonly MailKind[]
const SMS_KINDS = ['password_reset', 'phone_verification', 'mfa'] as const satisfies readonly SmsKind[]
const MailSchema: Schema<Message<MailKind>> = messageOfKinds(...MAIL_KINDS)
const SmsSchema: Schema<Message<SmsKind>> = messageOfKinds(...SMS_KINDS)
const mail = outboxRows(MAIL_KINDS, MailSchema, ({ mail }) => mail)
const sms = outboxRows(SMS_KINDS, SmsSchema, ({ sms }) => sms)

/** A fault of an endpoint, as the control API shows it. */
export type ControlFault = Fault & {
  /** ID, to remove it. */
  readonly id: number
  /** Name of the endpoint, or method and path. */
  readonly endpoint: EndpointSelector
  /** Number of requests that it still affects; `null` for all. */
  readonly left: number | null
  /** Number of requests that it still lets pass. */
  readonly after: number
}

const faultView = ({ selector, fault, ...pending }: PendingFault): ControlFault => ({
  endpoint: selector,
  ...fault,
  ...pending,
})

function assertEndpoint(path: string, selector: EndpointSelector): void {
  try {
    matcherOf(selector)
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('; names: ')
    throw refusal(400, path, message, endpointNames)
  }
}

export type ControlFaultParams = { readonly endpoint: EndpointSelector } & Fault

const endpointName = check('the name of an endpoint, or a method and a path', (value) => typeof value === 'string', {
  type: 'string',
})
const FaultSchema = fromCheck<ControlFaultParams>(nested({ endpoint: endpointName, ...FAULT_OPTIONS }, ['endpoint']))

/** A fault is validated when it is added. */
const PendingFaultSchema = refine(
  unchecked<ControlFault>(),
  () => [],
  schemaOf(
    nested(
      {
        ...FAULT_OPTIONS,
        id: integerCheck(1, Number.MAX_SAFE_INTEGER),
        endpoint: endpointName,
        left: orNull(integerCheck(0, Number.MAX_SAFE_INTEGER)),
      },
      ['id', 'endpoint', 'left', 'after'],
    ),
  ) ?? {},
)

/** Schemas with a name in the OpenAPI document. */
export const trafficSchemas = {
  Fault: FaultSchema,
  Mail: MailSchema,
  PendingFault: PendingFaultSchema,
  Request: JournalEntrySchema,
  Sms: SmsSchema,
}

const MAX_MISSES = 3

const positive = refine(integer, function* (number) {
  if (number < 1) yield { code: 'invalid_value', message: `must be at least 1, got ${number}` }
})

const status = formattedString(
  (text) => /^[1-5](?:\d\d|xx)$/.test(text),
  'a status such as 404, or a class such as 4xx',
)

/** Adds a fault whose user is given by ID, login or username. */
export function addFault(service: MockService, { endpoint, ...fault }: ControlFaultParams): ControlFault {
  const { user, ...match } = fault.match ?? {}
  const resolved = user === undefined ? {} : { user: requireUser(service, user, '/match/user').id }
  assertEndpoint('/endpoint', endpoint)
  const injected = { ...fault, ...(fault.match && { match: { ...match, ...resolved } }) }
  given('', () => service.faults.on(endpoint, injected))
  const added = service.faults.all().at(-1)
  if (added === undefined) throw new Error('the fault was not added')
  return faultView(added)
}

/** Which requests are meant. */
const filterFields = {
  // `assertFilter` validates it.
  endpoint: optional(string as Schema<EndpointSelector>),
  status: optional(status),
  user: optional(string),
}
type Filter = Values<typeof filterFields> & { readonly params?: Readonly<Record<string, unknown>> }

function assertFilter({ endpoint }: Filter): void {
  if (endpoint !== undefined) assertEndpoint('endpoint', endpoint)
}

/** Returns how a request differs from the ones that are meant. */
function missesOf(
  service: MockService,
  { endpoint, status, user, params = {} }: Filter,
  entry: JournalEntry,
): string[] {
  const misses: string[] = []
  const compare = (name: string, isEqual: boolean, wanted: unknown, actual: unknown) => {
    if (!isEqual) misses.push(`${name} is ${JSON.stringify(actual) ?? 'absent'}, not ${JSON.stringify(wanted)}`)
  }
  if (endpoint !== undefined) {
    compare('endpoint', matcherOf(endpoint)({ ...entry, endpoint: rowNamed(entry.endpoint) }), endpoint, entry.endpoint)
  }
  if (status !== undefined) {
    const pattern = new RegExp(`^${status.replace('xx', '\\d\\d')}$`)
    compare('status', pattern.test(String(entry.status)), status, entry.status)
  }
  if (user !== undefined) compare('user', entry.user === (service.users.find(user)?.id ?? user), user, entry.user)
  for (const [name, wanted] of Object.entries(params)) {
    const actual: unknown = Reflect.get(Object(entry.params), name)
    if (actual === REDACTED) misses.push(`params.${name} is redacted and cannot be compared`)
    else compare(`params.${name}`, contains(actual, wanted), wanted, actual)
  }
  return misses
}

/** Waits in real time until a condition holds after one of the next requests, or the time is over. */
function waitFor(service: MockService, isMet: () => boolean, wait: Duration, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const check = () => {
      if (isMet() || signal.aborted) settle()
    }
    const timer = setTimeout(settle, milliseconds(wait))
    const unsubscribe = service.onEvent(({ type }) => type === 'request' && check())
    signal.addEventListener('abort', settle, { once: true })
    check()
  })
}

export const trafficRows = {
  'GET /mail': mail.list,
  'DELETE /mail': mail.clear,
  'GET /mail/last': mail.last,
  'GET /sms': sms.list,
  'DELETE /sms': sms.clear,
  'GET /sms/last': sms.last,
  'GET /faults': row({
    summary: 'Returns the faults of endpoints, in the order in which they apply',
    result: itemsOf(PendingFaultSchema),
    handle: ({ service }) => ({ items: service.faults.all().map(faultView) }),
  }),
  'POST /faults': row({
    summary: 'Makes an endpoint fail',
    params: FaultSchema,
    result: PendingFaultSchema,
    status: 201,
    handle: ({ service, params }) => addFault(service, params),
  }),
  'DELETE /faults': row({
    summary: 'Removes all faults of endpoints',
    handle: ({ service }) => service.faults.clear(),
  }),
  'DELETE /faults/{id}': row({
    summary: 'Removes a fault',
    handle({ service, id }) {
      const ids = service.faults.all().map((fault) => fault.id)
      if (!service.faults.remove(Number(id))) throw refusal(404, 'id', `no fault has the ID ${JSON.stringify(id)}`, ids)
    },
  }),
  'GET /requests': row({
    summary:
      'Returns the last requests, oldest first, with the reason of each refusal; with `wait`, waits for `count` of them, or one',
    params: fields({
      ...filterFields,
      limit: optional(positive),
      wait: optional(durationOf(MAX_WAIT)),
      count: optional(positive),
    }),
    result: itemsOf(JournalEntrySchema),
    async handle({ service, params: { limit = Number.POSITIVE_INFINITY, wait = 0, count = 1, ...filter }, signal }) {
      assertFilter(filter)
      const found = () => service.journal.requests.filter((entry) => missesOf(service, filter, entry).length === 0)
      await waitFor(service, () => found().length >= count, wait, signal)
      return { items: found().slice(-limit) }
    },
  }),
  'GET /requests/count': row({
    summary: 'Returns the number of requests',
    params: fields(filterFields),
    result: looseObject<{ readonly count: number }>()({ count: integer }),
    handle({ service, params }) {
      assertFilter(params)
      const { length } = service.journal.requests.filter((entry) => missesOf(service, params, entry).length === 0)
      return { count: length }
    },
  }),
  'POST /requests/verify': row({
    summary: 'Succeeds if the requests were received; a failure is 409 and names those that come closest',
    params: fields({
      ...filterFields,
      params: optional(openObject<Readonly<Record<string, unknown>>>()),
      times: optional(integer),
      wait: optional(durationOf(MAX_WAIT)),
    }),
    async handle({ service, params: { times, wait = 0, ...filter }, signal }) {
      assertFilter(filter)
      const all = () => service.journal.requests.map((entry) => ({ entry, misses: missesOf(service, filter, entry) }))
      const count = () => all().filter(({ misses }) => misses.length === 0).length
      await waitFor(service, () => count() >= (times ?? 1), wait, signal)
      if (times === undefined ? count() > 0 : count() === times) return
      const expected = times === undefined ? 'at least one request' : `${times} requests`
      const near = all().filter(
        ({ misses }) => misses.length > 0 && !misses.some((miss) => miss.startsWith('endpoint')),
      )
      near.sort((one, other) => one.misses.length - other.misses.length)
      const lines = near.slice(0, MAX_MISSES).map(({ entry, misses }) => {
        return `${entry.method} ${entry.path} at ${entry.at}: ${misses.join(', ')}`
      })
      const closest = lines.length === 0 ? 'none comes close' : `closest: ${lines.join('; ')}`
      throw refusal(409, 'times', `expected ${expected}, got ${count()}; ${closest}`)
    },
  }),
  'DELETE /requests': row({
    summary: 'Deletes the recorded requests',
    handle: ({ service }) => service.journal.clear(),
  }),
}
