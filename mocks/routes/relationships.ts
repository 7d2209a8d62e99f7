import {
  ACCEPT_OR_REQUEST,
  RelationshipRemovalFilter,
  RelationshipType,
  type relationships,
} from '../../src/contract/relationships'
import type { Core } from '../core'
import { formRefusal, refusal } from '../envelope'
import { ServiceError } from '../errors'
import type { RelationshipChange } from '../relationship-policy'
import type { RelationshipRecord } from '../state/database'
import { requireGrant } from '../state/grants'
import { relationshipViews } from '../state/relationship-view'
import { changeRelationship, relationshipOf, relationshipsOf, setSide } from '../state/relationships'
import { endSuggestion } from '../state/suggestions'
import { findByUsername, requireUser } from '../state/users'
import type { RoutesOf } from './route'

export const relationshipRoutes: RoutesOf<typeof relationships> = {
  list: ({ core, caller: { session } }) => relationshipViews(core, session),

  sendRequest({ core, params: { username, discriminator, note }, caller }) {
    const target = findByUsername(core, username)
    // "Null for migrated users". Interface, "J. Relationships".
    if (target?.discriminator !== discriminator) throw refusal(core.policy, 'usernameNotFound')
    changeRelationship(core, 'request', caller.user, target, {
      note,
      originApplicationId: caller.session.applicationId,
    })
  },

  create({ core, path, params, caller }) {
    const target = requireUser(core, path['user.id'])
    const action = actions.get(params.type ?? ACCEPT_OR_REQUEST)
    if (action === undefined) throw refusal(core.policy, 'relationshipTypeNotAllowed')
    changeRelationship(core, action, caller.user, target, {
      note: params.note,
      originApplicationId: caller.session.applicationId,
      confirmsStranger: params.confirm_stranger_request ?? false,
    })
    if (params.from_friend_suggestion) endSuggestion(core, caller.user.id, target.id)
  },

  update({ core, path, params: { nickname }, caller: { user } }) {
    const relationship = requireRelationship(core, user.id, path['user.id'])
    if (nickname !== undefined && relationship.type !== RelationshipType.FRIEND) {
      const message = 'Only friends can have a nickname.'
      throw formRefusal(core.policy, [{ path: ['nickname'], code: 'NOT_A_FRIEND', message }])
    }
    setSide(
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
    // The user asked for the relationship to go, so that the ignoring goes with it.
    changeRelationship(core, 'remove', user, requireUser(core, targetId), { unignores: true })
  },

  ignore({ core, path, caller: { user } }) {
    const target = requireUser(core, path['user.id'])
    if (target.id === user.id) throw refusal(core.policy, 'requestToSelf')
    const type = relationshipOf(core, user.id, target.id)?.type ?? RelationshipType.NONE
    setSide(core, user.id, target.id, type, { ignored: true }, 'Relationship Update')
  },

  unignore({ core, path, caller: { user } }) {
    const { targetId, type } = requireRelationship(core, user.id, path['user.id'])
    const remaining = type === core.policy.ignoredType ? RelationshipType.NONE : type
    setSide(core, user.id, targetId, remaining, { ignored: false }, 'Relationship Update')
  },

  deleteBulk({ core, params: { only_spam = false, filters = [] }, caller: { user } }) {
    const all = only_spam ? [...filters, RelationshipRemovalFilter.SPAM] : filters
    for (const record of relationshipsOf(core, user.id)) {
      if (record.type !== RelationshipType.INCOMING_REQUEST) continue
      if (all.every((filter) => matches[filter](record))) {
        changeRelationship(core, 'remove', user, requireUser(core, record.targetId))
      }
    }
  },

  addBulk({ core, params: { user_ids, token }, caller: { user } }) {
    const grant = requireGrant(core, 'contact_sync', token, 'token')
    if (grant.userId !== user.id) throw refusal(core.policy, 'forbidden')
    const result = { failed_requests: [] as string[], successful_requests: [] as string[] }
    for (const id of user_ids) result[canAdd(core, user.id, id) ? 'successful_requests' : 'failed_requests'].push(id)
    return result
  },
}

const actions: ReadonlyMap<number, RelationshipChange['action']> = new Map([
  [ACCEPT_OR_REQUEST, 'request'],
  [RelationshipType.FRIEND, 'accept'],
  [RelationshipType.BLOCKED, 'block'],
])

/** Filters are combined with AND. Interface, "J. Relationships". */
const matches: Record<RelationshipRemovalFilter, (record: RelationshipRecord) => boolean> = {
  [RelationshipRemovalFilter.SPAM]: ({ spam }) => spam,
  [RelationshipRemovalFilter.IGNORED]: ({ ignored }) => ignored,
}

function canAdd(core: Core, userId: string, targetId: string): boolean {
  try {
    changeRelationship(core, 'request', requireUser(core, userId), requireUser(core, targetId))
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function requireRelationship(core: Core, userId: string, targetId: string): RelationshipRecord {
  const relationship = relationshipOf(core, userId, requireUser(core, targetId).id)
  if (relationship === undefined) throw refusal(core.policy, 'unknownRelationship')
  return relationship
}
