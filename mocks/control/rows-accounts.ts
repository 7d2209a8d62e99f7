// Rows of accounts, of their applications, and of what is between them.

import { AuthenticatorType } from '../../src/contract/mfa'
import { RelationshipType } from '../../src/contract/relationships'
import * as s from '../../src/contract/schema'
import { LayoutComponentSchema, type LayoutDefinition } from '../../src/contract/widget-configs'
import type { UserRef } from '../database'
import type { PasskeyCredential } from '../request'
import * as seeds from '../seed/data'
import { type AddPasskeyOptions, type CreateUserOptions, PASSKEY_OPTIONS, USER_OPTIONS } from '../seed/users'
import type { MockService } from '../service'
import * as option from '../settings'
import { fields } from '../settings'
import { isEmail, isPhone } from '../state/users'
import { literal } from '../table'
import {
  type Call,
  given,
  listRow,
  options,
  requireApplication,
  requireUser,
  row,
  TokenSchema,
  tokenRow,
  UserRefSchema,
  UserSchema,
} from './row'

export const phone = s.formattedString(isPhone, 'a phone number in E.164 format, such as +15555550100')

const ofPath = ({ service, id }: Call<unknown>) => requireUser(service, id, 'id')

/** Creates a row whose action changes the account of the path and returns it. */
const action = <P = undefined>(summary: string, change: (call: Call<P>, user: string) => void, params?: s.Schema<P>) =>
  row(
    summary,
    (call) => {
      const { id } = ofPath(call)
      change(call, id)
      return call.service.users.get(id)
    },
    { params, result: UserSchema },
  )

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

const TotpCodeSchema = s.looseObject<TotpCode>()({ code: s.string, expires_at: s.string, secret: s.string })

const PasskeyCredentialSchema = s.looseObject<PasskeyCredential>()({
  id: s.string,
  rawId: s.string,
  type: literal('public-key'),
  response: s.looseObject<PasskeyCredential['response']>()({
    clientDataJSON: s.string,
    authenticatorData: s.string,
    signature: s.string,
    userHandle: s.string,
  }),
  clientExtensionResults: s.looseObject<PasskeyCredential['clientExtensionResults']>()({}),
  authenticatorAttachment: literal('platform'),
})

const ApplicationSchema = s.looseObject<seeds.MockApplication>()({ id: s.string, name: s.string, owner_id: s.string })

type Layout = Omit<LayoutDefinition, 'key'>
const LayoutSchema = s.looseObject<Layout>()({
  surface: s.open<Layout['surface']>('string'),
  components: s.record(LayoutComponentSchema),
  display_name: s.string,
})

const TypeSchema = s.looseObject<{ readonly type: RelationshipType }>()({ type: s.oneOf(RelationshipType) })

const applicationOf = ({ service, id }: Call<unknown>) => requireApplication(service, id, 'id')

/** A user who acts, and the other one. */
export interface Pair {
  readonly user: UserRef
  readonly target: UserRef
}

export const PAIR = { user: option.string, target: option.string }
export const SUGGESTION = option.nested({ ...PAIR, ...seeds.SUGGEST_OPTIONS }, ['user', 'target'])
export const GAME_SUGGESTION = option.nested({ user: option.string, ...seeds.GAME_OPTIONS }, ['user'])
export const APPLICATION = { ...seeds.APPLICATION_OPTIONS, owner: option.string, members: option.each(option.string) }
const { application: _, ...OF_IDENTITY } = seeds.IDENTITY_OPTIONS
const OWN_IDENTITY = ['user', 'externalUserId']

const PairSchema = options<Pair>(PAIR, ['user', 'target'])

export function pairOf(service: MockService, { user, target }: Pair) {
  return [requireUser(service, user, '/user'), requireUser(service, target, '/target')] as const
}

export function suggest(service: MockService, { user, target, ...options }: Pair & seeds.SuggestOptions): void {
  service.users.suggest(...pairOf(service, { user, target }), options)
}

export function createApplication(
  service: MockService,
  { owner, members = [], ...options }: seeds.CreateApplicationOptions,
): seeds.MockApplication {
  return service.applications.create({
    ...options,
    owner: requireUser(service, owner, '/owner'),
    members: members.map((member, index) => requireUser(service, member, `/members/${index}`)),
  })
}

/** Creates the row of an action of one user on another. */
const pairRow = (summary: string, method: Exclude<keyof seeds.MockRelationships, 'between'>) =>
  row(
    summary,
    ({ service, params }) => given('/target', () => service.relationships[method](...pairOf(service, params)), 409),
    { params: PairSchema },
  )

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
  'POST /users': row(
    'Creates an account',
    ({ service, params }) => given('', () => service.users.create(params), 409),
    { params: options<CreateUserOptions>(USER_OPTIONS, ['login']), result: UserSchema, status: 201 },
  ),
  'DELETE /users': row('Removes all accounts', ({ service }) => {
    // An account may have been removed with another one, such as the bot of its application.
    for (const { id } of service.users.all()) if (service.users.find(id) !== undefined) service.users.remove(id)
  }),
  'GET /users/{id}': row('Returns an account', (call) => ofPath(call), { result: UserSchema }),
  'DELETE /users/{id}': row('Removes an account with its sessions, relationships and applications', (call) =>
    call.service.users.remove(ofPath(call)),
  ),
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
    fields({ mfa: s.readonlyArray(s.oneOf(AuthenticatorType)) }),
  ),
  'POST /users/{id}/email': action(
    'Changes the e-mail address; the previous one receives a mail with the revert token',
    ({ service, params }, id) => given('/email', () => service.users.changeEmail(id, params.email), 409),
    fields({ email: s.formattedString(isEmail, 'an e-mail address') }),
  ),
  'POST /users/{id}/phone': action(
    'Changes or removes the phone number',
    ({ service, params }, id) => given('/phone', () => service.users.changePhone(id, params.phone), 409),
    fields({ phone: s.nullable(phone) }),
  ),
  'POST /users/{id}/passkeys': action(
    'Adds a passkey of a real authenticator',
    ({ service, params }, id) => given('/id', () => service.users.addPasskey(id, params)),
    options<AddPasskeyOptions>(PASSKEY_OPTIONS, ['id', 'publicKey']),
  ),
  'POST /users/{id}/passkey-credential': row(
    'Returns the credential of the simulated passkey for request options',
    (call) => given('/options', () => call.service.users.passkey(ofPath(call), call.params.options)),
    { params: fields({ options: s.string }), result: PasskeyCredentialSchema },
  ),
  'GET /users/{id}/totp': row(
    'Returns the TOTP code that is valid now',
    (call): TotpCode => {
      const user = ofPath(call)
      const { users, clock } = call.service
      const end = (Math.floor(clock.now() / TOTP_STEP) + 1) * TOTP_STEP
      const code = given('id', () => users.totp(user), 409)
      return { code, expires_at: new Date(end).toISOString(), secret: users.totpSecret(user) }
    },
    { result: TotpCodeSchema },
  ),
  'GET /users/{id}/backup-codes': listRow('Returns the unused backup codes', s.string, (call) =>
    call.service.users.backupCodes(ofPath(call)),
  ),
  'POST /users/{id}/verification-token': tokenRow(
    'Issues the token that authorizes an IP address for the account',
    (call) => call.service.users.verificationToken(ofPath(call), call.params.ip),
    { params: fields({ ip: s.optional(s.string) }) },
  ),
  'POST /users/{id}/contact-sync-token': tokenRow('Issues the token of a contact sync', (call) =>
    call.service.users.contactSyncToken(ofPath(call)),
  ),
  'GET /applications': listRow('Returns all applications', ApplicationSchema, ({ service }) =>
    service.applications.all(),
  ),
  'POST /applications': row(
    'Creates an application and its bot',
    ({ service, params }) => createApplication(service, params),
    { params: options<seeds.CreateApplicationOptions>(APPLICATION, ['owner']), result: ApplicationSchema, status: 201 },
  ),
  'POST /applications/{id}/bot-token': tokenRow('Issues a token of the bot of the application', (call) => {
    const { id } = applicationOf(call)
    return given('id', () => call.service.applications.botToken(id), 409)
  }),
  'POST /applications/{id}/authorize': row(
    'Authorizes the application for a user',
    (call) =>
      call.service.applications.authorize(applicationOf(call), requireUser(call.service, call.params.user, '/user')),
    { params: fields({ user: UserRefSchema }) },
  ),
  'POST /applications/{id}/identities': row(
    'Creates an account of a user in the application',
    (call) => {
      const user = requireUser(call.service, call.params.user, '/user')
      call.service.identities.create({ ...call.params, application: applicationOf(call), user })
    },
    {
      params: options<Omit<seeds.CreateIdentityOptions, 'application'>>(
        { ...OF_IDENTITY, user: option.string },
        OWN_IDENTITY,
      ),
    },
  ),
  'PUT /layouts/{id}': row(
    'Adds a layout definition or replaces the one with this key',
    ({ service, id, params }) => service.layouts.define({ ...params, key: id }),
    { params: LayoutSchema },
  ),
  'GET /relationships': row(
    'Returns the type of the relationship of a user with another; 0 if there is none',
    (call) => ({ type: call.service.relationships.between(...pairOf(call.service, call.params)) }),
    { params: PairSchema, result: TypeSchema },
  ),
  'POST /relationships/befriend': pairRow('Makes two users friends', 'befriend'),
  'POST /relationships/request': row(
    'Sends a friend request from one user to another',
    ({ service, params: { user, target, ...more } }) =>
      given('/target', () => service.relationships.request(...pairOf(service, { user, target }), more), 409),
    { params: options<Pair & seeds.SeedRequestOptions>({ ...PAIR, ...seeds.REQUEST_OPTIONS }, ['user', 'target']) },
  ),
  'POST /relationships/block': pairRow('Makes one user block another', 'block'),
  'POST /relationships/remove': pairRow('Makes one user remove the relationship', 'remove'),
  'POST /relationships/implicit': pairRow(
    'Adds a relationship of type IMPLICIT on the side of the first user',
    'addImplicit',
  ),
  'POST /suggestions': row(
    'Suggests a friend to a user',
    ({ service, params }) => given('/target', () => suggest(service, params), 409),
    { params: option.fromCheck<Pair & seeds.SuggestOptions>(SUGGESTION) },
  ),
  'POST /game-suggestions': row(
    'Replaces the games suggested to a user',
    ({ service, params: { user, ...games } }) => service.users.suggestGames(requireUser(service, user, '/user'), games),
    { params: option.fromCheck<Pick<Pair, 'user'> & seeds.SuggestGamesOptions>(GAME_SUGGESTION) },
  ),
}
