// Rows of accounts, of their applications, and of what is between them.

import { AuthenticatorType } from '../../src/contract/mfa'
import { RelationshipType } from '../../src/contract/relationships'
import {
  formattedString,
  looseObject,
  nullable,
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
import {
  APPLICATION_OPTIONS,
  type CreateApplicationOptions,
  type CreateIdentityOptions,
  GAME_OPTIONS,
  IDENTITY_OPTIONS,
  type MockApplication,
  type MockRelationships,
  REQUEST_OPTIONS,
  type SeedRequestOptions,
  SUGGEST_OPTIONS,
  type SuggestGamesOptions,
  type SuggestOptions,
} from '../seed/data'
import { type AddPasskeyOptions, type CreateUserOptions, PASSKEY_OPTIONS, USER_OPTIONS } from '../seed/users'
import type { MockService } from '../service'
import { string as aString, each, fromCheck, nested } from '../settings'
import { isEmail, isPhone } from '../state/users'
import { literal } from '../table'
import {
  type Call,
  fields,
  given,
  listRow,
  requireApplication,
  requireUser,
  row,
  TokenSchema,
  tokenRow,
  UserRefSchema,
  UserSchema,
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

const statusRow = (summary: string, method: 'lock' | 'disable' | 'enable' | 'scheduleDeletion') =>
  action(summary, ({ service }, id) => service.users[method](id))

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
export interface Pair {
  readonly user: UserRef
  readonly target: UserRef
}

export const PAIR = { user: aString, target: aString }
export const SUGGESTION = nested({ ...PAIR, ...SUGGEST_OPTIONS }, ['user', 'target'])
export const GAME_SUGGESTION = nested({ user: aString, ...GAME_OPTIONS }, ['user'])
export const APPLICATION = { ...APPLICATION_OPTIONS, owner: aString, members: each(aString) }
const { application: _, ...OF_IDENTITY } = IDENTITY_OPTIONS

const PairSchema = fromCheck<Pair>(nested(PAIR, ['user', 'target']))

export function pairOf(service: MockService, { user, target }: Pair) {
  return [requireUser(service, user, '/user'), requireUser(service, target, '/target')] as const
}

export function suggest(service: MockService, { user, target, ...options }: Pair & SuggestOptions): void {
  service.users.suggest(...pairOf(service, { user, target }), options)
}

export function createApplication(
  service: MockService,
  { owner, members = [], ...options }: CreateApplicationOptions,
): MockApplication {
  return service.applications.create({
    ...options,
    owner: requireUser(service, owner, '/owner'),
    members: members.map((member, index) => requireUser(service, member, `/members/${index}`)),
  })
}

/** Creates the row of an action of one user on another. */
const pairRow = (summary: string, method: Exclude<keyof MockRelationships, 'between'>) =>
  row({
    summary,
    params: PairSchema,
    handle: ({ service, params }) =>
      given('/target', () => service.relationships[method](...pairOf(service, params)), 409),
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
  'GET /users': listRow('Returns all accounts, including those of bots', UserSchema, ({ service }) =>
    service.users.all(),
  ),
  'POST /users': row({
    summary: 'Creates an account',
    params: fromCheck<CreateUserOptions>(nested(USER_OPTIONS, ['login'])),
    result: UserSchema,
    status: 201,
    handle: ({ service, params }) => given('', () => service.users.create(params), 409),
  }),
  'DELETE /users': row({
    summary: 'Removes all accounts',
    handle({ service }) {
      // An account may have been removed with another one, such as the bot of its application.
      for (const { id } of service.users.all()) if (service.users.find(id) !== undefined) service.users.remove(id)
    },
  }),
  'GET /users/{id}': row({ summary: 'Returns an account', result: UserSchema, handle: (call) => ofPath(call) }),
  'DELETE /users/{id}': row({
    summary: 'Removes an account with its sessions, relationships and applications',
    handle: (call) => call.service.users.remove(ofPath(call)),
  }),
  'POST /users/{id}/lock': statusRow('Locks the account: signing in requires a password reset', 'lock'),
  'POST /users/{id}/disable': statusRow('Disables the account', 'disable'),
  'POST /users/{id}/enable': statusRow('Makes the account active again', 'enable'),
  'POST /users/{id}/schedule-deletion': statusRow('Schedules the account for deletion', 'scheduleDeletion'),
  'POST /users/{id}/suspend': tokenRow('Suspends the account; the token is only valid in request bodies', (call) =>
    call.service.users.suspend(ofPath(call)),
  ),
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
    fromCheck<AddPasskeyOptions>(nested(PASSKEY_OPTIONS, ['id', 'publicKey'])),
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
  'GET /users/{id}/backup-codes': listRow('Returns the unused backup codes', string, (call) =>
    call.service.users.backupCodes(ofPath(call)),
  ),
  'POST /users/{id}/verification-token': tokenRow(
    'Issues the token that authorizes an IP address for the account',
    (call) => call.service.users.verificationToken(ofPath(call), call.params.ip),
    { params: fields({ ip: optional(string) }) },
  ),
  'POST /users/{id}/contact-sync-token': tokenRow('Issues the token of a contact sync', (call) =>
    call.service.users.contactSyncToken(ofPath(call)),
  ),
  'GET /applications': listRow('Returns all applications', ApplicationSchema, ({ service }) =>
    service.applications.all(),
  ),
  'POST /applications': row({
    summary: 'Creates an application and its bot',
    params: fromCheck<CreateApplicationOptions>(nested(APPLICATION, ['owner'])),
    result: ApplicationSchema,
    status: 201,
    handle: ({ service, params }) => createApplication(service, params),
  }),
  'POST /applications/{id}/bot-token': tokenRow('Issues a token of the bot of the application', (call) =>
    call.service.applications.botToken(applicationOf(call)),
  ),
  'POST /applications/{id}/authorize': row({
    summary: 'Authorizes the application for a user',
    params: fields({ user: UserRefSchema }),
    handle: (call) =>
      call.service.applications.authorize(applicationOf(call), requireUser(call.service, call.params.user, '/user')),
  }),
  'POST /applications/{id}/identities': row({
    summary: 'Creates an account of a user in the application',
    params: fromCheck<Omit<CreateIdentityOptions, 'application'>>(
      nested({ ...OF_IDENTITY, user: aString }, ['user', 'externalUserId']),
    ),
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
    params: PairSchema,
    result: looseObject<{ readonly type: RelationshipType }>()({ type: oneOf(RelationshipType) }),
    handle: (call) => ({ type: call.service.relationships.between(...pairOf(call.service, call.params)) }),
  }),
  'POST /relationships/befriend': pairRow('Makes two users friends', 'befriend'),
  'POST /relationships/request': row({
    summary: 'Sends a friend request from one user to another',
    params: fromCheck<Pair & SeedRequestOptions>(nested({ ...PAIR, ...REQUEST_OPTIONS }, ['user', 'target'])),
    handle: ({ service, params: { user, target, ...options } }) =>
      given('/target', () => service.relationships.request(...pairOf(service, { user, target }), options), 409),
  }),
  'POST /relationships/block': pairRow('Makes one user block another', 'block'),
  'POST /relationships/remove': pairRow('Makes one user remove the relationship', 'remove'),
  'POST /relationships/implicit': pairRow(
    'Adds a relationship of type IMPLICIT on the side of the first user',
    'addImplicit',
  ),
  'POST /suggestions': row({
    summary: 'Suggests a friend to a user',
    params: fromCheck<Pair & SuggestOptions>(SUGGESTION),
    handle: ({ service, params }) => given('/target', () => suggest(service, params), 409),
  }),
  'POST /game-suggestions': row({
    summary: 'Replaces the games suggested to a user',
    params: fromCheck<Pick<Pair, 'user'> & SuggestGamesOptions>(GAME_SUGGESTION),
    handle: ({ service, params: { user, ...games } }) =>
      service.users.suggestGames(requireUser(service, user, '/user'), games),
  }),
}
