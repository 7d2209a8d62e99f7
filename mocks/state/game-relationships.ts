import { GameRelationshipType } from '../../src/contract/game-relationships'
import { RelationshipType } from '../../src/contract/relationships'
import type { Core } from '../core'
import { refusal } from '../envelope'
import type { GameRelationshipRecord, UserRecord } from './database'
import { gameRelationshipView, isVisible } from './game-relationship-view'
import { relationshipOf } from './relationships'

const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = GameRelationshipType
const keyOf = (userId: string, targetId: string, applicationId: string) => `${userId} ${targetId} ${applicationId}`

/** What a user sees in one application, or in all, the oldest first. */
export function gameRelationshipsOf({ db }: Core, userId: string, applicationId?: string): GameRelationshipRecord[] {
  const mine = db.gameRelationships.where('userId', userId)
  return applicationId === undefined ? mine : mine.filter((record) => record.applicationId === applicationId)
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
  if (blocks(core, user, target)) throw refusal(core.policy, 'blockedByYou')
  if (blocks(core, target, user)) throw refusal(core.policy, 'requestRefused')
  setBoth(core, user, target, applicationId, OUTGOING_REQUEST, INCOMING_REQUEST)
}

function blocks(core: Core, user: UserRecord, other: UserRecord): boolean {
  return relationshipOf(core, user.id, other.id)?.type === RelationshipType.BLOCKED
}

/** Accepts the request of `target`; there has to be one. */
export function accept(core: Core, user: UserRecord, target: UserRecord, applicationId: string): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)
  if (mine?.type === FRIEND) tellAdded(core, mine)
  else if (mine?.type === INCOMING_REQUEST) setBoth(core, user, target, applicationId, FRIEND, FRIEND)
  else throw refusal(core.policy, 'noIncomingRequest')
}

/** Ends what the two are to each other in one application. */
export function part(core: Core, user: UserRecord, target: UserRecord, applicationId: string): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)
  if (mine === undefined) throw refusal(core.policy, 'unknownRelationship')
  for (const side of [mine, gameRelationshipOf(core, target.id, user.id, applicationId)]) {
    if (side === undefined) continue
    core.db.gameRelationships.delete(keyOf(side.userId, side.targetId, applicationId))
    core.tell({
      kind: 'event',
      userId: side.userId,
      event: 'Game Relationship Remove',
      dataFor: (session) =>
        isVisible(side, session) ? { id: side.targetId, application_id: applicationId } : undefined,
    })
  }
}

function setBoth(
  core: Core,
  user: UserRecord,
  target: UserRecord,
  applicationId: string,
  mine: GameRelationshipType,
  theirs: GameRelationshipType,
): void {
  const since = core.clock.now()
  const pair = { applicationId, since }
  setSide(core, { userId: user.id, targetId: target.id, type: mine, ...pair })
  setSide(core, { userId: target.id, targetId: user.id, type: theirs, ...pair })
}

/** All changes of game relationships end here, removals aside. */
function setSide(core: Core, side: GameRelationshipRecord): void {
  core.db.gameRelationships.set(keyOf(side.userId, side.targetId, side.applicationId), side)
  tellAdded(core, side)
}

/** Interface, "Events": there is no other event for a game relationship that comes or changes. */
function tellAdded(core: Core, side: GameRelationshipRecord): void {
  core.tell({
    kind: 'event',
    userId: side.userId,
    event: 'Game Relationship Add',
    dataFor: (session) => (isVisible(side, session) ? gameRelationshipView(core, side, session) : undefined),
  })
}
