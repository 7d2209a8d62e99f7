import {
  boolean,
  formattedString,
  integer,
  number,
  OpenObjectSchema,
  optional,
  record,
  refine,
  type Schema,
  strictObject,
  string,
  unchecked,
} from '../../src/contract/schema'
import type { MailKind, SmsKind } from '../database'
import type { Fault, FaultMatch, PendingFault } from '../faults'
import type { JournalEntry } from '../journal'
import type { Outbox } from '../outbox'
import type { EndpointSelector } from '../router'
import type { MockService } from '../service'
import {
  durationOf,
  given,
  itemsOf,
  literal,
  messageOf,
  NoParams,
  openObject,
  refusal,
  requireUser,
  row,
  UserRefSchema,
} from './row'

/** Parameters of the list of messages. */
export interface MessageQuery<K> {
  /** E-mail address or phone number. Default: all. */
  readonly to?: string
  /** Kind of message. Default: all. */
  readonly kind?: K
}

const MAX_WAIT = 60_000

const outboxRows = <K extends MailKind | SmsKind>(kind: Schema<K>, outbox: (service: MockService) => Outbox<K>) => {
  const query = { to: optional(string), kind: optional(kind) }
  return {
    list: row({
      summary: 'Returns the messages that were sent, oldest first',
      params: strictObject<MessageQuery<K>>()(query as never),
      result: itemsOf(messageOf(kind)),
      handle: ({ service, params: { to, kind } }) => ({
        items: outbox(service)
          .all()
          .filter((message) => to === undefined || message.to.toLowerCase() === to.toLowerCase())
          .filter((message) => kind === undefined || message.kind === kind),
      }),
    }),
    last: row({
      summary: 'Returns the last message; with `wait`, waits for one if there is none yet',
      params: strictObject<MessageQuery<K> & { readonly wait?: Parameters<MockService['clock']['advance']>[0] }>()({
        ...query,
        wait: optional(durationOf(MAX_WAIT)),
      } as never),
      result: messageOf(kind),
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
      params: NoParams,
      handle: ({ service }) => outbox(service).clear(),
    }),
  }
}

const mail = outboxRows(literal('password_reset', 'account_recovery', 'new_location'), ({ mail }) => mail)
const sms = outboxRows(literal('password_reset', 'phone_verification', 'mfa'), ({ sms }) => sms)

/** A fault of an endpoint, as the control API shows it. */
export type ControlFault = Fault & {
  /** ID, to remove it. */
  readonly id: number
  /** Name of the endpoint, or method and path. */
  readonly endpoint: EndpointSelector
  /** Number of requests that it still affects; `null` for all. */
  readonly left: number | null
}

const faultView = ({ id, selector, fault, left }: PendingFault): ControlFault => ({
  id,
  endpoint: selector,
  left,
  ...fault,
})

const literalTrue = literal(true)

/** A fault to add. */
export type ControlFaultParams = { readonly endpoint: EndpointSelector } & Fault

const FaultSchema = strictObject<Record<string, unknown>>()({
  endpoint: string,
  times: optional(integer),
  latency: optional(durationOf()),
  match: optional(
    strictObject<FaultMatch>()({
      user: optional(UserRefSchema),
      params: optional(OpenObjectSchema),
      headers: optional(record(string)),
    }),
  ),
  status: optional(integer),
  body: optional(unchecked<unknown>()),
  headers: optional(record(string)),
  retryAfter: optional(number),
  global: optional(boolean),
  html: optional(unchecked<true | string>()),
  malformedJson: optional(literalTrue),
  network: optional(literalTrue),
  reset: optional(literalTrue),
  truncate: optional(literalTrue),
  stall: optional(literalTrue),
} as never) as unknown as Schema<ControlFaultParams>

const status = formattedString(
  (text) => /^[1-5](?:\d\d|xx)$/.test(text),
  'a status such as 404, or a class such as 4xx',
)

export const trafficRows = {
  'GET /mail': mail.list,
  'DELETE /mail': mail.clear,
  'GET /mail/last': mail.last,
  'GET /sms': sms.list,
  'DELETE /sms': sms.clear,
  'GET /sms/last': sms.last,
  'GET /faults': row({
    summary: 'Returns the faults of endpoints, in the order in which they apply',
    result: itemsOf(openObject<ControlFault>()),
    handle: ({ service }) => ({ items: service.faults.all().map(faultView) }),
  }),
  'POST /faults': row({
    summary: 'Makes an endpoint fail',
    params: FaultSchema,
    result: openObject<ControlFault>(),
    status: 201,
    handle({ service, params: { endpoint, ...fault } }): ControlFault {
      const { user, ...match } = fault.match ?? {}
      const resolved = user === undefined ? {} : { user: requireUser(service, user, '/match/user').id }
      given('/endpoint', () => service.journal.find(endpoint))
      const injected = { ...fault, ...(fault.match && { match: { ...match, ...resolved } }) }
      given('', () => service.faults.on(endpoint, injected))
      const added = service.faults.all().at(-1)
      if (added === undefined) throw new Error('the fault was not added')
      return faultView(added)
    },
  }),
  'DELETE /faults': row({
    summary: 'Removes all faults of endpoints',
    params: NoParams,
    handle: ({ service }) => service.faults.clear(),
  }),
  'DELETE /faults/{id}': row({
    summary: 'Removes a fault',
    params: NoParams,
    handle({ service, id }) {
      const ids = service.faults.all().map((fault) => fault.id)
      if (!service.faults.remove(Number(id))) throw refusal(404, 'id', `no fault has the ID ${JSON.stringify(id)}`, ids)
    },
  }),
  'GET /requests': row({
    summary: 'Returns the last requests, oldest first, with the reason of each refusal',
    params: strictObject<{
      readonly endpoint?: EndpointSelector
      readonly status?: string
      readonly user?: string
      readonly limit?: number
    }>()({
      endpoint: optional(string as Schema<EndpointSelector>),
      status: optional(status),
      user: optional(string),
      limit: optional(
        refine(integer, function* (limit) {
          if (limit < 1) yield { code: 'invalid_value', message: `must be at least 1, got ${limit}` }
        }),
      ),
    }),
    result: itemsOf(openObject<JournalEntry>()),
    handle({ service: { journal, ...service }, params: { endpoint, status, user, limit = Number.POSITIVE_INFINITY } }) {
      const all = endpoint === undefined ? journal.requests : given('endpoint', () => journal.find(endpoint))
      const pattern = status === undefined ? undefined : new RegExp(`^${status.replace('xx', '\\d\\d')}$`)
      const id = user === undefined ? undefined : (service.users.find(user)?.id ?? user)
      const items = all.filter(
        (entry) =>
          (pattern === undefined || pattern.test(String(entry.status))) && (id === undefined || entry.user === id),
      )
      return { items: items.slice(-limit) }
    },
  }),
  'DELETE /requests': row({
    summary: 'Deletes the recorded requests',
    params: NoParams,
    handle: ({ service }) => service.journal.clear(),
  }),
}
