import {
  boolean,
  integer,
  looseObject,
  nullable,
  optional,
  readonlyArray,
  type Schema,
  strictObject,
  string,
  unchecked,
} from '../../src/contract/schema'
import { literal, type UserRef } from '../database'
import type { GatewayEffect, PendingGatewayFault } from '../gateway/connection'
import type { GatewayFaultOptions } from '../gateway/faults'
import type { MockGatewaySession } from '../gateway/gateway'
import type { GatewayJournalEntry } from '../gateway/hub'
import type { TokenOptions } from '../seed/applications'
import { AffectedSchema, type Call, given, itemsOf, refusal, requireUser, row, TokenSchema, UserRefSchema } from './row'
import { phone } from './rows-accounts'

const targetFields = { user: optional(UserRefSchema), session: optional(string) }
const laterFields = {
  times: optional(integer),
  at: optional(literal('connect', 'identify', 'resume')),
}

/** Returns the options of a gateway fault with the user resolved; throws for an unknown session. */
function target<P extends Pick<GatewayFaultOptions, 'user' | 'session'>>({ service, params }: Call<P>): P {
  const { user, session } = params
  const sessions = service.gateway.sessions.map(({ id }) => id)
  if (session !== undefined && !sessions.includes(session)) {
    throw refusal(400, '/session', `no gateway session has the ID ${JSON.stringify(session)}`, sessions)
  }
  return user === undefined ? params : { ...params, user: requireUser(service, user, '/user').id }
}

const GatewayFaultSchema = looseObject<{ readonly count: number; readonly id: number | null }>()({
  count: integer,
  id: nullable(integer),
})

const gatewayFault = <P extends object>(
  summary: string,
  fields: object,
  inject: (call: Call<P>, options: P) => { readonly id?: number | null; readonly count: number },
) =>
  row({
    summary,
    // Each caller passes the fields of its `P`.
    params: strictObject<P>()(fields as never),
    result: GatewayFaultSchema,
    handle(call) {
      // `params` was validated as `P`.
      const { id = null, count } = given('', () => inject(call, target(call as Call<never>) as P))
      return { id, count }
    },
  })

const GatewaySessionSchema = looseObject<MockGatewaySession>()({
  id: string,
  user: string,
  auth_session_id_hash: string,
  sequence: integer,
  connected: boolean,
  frozen: boolean,
})

const GatewayAttemptSchema = looseObject<GatewayJournalEntry>()({
  op: literal('identify', 'resume'),
  user: nullable(string),
  session: nullable(string),
  outcome: literal('ready', 'resumed', 'invalid_session', 'closed', 'fault'),
  at: string,
})

/** The fields of all effects; each has some of them. */
interface EffectFields {
  readonly kind: GatewayEffect['kind']
  readonly code?: number
  readonly reason?: string
  readonly resumable?: boolean
}

const PendingGatewayFaultSchema = looseObject<PendingGatewayFault>()({
  id: integer,
  // The schema does not relate the kind to the other fields.
  effect: looseObject<EffectFields>()({
    kind: literal('drop', 'invalid_session', 'refuse', 'freeze', 'reconnect', 'duplicate'),
    code: optional(integer),
    reason: optional(string),
    resumable: optional(boolean),
  }) as unknown as Schema<GatewayEffect>,
  at: readonlyArray(literal('connect', 'identify', 'resume', 'event')),
  user: nullable(string),
  left: nullable(integer),
})

/** Schemas with a name in the OpenAPI document. */
export const sessionSchemas = {
  Affected: AffectedSchema,
  GatewayAttempt: GatewayAttemptSchema,
  GatewayFault: GatewayFaultSchema,
  GatewaySession: GatewaySessionSchema,
  PendingGatewayFault: PendingGatewayFaultSchema,
}

export const sessionRows = {
  'POST /phone-tokens': row({
    summary: 'Issues the token that proves a phone number; with a code, only if it is the one that was sent',
    params: strictObject<{ readonly phone: string; readonly code?: string }>()({ phone, code: optional(string) }),
    result: TokenSchema,
    status: 201,
    handle: ({ service, params }) => ({
      token: given('/code', () => service.users.phoneToken(params.phone, params.code)),
    }),
  }),
  'POST /tokens': row({
    summary: 'Issues a token of a user, as if the user had signed in; with `oauth2`, a token of that application',
    params: strictObject<TokenOptions & { readonly user: UserRef; readonly oauth2?: string }>()({
      user: UserRefSchema,
      oauth2: optional(string),
      userAgent: optional(string),
      ip: optional(string),
    }),
    result: TokenSchema,
    status: 201,
    handle({ service, params: { user, ...options } }) {
      const owner = requireUser(service, user, '/user')
      return { token: given('/oauth2', () => service.token(owner, options)) }
    },
  }),
  'POST /fingerprints': row({
    summary: 'Issues a fingerprint',
    result: looseObject<{ readonly fingerprint: string }>()({ fingerprint: string }),
    status: 201,
    handle: ({ service }) => ({ fingerprint: service.fingerprint() }),
  }),
  'GET /gateway/sessions': row({
    summary: 'Returns the gateway sessions that have not ended',
    result: itemsOf(GatewaySessionSchema),
    handle: ({ service }) => ({ items: service.gateway.sessions }),
  }),
  'GET /gateway/journal': row({
    summary: 'Returns the attempts to identify and to resume, oldest first',
    result: itemsOf(GatewayAttemptSchema),
    handle: ({ service }) => ({ items: service.gateway.journal }),
  }),
  'GET /gateway/faults': row({
    summary: 'Returns the gateway faults that apply later',
    result: itemsOf(PendingGatewayFaultSchema),
    handle: ({ service }) => ({ items: service.gateway.faults }),
  }),
  'DELETE /gateway/faults': row({
    summary: 'Removes all gateway faults, and lets frozen connections continue',
    handle: ({ service }) => service.gateway.clear(),
  }),
  'POST /gateway/drop': gatewayFault<GatewayFaultOptions & { readonly code?: number; readonly reason?: string }>(
    'Closes connections; their sessions can be resumed. Default code: 1006, without a close frame',
    { ...targetFields, ...laterFields, code: optional(integer), reason: optional(string) },
    ({ service }, { code, ...options }) => service.gateway.drop(code, options),
  ),
  'POST /gateway/freeze': gatewayFault<GatewayFaultOptions>(
    'Stops reading from and writing to connections, as if the other end had vanished',
    { ...targetFields, ...laterFields },
    ({ service }, options) => service.gateway.freeze(options),
  ),
  'POST /gateway/unfreeze': gatewayFault<Pick<GatewayFaultOptions, 'user' | 'session'>>(
    'Lets frozen connections continue',
    targetFields,
    ({ service }, options) => ({ count: service.gateway.unfreeze(options) }),
  ),
  'POST /gateway/reconnect': gatewayFault<GatewayFaultOptions>(
    'Asks clients to reconnect',
    { ...targetFields, ...laterFields },
    ({ service }, options) => service.gateway.reconnect(options),
  ),
  'POST /gateway/invalid': gatewayFault<GatewayFaultOptions & { readonly resumable?: boolean }>(
    'Sends Invalid Session. Default: not resumable',
    { ...targetFields, ...laterFields, resumable: optional(boolean) },
    ({ service }, { resumable = false, ...options }) => service.gateway.invalidSession(resumable, options),
  ),
  'POST /gateway/refuse': gatewayFault<Pick<GatewayFaultOptions, 'times'>>(
    'Refuses connections',
    { times: optional(integer) },
    ({ service }, options) => service.gateway.refuse(options),
  ),
  'POST /gateway/duplicate': gatewayFault<Pick<GatewayFaultOptions, 'user' | 'session' | 'times'>>(
    'Sends the last event again; with `times`, sends that many later events twice',
    { ...targetFields, times: optional(integer) },
    ({ service }, options) => service.gateway.duplicate(options),
  ),
  'POST /gateway/raw': gatewayFault<Pick<GatewayFaultOptions, 'user' | 'session'> & { readonly frame: unknown }>(
    'Sends a frame: a string unchanged, any other value as JSON',
    { ...targetFields, frame: unchecked<unknown>() },
    ({ service }, { frame, ...options }) => ({ count: service.gateway.sendRaw(frame, options) }),
  ),
  'POST /gateway/emit': row({
    summary: 'Sends an event to the sessions of a user, or of all users',
    params: strictObject<{ readonly event: string; readonly data?: unknown; readonly user?: string }>()({
      event: string,
      data: optional(unchecked<unknown>()),
      user: optional(string),
    }),
    result: AffectedSchema,
    handle({ service, params: { event, data, user } }) {
      const to = user === undefined ? {} : { to: requireUser(service, user, '/user') }
      return { count: service.gateway.emit(event, data, to) }
    },
  }),
}
