// What a test seeds besides accounts: applications, identities, layouts, relationships and tokens.
import { UpdateProfileParamsSchema } from '../../src/contract/identities'
import { type ProfileData, ProfileDataSchema } from '../../src/contract/profile-data'
import {
  CreateRelationshipParamsSchema,
  type FriendSuggestionReason,
  FriendSuggestionReasonSchema,
  RelationshipType,
} from '../../src/contract/relationships'
import { type OpenObject, OpenObjectSchema, refine } from '../../src/contract/schema'
import { type LayoutDefinition, LayoutDefinitionSchema } from '../../src/contract/widget-configs'
import type { ServiceContext } from '../core'
import { type ApplicationRecord, isKey, type UserRef } from '../database'
import { assertOptions, boolean, each, matches, type OptionChecks, orNull, reference, string, text } from '../settings'
import { authorize } from '../state/applications'
import { changeRelationship, relationshipOf, setSide } from '../state/relationships'
import { startSession } from '../state/sessions'
import { addUser, generateUsername, pairOf, userOf } from '../state/users'
import { joinIds } from '../table'

/** An application to create. */
export interface CreateApplicationOptions {
  /** The owner. */
  readonly owner: UserRef
  /** Name. @default 'Application' */
  readonly name?: string
  /** Other users with access. @default [] */
  readonly members?: readonly UserRef[]
  /** Assets that widget configs may refer to, by their `id`. @default [] */
  readonly assets?: readonly OpenObject[]
  /** Whether its published widget configs are featured. @default false */
  readonly featured?: boolean
}

/** An application, by record or by ID. */
export type ApplicationRef = string | { readonly id: string }

/** An application for tests. */
export interface MockApplication {
  /** ID of the application. */
  readonly id: string
  /** Name. */
  readonly name: string
  /** ID of the owner. */
  readonly owner_id: string
}

/** Seeds and changes applications. */
export interface MockApplications {
  /** Creates an application and its bot. @throws Error if a user does not exist. */
  create(options: CreateApplicationOptions): MockApplication
  /** Returns all applications, oldest first. */
  all(): MockApplication[]
  /** Issues a token of the application's bot. */
  botToken(application: ApplicationRef): string
  /** Authorizes the application for a user, as issuing a token for it also does. */
  authorize(application: ApplicationRef, user: UserRef): void
}

/** Seeds layout definitions. */
export interface MockLayouts {
  /** Adds a definition or replaces the one with the same key. */
  define(definition: LayoutDefinition): void
}

function applicationOf({ db }: ServiceContext, ref: ApplicationRef): ApplicationRecord {
  const id = typeof ref === 'string' ? ref : Object(ref).id
  const application = db.applications.get(id)
  if (application !== undefined) return application
  throw new Error(`the mock service has no application ${id}; create it with service.applications.create`)
}

export const APPLICATION_OPTIONS: OptionChecks = {
  owner: reference('a user'),
  name: string,
  members: each(reference('a user')),
  assets: each(matches(OpenObjectSchema)),
  featured: boolean,
}

export function createApplications(core: ServiceContext): MockApplications {
  return {
    create(options) {
      const read = assertOptions('applications.create', options, APPLICATION_OPTIONS, ['owner'])
      const { owner, name = 'Application', members = [], assets = [], featured = false } = read
      const id = core.random.snowflake()
      const ownerId = userOf(core, owner).id
      const memberIds = members.map((member) => userOf(core, member).id)
      const rest = { authorizedBy: [], assets: structuredClone([...assets]), featured }
      core.db.applications.set(id, { id, name, ownerId, memberIds, ...rest })
      addUser(core, { username: generateUsername(core, `${name}.bot`), global_name: name, bot_of: id })
      return { id, name, owner_id: ownerId }
    },
    all: () => [...core.db.applications.values()].map(({ id, name, ownerId }) => ({ id, name, owner_id: ownerId })),
    botToken(ref) {
      const { id } = applicationOf(core, ref)
      const bot = core.db.users.find('bot_of', id)
      if (bot === undefined) throw new Error(`the application ${id} has no bot`)
      const origin = { ip: '127.0.0.1', userAgent: '' }
      return startSession(core, bot, origin, { kind: 'bot', applicationId: id }).token
    },
    authorize: (ref, user) => authorize(applicationOf(core, ref), userOf(core, user).id),
  }
}

/** A layout definition whose key a snapshot can have. */
export const layout = matches(
  refine(LayoutDefinitionSchema, function* ({ key }) {
    if (!isKey(key)) yield { code: 'invalid_value', path: ['key'], message: 'not a key' }
  }),
)

export function createLayouts(core: ServiceContext): MockLayouts {
  return {
    define(definition) {
      assertOptions('layouts.define', { definition }, { definition: layout }, ['definition'])
      core.db.layouts.set(definition.key, structuredClone(definition))
    },
  }
}

/** An account of a user in an application. */
export interface CreateIdentityOptions {
  /** The application. */
  readonly application: ApplicationRef
  /** The user. */
  readonly user: UserRef
  /** ID of the user on the external identity provider. */
  readonly externalUserId: string
  /** Username in the application. @default null */
  readonly username?: string | null
  /** Custom metadata. @default null */
  readonly metadata?: Readonly<Record<string, unknown>> | null
  /** Profile data. @default null */
  readonly data?: ProfileData | null
  /** Whether the profile data are trusted. @default false */
  readonly dataTrusted?: boolean
  /** `connection_visible` of the profile. @default true */
  readonly connectionVisible?: boolean
}

/** Seeds application identities. */
export interface MockIdentities {
  /** Links a user to an external account and authorizes the application for the user. */
  create(options: CreateIdentityOptions): void
}

export const IDENTITY = ['application', 'user', 'externalUserId']

export const IDENTITY_OPTIONS: OptionChecks = {
  application: reference('an application'),
  user: reference('a user'),
  externalUserId: string,
  username: orNull(matches(UpdateProfileParamsSchema, 'username')),
  metadata: orNull(matches(UpdateProfileParamsSchema, 'metadata')),
  data: orNull(matches(ProfileDataSchema)),
  dataTrusted: boolean,
  connectionVisible: boolean,
}

export function createIdentities(core: ServiceContext): MockIdentities {
  return {
    create(given) {
      const read = assertOptions('identities.create', given, IDENTITY_OPTIONS, IDENTITY)
      const { application, user, externalUserId, username = null, metadata = null, data = null, ...options } = read
      const { id: userId } = userOf(core, user)
      const record = applicationOf(core, application)
      authorize(record, userId)
      core.db.identities.set(joinIds(record.id, userId, externalUserId), {
        applicationId: record.id,
        userId,
        externalUserId,
        username,
        metadata: metadata === null ? null : JSON.stringify(metadata),
        data: structuredClone(data),
        dataTrusted: options.dataTrusted ?? false,
        connectionVisible: options.connectionVisible ?? true,
      })
    },
  }
}

/** Options of a token. */
export interface TokenOptions {
  /** Application that the user authorizes: the token is an OAuth2 token. Default: none. */
  readonly oauth2?: ApplicationRef
  /** `User-Agent` of the client, shown in its session. Default: none. */
  readonly userAgent?: string
  /** IP address of the client. @default '127.0.0.1' */
  readonly ip?: string
}

/** Issues a token of a user, as if the user had signed in. @throws Error if the user does not exist. */
export type IssueToken = (user: UserRef, options?: TokenOptions) => string

const TOKEN_OPTIONS: OptionChecks = { oauth2: reference('an application'), userAgent: text, ip: string }

export function createTokenIssuer(core: ServiceContext): IssueToken {
  return (ref, options = {}) => {
    const { oauth2, userAgent = '', ip = '127.0.0.1' } = assertOptions('token', options, TOKEN_OPTIONS)
    const user = userOf(core, ref)
    if (oauth2 === undefined) return startSession(core, user, { ip, userAgent }).token
    const application = applicationOf(core, oauth2)
    authorize(application, user.id)
    return startSession(core, user, { ip, userAgent }, { kind: 'oauth2', applicationId: application.id }).token
  }
}

/** Options of a seeded friend request. */
export interface SeedRequestOptions {
  /** Note to the recipient, at most 120 characters. @default null */
  readonly note?: string | null
  /** Whether the request is flagged as spam. @default false */
  readonly spam?: boolean
}

/** Seeds relationships without the calls that create them. Each needs two different users. */
export interface MockRelationships {
  /** Makes two users friends. */
  befriend(user: UserRef, other: UserRef): void
  /** Sends a friend request from one user to another. */
  request(from: UserRef, to: UserRef, options?: SeedRequestOptions): void
  /** Makes one user block another. */
  block(user: UserRef, target: UserRef): void
  /** Makes one user remove the relationship with another: a friend, a request, or a block. */
  remove(user: UserRef, target: UserRef): void
  /** Adds a relationship of type IMPLICIT, an affinity, on the first user's side only. */
  addImplicit(user: UserRef, target: UserRef): void
  /** Returns the type of a relationship; NONE if there is none. */
  between(user: UserRef, target: UserRef): RelationshipType
}

export const REQUEST_OPTIONS: OptionChecks = {
  note: matches(CreateRelationshipParamsSchema, 'note'),
  spam: boolean,
}

export function createRelationships(core: ServiceContext): MockRelationships {
  return {
    befriend(user, other) {
      const [one, two] = pairOf(core, user, other)
      const since = core.clock.now()
      setSide(core, one.id, two.id, RelationshipType.FRIEND, { since })
      setSide(core, two.id, one.id, RelationshipType.FRIEND, { since })
    },
    request(from, to, options = {}) {
      const read = assertOptions('relationships.request', options, REQUEST_OPTIONS)
      changeRelationship(core, 'request', ...pairOf(core, from, to), read)
    },
    block: (user, target) => changeRelationship(core, 'block', ...pairOf(core, user, target)),
    remove: (user, target) => changeRelationship(core, 'remove', ...pairOf(core, user, target)),
    addImplicit(user, target) {
      const [one, two] = pairOf(core, user, target)
      setSide(core, one.id, two.id, RelationshipType.IMPLICIT)
    },
    between: (user, target) =>
      relationshipOf(core, userOf(core, user).id, userOf(core, target).id)?.type ?? RelationshipType.NONE,
  }
}

export const SUGGEST_OPTIONS: OptionChecks = {
  reasons: each(matches(FriendSuggestionReasonSchema)),
  fromContacts: boolean,
}
export const GAME_OPTIONS: OptionChecks = { games: each(string), wishlist: each(string) }

/** Options of a friend suggestion. */
export interface SuggestOptions {
  /** Reasons of the suggestion. Default: an external friend on a made-up platform. */
  readonly reasons?: readonly FriendSuggestionReason[]
  /** Whether the user is in the contacts of the suggested user. @default false */
  readonly fromContacts?: boolean
}

/** Games suggested for widgets. */
export interface SuggestGamesOptions {
  /** Application IDs of games that the user plays. @default [] */
  readonly games?: readonly string[]
  /** Application IDs of games for the wishlist. @default [] */
  readonly wishlist?: readonly string[]
}

export function createSuggestions(core: ServiceContext) {
  return {
    suggest(ref: UserRef, suggested: UserRef, options: SuggestOptions = {}): void {
      const { reasons, fromContacts = false } = assertOptions('users.suggest', options, SUGGEST_OPTIONS)
      const [user, { username, id }] = pairOf(core, ref, suggested)
      const copy = structuredClone(reasons ?? [{ type: 1, platform: 'contacts', name: username }])
      const others = (core.db.suggestions.get(user.id) ?? []).filter((other) => other.suggestedId !== id)
      core.db.suggestions.set(user.id, [...others, { suggestedId: id, reasons: [...copy], fromContacts }])
    },
    suggestGames(ref: UserRef, options: SuggestGamesOptions): void {
      const { games = [], wishlist = [] } = assertOptions('users.suggestGames', options, GAME_OPTIONS)
      const suggested = { suggested_games: [...games], suggested_wishlist_games: [...wishlist] }
      core.db.suggestedGames.set(userOf(core, ref).id, suggested)
    },
  }
}
