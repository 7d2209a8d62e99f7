import { GameRelationshipType } from '../../src/contract/game-relationships'
import { RelationshipType } from '../../src/contract/relationships'
import type { Core } from '../core'
import { refusal } from '../envelope'
import type { GameRelationshipRecord, UserRecord } from './database'
import { relationshipOf } from './relationships'

const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = GameRelationshipType
const keyOf = (userId: string, targetId: string, applicationId: string) => `${userId} ${targetId} ${applicationId}`

/** What a user sees in one application, or in all, the oldest first. */
export function gameRelationshipsOf({ db }: Core, userId: string, applicationId?: string): GameRelationshipRecord[] {
  return [...db.gameRelationships.values()].filter(
    (record) => record.userId === userId && (applicationId === undefined || record.applicationId === applicationId),
  )
}

/** What a user sees of another in one application, if anything. */
export function gameRelationshipOf({ db }: Core, userId: string, targetId: string, applicationId: string) {
  return db.gameRelationships.get(keyOf(userId, targetId, applicationId))
}

/** Accepts the request of `target`, or asks for one's own. */
export function acceptOrRequest(core: Core, user: UserRecord, target: UserRecord, applicationId: string): void {
  if (user.id === target.id) throw refusal(core.policy, 'requestToSelf')
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)?.type
  if (mine === FRIEND) throw refusal(core.policy, 'alreadyFriends')
  if (mine === INCOMING_REQUEST) {
    setBoth(core, user, target, applicationId, FRIEND, FRIEND)
    return
  }
  if (relationshipOf(core, target.id, user.id)?.type === RelationshipType.BLOCKED) {
    throw refusal(core.policy, 'requestRefused')
  }
  setBoth(core, user, target, applicationId, OUTGOING_REQUEST, INCOMING_REQUEST)
}

/** Accepts the request of `target`; there has to be one. */
export function accept(core: Core, user: UserRecord, target: UserRecord, applicationId: string): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)?.type
  if (mine === FRIEND) return
  if (mine !== INCOMING_REQUEST) throw refusal(core.policy, 'noIncomingRequest')
  setBoth(core, user, target, applicationId, FRIEND, FRIEND)
}

/** Ends what the two are to each other in one application. */
export function part(core: Core, user: UserRecord, target: UserRecord, applicationId: string): void {
  if (gameRelationshipOf(core, user.id, target.id, applicationId) === undefined) {
    throw refusal(core.policy, 'unknownRelationship')
  }
  core.db.gameRelationships.delete(keyOf(user.id, target.id, applicationId))
  core.db.gameRelationships.delete(keyOf(target.id, user.id, applicationId))
}

function setBoth(
  core: Core,
  user: UserRecord,
  target: UserRecord,
  applicationId: string,
  mine: GameRelationshipType,
  theirs: GameRelationshipType,
): void {
  setSide(core, { userId: user.id, targetId: target.id, applicationId, type: mine })
  setSide(core, { userId: target.id, targetId: user.id, applicationId, type: theirs })
}

/** All changes of game relationships end here, removals aside. */
function setSide(core: Core, side: Omit<GameRelationshipRecord, 'since'>): void {
  const { userId, targetId, applicationId } = side
  const since = core.clock.now()
  core.db.gameRelationships.set(keyOf(userId, targetId, applicationId), { ...side, since })
}
