// Rows of accounts, of their applications, and of what is between them.

import { PasswordSchema } from '../../src/contract/login'
import { AuthenticatorType } from '../../src/contract/mfa'
import { ProfileDataSchema } from '../../src/contract/profile-data'
import { FriendSuggestionReasonSchema, RelationshipType } from '../../src/contract/relationships'
import {
  boolean,
  formattedString,
  integer,
  looseObject,
  nullable,
  type OpenObject,
  OpenObjectSchema,
  oneOf,
  open,
  optional,
  readonlyArray,
  record,
  type Schema,
  string,
} from '../../src/contract/schema'
import { LayoutComponentSchema, type LayoutDefinition } from '../../src/contract/widget-configs'
import type { UserRef } from '../database'
import type { PasskeyCredential } from '../request'
import type { MockApplication } from '../seed/applications'
import type { MockRelationships } from '../seed/relationships'
import type { MockService } from '../service'
import { isEmail, isLogin, isPhone, isUsername } from '../state/users'
import { literal, openObject } from '../table'
import {
  type Call,
  fields,
  given,
  itemsOf,
  requireApplication,
  requireUser,
  row,
  TokenSchema,
  UserRefSchema,
  UserSchema,
  userWithId,
  type Values,
} from './row'

export const phone = formattedString(isPhone, 'a phone number in E.164 format, such as +15555550100')
const factors = readonlyArray(oneOf(AuthenticatorType))

const ofPath = ({ service, id }: Call<unknown>) => requireUser(service, id, 'id')

/** Creates a row whose action changes the account of the path and returns it. */
const action = <P = undefined>(summary: string, change: (call: Call<P>, user: string) => void, params?: Schema<P>) =>
  row({
    summary,
    ...(params && { params }),
    result: UserSchema,
    handle(call) {
      const { id } = ofPath(call)
      change(call, id)
      return call.service.users.get(id)
    },
  })

/** The TOTP code of an account. */
export interface TotpCode {
  /** Code that is valid now. */
  readonly code: string
  /** Time by the service's clock at which the next one follows, ISO 8601. */
  readonly expires_at: string
  /** Secret in base32. */
  readonly secret: string
}

/** Length of a TOTP step, RFC 6238. */
const TOTP_STEP = 30_000

const TotpCodeSchema = looseObject<TotpCode>()({ code: string, expires_at: string, secret: string })

const PasskeyCredentialSchema = looseObject<PasskeyCredential>()({
  id: string,
  rawId: string,
  type: literal('public-key'),
  response: looseObject<PasskeyCredential['response']>()({
    clientDataJSON: string,
    authenticatorData: string,
    signature: string,
    userHandle: string,
  }),
  clientExtensionResults: looseObject<PasskeyCredential['clientExtensionResults']>()({}),
  authenticatorAttachment: literal('platform'),
})

const ApplicationSchema = looseObject<MockApplication>()({ id: string, name: string, owner_id: string })

type Layout = Omit<LayoutDefinition, 'key'>
const LayoutSchema = looseObject<Layout>()({
  surface: open<Layout['surface']>('string'),
  components: record(LayoutComponentSchema),
  display_name: string,
})

const applicationOf = ({ service, id }: Call<unknown>) => requireApplication(service, id, 'id')

/** A user who acts, and the other one. */
const pairFields = { user: UserRefSchema, target: UserRefSchema }

export function pairOf(service: MockService, { user, target }: Values<typeof pairFields>) {
  return [requireUser(service, user, '/user'), requireUser(service, target, '/target')] as const
}

type Act = (user: UserRef, target: UserRef) => void

/** Creates the row of an action of one user on another. */
const pairRow = (summary: string, actOf: (relationships: MockRelationships) => Act) =>
  row({
    summary,
    params: fields(pairFields),
    handle: (call) =>
      given('/target', () => actOf(call.service.relationships)(...pairOf(call.service, call.params)), 409),
  })

/** Schemas with a name in the OpenAPI document. */
export const accountSchemas = {
  Application: ApplicationSchema,
  Layout: LayoutSchema,
  PasskeyCredential: PasskeyCredentialSchema,
  Token: TokenSchema,
  TotpCode: TotpCodeSchema,
  User: UserSchema,
}

export const accountRows = {
  'GET /users': row({
    summary: 'Returns all accounts, including those of bots',
    result: itemsOf(UserSchema),
    handle: ({ service }) => ({ items: service.users.all() }),
  }),
  'POST /users': row({
    summary: 'Creates an account',
    params: fields({
      login: formattedString(isLogin, 'an e-mail address, or a phone number in E.164 format'),
      password: optional(PasswordSchema),
      username: optional(formattedString(isUsername, 'a name with a visible character')),
      discriminator: optional(nullable(string)),
      global_name: optional(nullable(string)),
      phone: optional(phone),
      mfa: optional(factors),
      locale: optional(string),
      theme: optional(literal('dark', 'light')),
    }),
    result: UserSchema,
    status: 201,
    handle: ({ service, params }) => given('', () => service.users.create(params), 409),
  }),
  'DELETE /users': row({
    summary: 'Removes all accounts',
    handle({ service }) {
      // An account may have been removed with another one, such as the bot of its application.
      for (const { id } of service.users.all()) if (userWithId(service, id) !== undefined) service.users.remove(id)
    },
  }),
  'GET /users/{id}': row({ summary: 'Returns an account', result: UserSchema, handle: (call) => ofPath(call) }),
  'DELETE /users/{id}': row({
    summary: 'Removes an account with its sessions, relationships and applications',
    handle: (call) => call.service.users.remove(ofPath(call)),
  }),
  'POST /users/{id}/lock': action('Locks the account: signing in requires a password reset', ({ service }, id) =>
    service.users.lock(id),
  ),
  'POST /users/{id}/disable': action('Disables the account', ({ service }, id) => service.users.disable(id)),
  'POST /users/{id}/enable': action('Makes the account active again', ({ service }, id) => service.users.enable(id)),
  'POST /users/{id}/schedule-deletion': action('Schedules the account for deletion', ({ service }, id) =>
    service.users.scheduleDeletion(id),
  ),
  'POST /users/{id}/suspend': row({
    summary: 'Suspends the account; the token is only valid in request bodies',
    result: TokenSchema,
    handle: (call) => ({ token: call.service.users.suspend(ofPath(call)) }),
  }),
  'POST /users/{id}/factors': action(
    'Replaces the second factors of the account',
    ({ service, params }, id) => service.users.setFactors(id, params.mfa),
    fields({ mfa: factors }),
  ),
  'POST /users/{id}/email': action(
    'Changes the e-mail address; the previous one receives a mail with the revert token',
    ({ service, params }, id) => given('/email', () => service.users.changeEmail(id, params.email), 409),
    fields({ email: formattedString(isEmail, 'an e-mail address') }),
  ),
  'POST /users/{id}/phone': action(
    'Changes or removes the phone number',
    ({ service, params }, id) => given('/phone', () => service.users.changePhone(id, params.phone), 409),
    fields({ phone: nullable(phone) }),
  ),
  'POST /users/{id}/passkeys': action(
    'Adds a passkey of a real authenticator',
    ({ service, params }, id) => given('/id', () => service.users.addPasskey(id, params)),
    fields({ id: string, publicKey: string, counter: optional(integer) }),
  ),
  'POST /users/{id}/passkey-credential': row({
    summary: 'Returns the credential of the simulated passkey for request options',
    params: fields({ options: string }),
    result: PasskeyCredentialSchema,
    handle: (call) => given('/options', () => call.service.users.passkey(ofPath(call), call.params.options)),
  }),
  'GET /users/{id}/totp': row({
    summary: 'Returns the TOTP code that is valid now',
    result: TotpCodeSchema,
    handle(call): TotpCode {
      const user = ofPath(call)
      const { users, clock } = call.service
      const end = (Math.floor(clock.now() / TOTP_STEP) + 1) * TOTP_STEP
      const code = given('id', () => users.totp(user), 409)
      return { code, expires_at: new Date(end).toISOString(), secret: users.totpSecret(user) }
    },
  }),
  'GET /users/{id}/backup-codes': row({
    summary: 'Returns the unused backup codes',
    result: itemsOf(string),
    handle: (call) => ({ items: call.service.users.backupCodes(ofPath(call)) }),
  }),
  'POST /users/{id}/verification-token': row({
    summary: 'Issues the token that authorizes an IP address for the account',
    params: fields({ ip: optional(string) }),
    result: TokenSchema,
    handle: (call) => ({ token: call.service.users.verificationToken(ofPath(call), call.params.ip) }),
  }),
  'POST /users/{id}/contact-sync-token': row({
    summary: 'Issues the token of a contact sync',
    result: TokenSchema,
    handle: (call) => ({ token: call.service.users.contactSyncToken(ofPath(call)) }),
  }),
  'GET /applications': row({
    summary: 'Returns all applications',
    result: itemsOf(ApplicationSchema),
    handle: ({ service }) => ({ items: service.applications.all() }),
  }),
  'POST /applications': row({
    summary: 'Creates an application and its bot',
    params: fields({
      owner: UserRefSchema,
      name: optional(string),
      members: optional(readonlyArray(UserRefSchema)),
      assets: optional(readonlyArray(OpenObjectSchema)),
      featured: optional(boolean),
    }),
    result: ApplicationSchema,
    status: 201,
    handle({ service, params: { owner, members = [], ...options } }) {
      return service.applications.create({
        ...options,
        owner: requireUser(service, owner, '/owner'),
        members: members.map((member, index) => requireUser(service, member, `/members/${index}`)),
      })
    },
  }),
  'POST /applications/{id}/bot-token': row({
    summary: 'Issues a token of the bot of the application',
    result: TokenSchema,
    handle: (call) => ({ token: call.service.applications.botToken(applicationOf(call)) }),
  }),
  'POST /applications/{id}/authorize': row({
    summary: 'Authorizes the application for a user',
    params: fields({ user: UserRefSchema }),
    handle: (call) =>
      call.service.applications.authorize(applicationOf(call), requireUser(call.service, call.params.user, '/user')),
  }),
  'POST /applications/{id}/feature': row({
    summary: 'Sets whether the published widget configs of the application are featured',
    params: fields({ featured: optional(boolean) }),
    handle: (call) => call.service.applications.feature(applicationOf(call), call.params.featured),
  }),
  'POST /applications/{id}/assets': row({
    summary: 'Adds an asset that widget configs may refer to by its `id`',
    params: OpenObjectSchema,
    handle: (call) => call.service.applications.addAsset(applicationOf(call), call.params),
  }),
  'POST /applications/{id}/identities': row({
    summary: 'Creates an account of a user in the application',
    params: fields({
      user: UserRefSchema,
      externalUserId: string,
      username: optional(nullable(string)),
      metadata: optional(nullable(openObject<OpenObject>())),
      data: optional(nullable(ProfileDataSchema)),
      dataTrusted: optional(boolean),
      connectionVisible: optional(boolean),
    }),
    handle(call) {
      const user = requireUser(call.service, call.params.user, '/user')
      call.service.identities.create({ ...call.params, application: applicationOf(call), user })
    },
  }),
  'PUT /layouts/{id}': row({
    summary: 'Adds a layout definition or replaces the one with this key',
    params: LayoutSchema,
    handle: ({ service, id, params }) => service.layouts.define({ ...params, key: id }),
  }),
  'GET /relationships': row({
    summary: 'Returns the type of the relationship of a user with another; 0 if there is none',
    params: fields(pairFields),
    result: looseObject<{ readonly type: RelationshipType }>()({ type: oneOf(RelationshipType) }),
    handle: (call) => ({ type: call.service.relationships.between(...pairOf(call.service, call.params)) }),
  }),
  'POST /relationships/befriend': pairRow('Makes two users friends', ({ befriend }) => befriend),
  'POST /relationships/request': row({
    summary: 'Sends a friend request from one user to another',
    params: fields({
      ...pairFields,
      note: optional(nullable(string)),
      spam: optional(boolean),
      stranger: optional(boolean),
    }),
    handle(call) {
      const { user: _, target: __, ...options } = call.params
      given('/target', () => call.service.relationships.request(...pairOf(call.service, call.params), options), 409)
    },
  }),
  'POST /relationships/block': pairRow('Makes one user block another', ({ block }) => block),
  'POST /relationships/remove': pairRow('Makes one user remove the relationship', ({ remove }) => remove),
  'POST /relationships/implicit': pairRow(
    'Adds a relationship of type IMPLICIT on the side of the first user',
    ({ addImplicit }) => addImplicit,
  ),
  'POST /suggestions': row({
    summary: 'Suggests a friend to a user',
    params: fields({
      ...pairFields,
      reasons: optional(readonlyArray(FriendSuggestionReasonSchema)),
      fromContacts: optional(boolean),
    }),
    handle(call) {
      const { user: _, target: __, ...options } = call.params
      given('/target', () => call.service.users.suggest(...pairOf(call.service, call.params), options), 409)
    },
  }),
  'POST /game-suggestions': row({
    summary: 'Replaces the games suggested to a user',
    params: fields({
      user: UserRefSchema,
      games: optional(readonlyArray(string)),
      wishlist: optional(readonlyArray(string)),
    }),
    handle: ({ service, params: { user, ...games } }) =>
      service.users.suggestGames(requireUser(service, user, '/user'), games),
  }),
}
