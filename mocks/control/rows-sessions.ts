import * as s from '../../src/contract/schema'
import type { InjectedGatewayFault, MockGateway, MockGatewaySession } from '../gateway/gateway'
import type { MockGatewayFrame } from '../gateway/hub'
import { fields, type Values } from '../settings'
import { GatewayAttemptSchema } from '../snapshot'
import { literal } from '../table'
import { type Call, given, itemsOf, listRow, refusal, requireUser, row, tokenRow, UserRefSchema } from './row'
import { phone } from './rows-accounts'

const targetFields = { user: s.optional(UserRefSchema), session: s.optional(s.string) }
const faultFields = {
  ...targetFields,
  times: s.optional(s.integer),
  after: s.optional(s.integer),
  at: s.optional(literal('connect', 'identify', 'resume')),
}
const tokenFields = { oauth2: s.optional(s.string), userAgent: s.optional(s.string), ip: s.optional(s.string) }
type Target = Values<typeof targetFields>

/** Returns the options of a gateway fault with the user resolved; throws for an unknown session. */
function target<P extends Target>({ service, params }: Call<P>): P {
  const { user, session } = params
  const sessions = service.gateway.sessions.map(({ id }) => id)
  if (session !== undefined && !sessions.includes(session)) {
    throw refusal(400, '/session', `no gateway session has the ID ${JSON.stringify(session)}`, sessions)
  }
  return user === undefined ? params : { ...params, user: requireUser(service, user, '/user').id }
}

/** Number of connections or sessions that were affected. */
const AffectedSchema = s.looseObject<{ readonly count: number }>()({ count: s.integer })

type Injection = 'freeze' | 'unfreeze' | 'reconnect' | 'refuse' | 'duplicate'
type Affected = InjectedGatewayFault | number

/** Creates the row of a gateway fault, or of what is sent to connections. */
const gatewayFault = <P extends Target>(
  summary: string,
  params: s.Schema<P>,
  inject: Injection | ((gateway: MockGateway, options: P) => Affected),
) =>
  row(
    summary,
    (call) => {
      const { gateway } = call.service
      const affected = given('', () => {
        const options = target(call)
        return typeof inject === 'string' ? gateway[inject](options) : inject(gateway, options)
      })
      return { count: typeof affected === 'number' ? affected : affected.count }
    },
    { params, result: AffectedSchema },
  )

const GatewaySessionSchema = s.looseObject<MockGatewaySession>()({
  id: s.string,
  user: s.string,
  auth_session_id_hash: s.string,
  sequence: s.integer,
  connected: s.boolean,
  frozen: s.boolean,
})

const GatewayFrameSchema = s.looseObject<MockGatewayFrame>()({
  session: s.nullable(s.string),
  from: literal('service', 'client'),
  frame: s.unchecked<unknown>(),
  at: s.string,
})

/** Schemas with a name in the OpenAPI document. */
export const sessionSchemas = {
  Affected: AffectedSchema,
  GatewayAttempt: GatewayAttemptSchema,
  GatewayFrame: GatewayFrameSchema,
  GatewaySession: GatewaySessionSchema,
}

export const sessionRows = {
  'POST /phone-tokens': tokenRow(
    'Issues the token that proves a phone number; with a code, only if it is the one that was sent',
    ({ service, params }) => given('/code', () => service.users.phoneToken(params.phone, params.code)),
    { params: fields({ phone, code: s.optional(s.string) }), status: 201 },
  ),
  'POST /tokens': tokenRow(
    'Issues a token of a user, as if the user had signed in; with `oauth2`, a token of that application',
    ({ service, params: { user, ...options } }) => {
      const owner = requireUser(service, user, '/user')
      return given('/oauth2', () => service.token(owner, options))
    },
    { params: fields({ user: UserRefSchema, ...tokenFields }), status: 201 },
  ),
  'POST /fingerprints': row('Issues a fingerprint', ({ service }) => ({ fingerprint: service.fingerprint() }), {
    result: s.looseObject<{ readonly fingerprint: string }>()({ fingerprint: s.string }),
    status: 201,
  }),
  'GET /gateway/sessions': listRow(
    'Returns the gateway sessions that have not ended',
    GatewaySessionSchema,
    ({ service }) => service.gateway.sessions,
  ),
  'GET /gateway/journal': listRow(
    'Returns the attempts to identify and to resume, oldest first',
    GatewayAttemptSchema,
    ({ service }) => service.gateway.journal,
  ),
  'GET /gateway/frames': row(
    'Returns the last frames of all connections, or of those of a session, oldest first',
    ({ service, params: { session } }) => ({
      items: service.gateway.frames.filter((frame) => session === undefined || frame.session === session),
    }),
    { params: fields({ session: s.optional(s.string) }), result: itemsOf(GatewayFrameSchema) },
  ),
  'DELETE /gateway/faults': row('Removes all gateway faults, and lets frozen connections continue', ({ service }) =>
    service.gateway.clear(),
  ),
  'POST /gateway/drop': gatewayFault(
    'Closes connections; their sessions can be resumed. Default code: 1006, without a close frame',
    fields({ ...faultFields, code: s.optional(s.integer) }),
    (gateway, { code, ...options }) => gateway.drop(code, options),
  ),
  'POST /gateway/freeze': gatewayFault(
    'Stops reading from and writing to connections, as if the other end had vanished',
    fields(faultFields),
    'freeze',
  ),
  'POST /gateway/unfreeze': gatewayFault('Lets frozen connections continue', fields(targetFields), 'unfreeze'),
  'POST /gateway/reconnect': gatewayFault('Asks clients to reconnect', fields(faultFields), 'reconnect'),
  'POST /gateway/invalid': gatewayFault(
    'Sends Invalid Session. Default: not resumable',
    fields({ ...faultFields, resumable: s.optional(s.boolean) }),
    (gateway, { resumable = false, ...options }) => gateway.invalidSession(resumable, options),
  ),
  'POST /gateway/refuse': gatewayFault(
    'Refuses connections, with a `status` and a JSON `body` of the response to the upgrade',
    fields({
      times: s.optional(s.integer),
      after: s.optional(s.integer),
      status: s.optional(s.integer),
      body: s.optional(s.unchecked<unknown>()),
    }),
    'refuse',
  ),
  'POST /gateway/duplicate': gatewayFault(
    'Sends the last event again; with `times`, sends that many later events twice',
    fields({ ...targetFields, times: s.optional(s.integer) }),
    'duplicate',
  ),
  'POST /gateway/raw': gatewayFault(
    'Sends a frame: a string unchanged, any other value as JSON',
    fields({ ...targetFields, frame: s.unchecked<unknown>() }),
    (gateway, { frame, ...options }) => gateway.sendRaw(frame, options),
  ),
  'POST /gateway/emit': row(
    'Sends an event to the sessions of a user, or of all users',
    ({ service, params: { event, data, user } }) => {
      const to = user === undefined ? {} : { to: requireUser(service, user, '/user') }
      return { count: service.gateway.emit(event, data, to) }
    },
    {
      params: fields({ event: s.string, data: s.optional(s.unchecked<unknown>()), user: s.optional(s.string) }),
      result: AffectedSchema,
    },
  ),
}
