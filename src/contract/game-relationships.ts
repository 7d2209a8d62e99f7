import { endpoint } from './endpoint'
import { ACCEPT_OR_REQUEST, type PartialUser, PartialUserSchema, type RelationshipType } from './relationships'
import type { Open, ValueOf } from './schema'
import * as s from './schema'

/** Types of game relationships. API, "Game Relationship". */
export const GameRelationshipType = {
  FRIEND: 1,
  INCOMING_REQUEST: 3,
  OUTGOING_REQUEST: 4,
} as const satisfies Partial<typeof RelationshipType>
/** One of {@link GameRelationshipType}. */
export type GameRelationshipType = ValueOf<typeof GameRelationshipType>

/** Friendship or friend request inside a game, created through an application. API, "Game Relationship". */
export interface GameRelationship {
  /** ID of the target user. */
  id: string
  /** ID of the game's application. */
  application_id: string
  /** Type of the relationship. */
  type: Open<GameRelationshipType>
  /** Target user; absent in OAuth2 contexts. */
  user?: PartialUser
  /** Creation time, an ISO 8601 timestamp. */
  since: string
  /** Access to direct messages; its values are not shown in the API document. */
  dm_access_type: number
  /** ID of the current user. */
  user_id: string
}
export const GameRelationshipSchema = s.looseObject<GameRelationship>()({
  id: s.string,
  application_id: s.string,
  type: s.open('integer'),
  user: s.optional(PartialUserSchema),
  since: s.string,
  dm_access_type: s.integer,
  user_id: s.string,
})

/** Parameters of `gameRelationships.sendRequest`. API, "K. Game relationships and suggestions". */
export interface SendGameFriendRequestParams {
  /** Username of the user to befriend. */
  username: string
}
export const SendGameFriendRequestParamsSchema = s.strictObject<SendGameFriendRequestParams>()({
  username: s.string,
})

/** Parameters of `gameRelationships.create`. API, "K. Game relationships and suggestions". */
export interface CreateGameRelationshipParams {
  /** Type of the relationship; `-1` accepts an existing request or creates a new one. Default: `-1`. */
  type?: GameRelationshipType | typeof ACCEPT_OR_REQUEST | undefined
}
export const CreateGameRelationshipParamsSchema = s.strictObject<CreateGameRelationshipParams>()({
  type: s.optional(s.oneOf(GameRelationshipType, ACCEPT_OR_REQUEST)),
})

/** Parameters of `gameRelationships.createForApplication`. API, "K. Game relationships and suggestions". */
export interface CreateGameRelationshipForApplicationParams {
  /** Only `RelationshipType.FRIEND` is allowed. */
  type?: typeof RelationshipType.FRIEND | undefined
}
export const CreateGameRelationshipForApplicationParamsSchema =
  s.strictObject<CreateGameRelationshipForApplicationParams>()({
    type: s.optional(s.oneOf({ FRIEND: 1 })),
  })

const all = '/users/@me/game-relationships'
const one = '/users/@me/game-relationships/{user.id}'
const ofApplication = '/users/@me/game-relationships/{user.id}/{application.id}'

/** A separate constant, because live stores use it without the other endpoints. */
export const listGameRelationships = endpoint('Get Game Relationships', 'GET', all, 'token', {
  response: s.array(GameRelationshipSchema),
})

export const gameRelationships = {
  list: listGameRelationships,
  sendRequest: endpoint('Send Game Friend Request', 'POST', all, 'token', {
    params: SendGameFriendRequestParamsSchema,
  }),
  create: endpoint('Create Game Relationship', 'PUT', one, 'token', { params: CreateGameRelationshipParamsSchema }),
  createForApplication: endpoint('Create Game Relationship by Application', 'PUT', ofApplication, 'token', {
    params: CreateGameRelationshipForApplicationParamsSchema,
  }),
  delete: endpoint('Remove Game Relationship', 'DELETE', one, 'token'),
  deleteForApplication: endpoint('Remove Game Relationship by Application', 'DELETE', ofApplication, 'token'),
} as const
