import type { gameRelationships } from '../../src/contract/game-relationships'
import type { friendSuggestions } from '../../src/contract/relationships'
import {
  ACCEPT_OR_REQUEST,
  RelationshipRemovalFilter,
  RelationshipType,
  type relationships,
} from '../../src/contract/relationships'
import type { Caller, ServiceContext } from '../core'
import type { RelationshipRecord } from '../database'
import { apiError, invalidFields, ServiceError } from '../errors'
import type { RelationshipChange } from '../policy'
import type { EndpointName } from '../router'
import { actingApplication, requireApplication } from '../state/applications'
import * as state from '../state/relationships'
import { requireGrant } from '../state/sessions'
import { findByUsername, partialUser, requireUser } from '../state/users'
import type { RoutesOf } from './route'

const actions: ReadonlyMap<number, RelationshipChange['action']> = new Map([
  [ACCEPT_OR_REQUEST, 'request'],
  [RelationshipType.FRIEND, 'accept'],
  [RelationshipType.BLOCKED, 'block'],
])

/** Filters are combined with AND. API, "J. Relationships". */
const removalFilters: Record<RelationshipRemovalFilter, (record: RelationshipRecord) => boolean> = {
  [RelationshipRemovalFilter.SPAM]: ({ spam }) => spam,
  [RelationshipRemovalFilter.IGNORED]: ({ ignored }) => ignored,
}

export const relationshipRoutes: RoutesOf<typeof relationships> = {
  list: ({ core, caller: { session } }) => state.relationshipViews(core, session),

  sendRequest({ core, params: { username, discriminator, note }, caller }) {
    const target = findByUsername(core, username)
    // "Null for migrated users". API, "J. Relationships".
    if (target?.discriminator !== discriminator) throw apiError(core.policy, 'usernameNotFound')
    state.changeRelationship(core, 'request', caller.user, target, {
      note,
      originApplicationId: caller.session.applicationId,
    })
  },

  create({ core, path, params, caller }) {
    const target = requireUser(core, path['user.id'])
    const action = actions.get(params.type ?? ACCEPT_OR_REQUEST)
    if (action === undefined) throw apiError(core.policy, 'relationshipTypeNotAllowed')
    state.changeRelationship(core, action, caller.user, target, {
      note: params.note,
      originApplicationId: caller.session.applicationId,
    })
    if (params.from_friend_suggestion) state.endSuggestion(core, caller.user.id, target.id)
  },

  update({ core, path, params: { nickname }, caller: { user } }) {
    const relationship = requireRelationship(core, user.id, path['user.id'])
    if (nickname !== undefined && relationship.type !== RelationshipType.FRIEND)
      throw invalidFields(core.policy, ['nickname', 'NOT_A_FRIEND'])
    state.setSide(
      core,
      user.id,
      relationship.targetId,
      relationship.type,
      nickname === undefined ? {} : { nickname },
      'Relationship Update',
    )
  },

  delete({ core, path, caller: { user } }) {
    const { targetId } = requireRelationship(core, user.id, path['user.id'])
    // The user removes the relationship, so the target is no longer ignored either.
    state.changeRelationship(core, 'remove', user, requireUser(core, targetId), { unignores: true })
  },

  ignore({ core, path, caller: { user } }) {
    const target = requireUser(core, path['user.id'])
    if (target.id === user.id) throw apiError(core.policy, 'requestToSelf')
    const type = state.relationshipOf(core, user.id, target.id)?.type ?? RelationshipType.NONE
    state.setSide(core, user.id, target.id, type, { ignored: true }, 'Relationship Update')
  },

  unignore({ core, path, caller: { user } }) {
    const { targetId, type } = requireRelationship(core, user.id, path['user.id'])
    const remaining = type === core.policy.ignoredType ? RelationshipType.NONE : type
    state.setSide(core, user.id, targetId, remaining, { ignored: false }, 'Relationship Update')
  },

  deleteBulk({ core, params: { only_spam = false, filters = [] }, caller: { user } }) {
    const all = only_spam ? [...filters, RelationshipRemovalFilter.SPAM] : filters
    for (const record of core.db.relationships.where('userId', user.id)) {
      if (record.type !== RelationshipType.INCOMING_REQUEST) continue
      if (all.every((filter) => removalFilters[filter](record))) {
        state.changeRelationship(core, 'remove', user, requireUser(core, record.targetId))
      }
    }
  },

  addBulk({ core, params: { user_ids, token }, caller: { user } }) {
    const grant = requireGrant(core, 'contactSync', token, 'token')
    if (grant.userId !== user.id) throw apiError(core.policy, 'forbidden')
    const result: Record<'failed_requests' | 'successful_requests', string[]> = {
      failed_requests: [],
      successful_requests: [],
    }
    for (const id of user_ids) result[canAdd(core, user.id, id) ? 'successful_requests' : 'failed_requests'].push(id)
    return result
  },
}

function canAdd(core: ServiceContext, userId: string, targetId: string): boolean {
  try {
    state.changeRelationship(core, 'request', requireUser(core, userId), requireUser(core, targetId))
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function requireRelationship(core: ServiceContext, userId: string, targetId: string): RelationshipRecord {
  const relationship = state.relationshipOf(core, userId, requireUser(core, targetId).id)
  if (relationship === undefined) throw apiError(core.policy, 'unknownRelationship')
  return relationship
}

export const gameRelationshipRoutes: RoutesOf<typeof gameRelationships> = {
  list: ({ core, caller: { session } }) => state.gameRelationshipViews(core, session),

  sendRequest({ core, endpoint, params: { username }, caller }) {
    const target = findByUsername(core, username)
    if (target === undefined) throw apiError(core.policy, 'usernameNotFound')
    state.acceptOrRequest(core, caller.user, target, applicationFor(core, endpoint.name, caller, target.id))
  },

  create({ core, endpoint, path, params: { type = ACCEPT_OR_REQUEST }, caller }) {
    const target = requireUser(core, path['user.id'])
    const applicationId = applicationFor(core, endpoint.name, caller, target.id)
    if (type === ACCEPT_OR_REQUEST) state.acceptOrRequest(core, caller.user, target, applicationId)
    else if (type === RelationshipType.FRIEND) state.acceptRequest(core, caller.user, target, applicationId)
    else throw apiError(core.policy, 'relationshipTypeNotAllowed')
  },

  createForApplication({ core, path, caller }) {
    const target = requireUser(core, path['user.id'])
    state.acceptRequest(core, caller.user, target, scopedApplicationId(core, caller, path['application.id']))
  },

  delete({ core, endpoint, path, caller }) {
    const target = requireUser(core, path['user.id'])
    state.removeGameRelationship(core, caller.user, target, applicationFor(core, endpoint.name, caller, target.id))
  },

  deleteForApplication({ core, path, caller }) {
    const target = requireUser(core, path['user.id'])
    state.removeGameRelationship(core, caller.user, target, scopedApplicationId(core, caller, path['application.id']))
  },
}

/** Returns the application of the token, else that of the oldest existing relationship, else the one of the policy. */
function applicationFor(core: ServiceContext, endpoint: EndpointName, caller: Caller, targetId: string): string {
  const existing = core.db.gameRelationships
    .where('userId', caller.user.id)
    .find((record) => record.targetId === targetId)
  if (caller.session.applicationId === null && existing !== undefined) return existing.applicationId
  return actingApplication(core, endpoint, caller).id
}

/** Returns the application of a path. @throws ServiceError if the token belongs to another application. */
function scopedApplicationId(core: ServiceContext, { session }: Caller, applicationId: string): string {
  const { id } = requireApplication(core, applicationId)
  if (session.applicationId !== null && session.applicationId !== id) throw apiError(core.policy, 'forbidden')
  return id
}

export const friendSuggestionRoutes: RoutesOf<typeof friendSuggestions> = {
  list({ core, caller: { user } }) {
    return (core.db.suggestions.get(user.id) ?? []).map(({ suggestedId, reasons, fromContacts }) => ({
      suggested_user: partialUser(core, suggestedId),
      reasons: structuredClone(reasons),
      from_suggested_user_contacts: fromContacts,
    }))
  },

  delete({ core, path, caller: { user } }) {
    if (!state.endSuggestion(core, user.id, path['user.id'])) throw apiError(core.policy, 'unknownSuggestion')
  },
}
