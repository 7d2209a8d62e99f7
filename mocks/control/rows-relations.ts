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
  string,
} from '../../src/contract/schema'
import { LayoutComponentSchema, type LayoutDefinition } from '../../src/contract/widget-configs'
import { openObject, type UserRef } from '../database'
import type { MockApplication } from '../seed/applications'
import type { MockRelationships } from '../seed/relationships'
import type { MockService } from '../service'
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
  type Values,
} from './row'

const ApplicationSchema = looseObject<MockApplication>()({ id: string, name: string, owner_id: string })

type Layout = Omit<LayoutDefinition, 'key'>
const LayoutSchema = looseObject<Layout>()({
  surface: open<Layout['surface']>('string'),
  components: record(LayoutComponentSchema),
  display_name: string,
})

/** Schemas with a name in the OpenAPI document. */
export const relationSchemas = { Application: ApplicationSchema, Layout: LayoutSchema }

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

export const relationRows = {
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
      call.service.users.suggest(...pairOf(call.service, call.params), options)
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
