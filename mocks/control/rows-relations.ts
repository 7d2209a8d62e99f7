import type { FriendSuggestionReason } from '../../src/contract/friend-suggestions'
import { FriendSuggestionReasonSchema } from '../../src/contract/friend-suggestions'
import { ProfileDataSchema } from '../../src/contract/profile-data'
import { RelationshipType } from '../../src/contract/relationships'
import {
  boolean,
  looseObject,
  nullable,
  type OpenObject,
  OpenObjectSchema,
  oneOf,
  open,
  optional,
  readonlyArray,
  record,
  strictObject,
  string,
} from '../../src/contract/schema'
import { LayoutComponentSchema, type LayoutDefinition } from '../../src/contract/widget-configs'
import { openObject, type UserRef } from '../database'
import type { CreateApplicationOptions, CreateIdentityOptions, MockApplication } from '../seed/applications'
import type { MockRelationships, SeedRequestOptions } from '../seed/relationships'
import type { SuggestGamesOptions, SuggestOptions } from '../seed/users'
import { type Call, given, itemsOf, refusal, requireUser, row, TokenSchema, UserRefSchema } from './row'

const ApplicationSchema = looseObject<MockApplication>()({ id: string, name: string, owner_id: string })

type Layout = Omit<LayoutDefinition, 'key'>
const LayoutSchema = looseObject<Layout>()({
  surface: open<Layout['surface']>('string'),
  components: record(LayoutComponentSchema),
  display_name: string,
})

/** Schemas with a name in the OpenAPI document. */
export const relationSchemas = { Application: ApplicationSchema, Layout: LayoutSchema }

function applicationOf({ service, id }: Call<unknown>): MockApplication {
  const all = service.applications.all()
  const application = all.find((one) => one.id === id)
  if (application !== undefined) return application
  throw refusal(
    404,
    'id',
    `no application has the ID ${JSON.stringify(id)}`,
    all.map((one) => one.id),
  )
}

/** Two users. */
export interface Pair {
  /** User who acts: ID, login or username. */
  readonly user: UserRef
  /** The other user. */
  readonly target: UserRef
}

const pairFields = { user: UserRefSchema, target: UserRefSchema }

function pairOf<P extends Pair>({ service, params }: Call<P>) {
  return [requireUser(service, params.user, '/user'), requireUser(service, params.target, '/target')] as const
}

type Act = (user: UserRef, target: UserRef) => void

/** Creates the row of an action of one user on another. */
const pairRow = (summary: string, actOf: (relationships: MockRelationships) => Act) =>
  row({
    summary,
    params: strictObject<Pair>()(pairFields),
    handle: (call) => given('/target', () => actOf(call.service.relationships)(...pairOf(call)), 409),
  })

export const relationRows = {
  'GET /applications': row({
    summary: 'Returns all applications',
    result: itemsOf(ApplicationSchema),
    handle: ({ service }) => ({ items: service.applications.all() }),
  }),
  'POST /applications': row({
    summary: 'Creates an application and its bot',
    params: strictObject<CreateApplicationOptions>()({
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
    params: strictObject<{ readonly user: UserRef }>()({ user: UserRefSchema }),
    handle: (call) =>
      call.service.applications.authorize(applicationOf(call), requireUser(call.service, call.params.user, '/user')),
  }),
  'POST /applications/{id}/feature': row({
    summary: 'Sets whether the published widget configs of the application are featured',
    params: strictObject<{ readonly featured?: boolean }>()({ featured: optional(boolean) }),
    handle: (call) => call.service.applications.feature(applicationOf(call), call.params.featured),
  }),
  'POST /applications/{id}/assets': row({
    summary: 'Adds an asset that widget configs may refer to by its `id`',
    params: OpenObjectSchema,
    handle: (call) => call.service.applications.addAsset(applicationOf(call), call.params),
  }),
  'POST /applications/{id}/identities': row({
    summary: 'Creates an account of a user in the application',
    params: strictObject<Omit<CreateIdentityOptions, 'application'>>()({
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
    params: strictObject<Pair>()(pairFields),
    result: looseObject<{ readonly type: RelationshipType }>()({ type: oneOf(RelationshipType) }),
    handle: (call) => ({ type: call.service.relationships.between(...pairOf(call)) }),
  }),
  'POST /relationships/befriend': pairRow('Makes two users friends', ({ befriend }) => befriend),
  'POST /relationships/request': row({
    summary: 'Sends a friend request from one user to another',
    params: strictObject<Pair & SeedRequestOptions>()({
      ...pairFields,
      note: optional(nullable(string)),
      spam: optional(boolean),
      stranger: optional(boolean),
    }),
    handle(call) {
      const { user: _, target: __, ...options } = call.params
      given('/target', () => call.service.relationships.request(...pairOf(call), options), 409)
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
    params: strictObject<Pair & SuggestOptions>()({
      ...pairFields,
      reasons: optional(readonlyArray<FriendSuggestionReason>(FriendSuggestionReasonSchema)),
      fromContacts: optional(boolean),
    }),
    handle(call) {
      const { user: _, target: __, ...options } = call.params
      call.service.users.suggest(...pairOf(call), options)
    },
  }),
  'POST /game-suggestions': row({
    summary: 'Replaces the games suggested to a user',
    params: strictObject<SuggestGamesOptions & { readonly user: UserRef }>()({
      user: UserRefSchema,
      games: optional(readonlyArray(string)),
      wishlist: optional(readonlyArray(string)),
    }),
    handle: ({ service, params: { user, ...games } }) =>
      service.users.suggestGames(requireUser(service, user, '/user'), games),
  }),
}
