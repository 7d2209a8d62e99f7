import type { GameRelationship } from '../../src/contract/game-relationships'
import { type Core, timestamp } from '../core'
import type { GameRelationshipRecord } from './database'
import type { Viewer } from './relationship-view'
import { partialUser } from './users'

/** A game relationship as a list or an event shows it to a session of its user. */
export function gameRelationshipView(core: Core, record: GameRelationshipRecord, viewer: Viewer): GameRelationship {
  return {
    id: record.targetId,
    application_id: record.applicationId,
    type: record.type,
    // "Absent when fetched through OAuth2". Interface, "Game Relationship".
    ...(viewer.applicationId === null && { user: partialUser(core, record.targetId) }),
    since: timestamp(record.since),
    dm_access_type: core.policy.dmAccessType,
    user_id: record.userId,
  }
}

/** Whether a session sees a game relationship: an application sees its own alone. */
export function isVisible({ applicationId }: GameRelationshipRecord, viewer: Viewer): boolean {
  return viewer.applicationId === null || viewer.applicationId === applicationId
}

/** The game relationships that a session sees, the oldest first. */
export function gameRelationshipViews(core: Core, viewer: Viewer): GameRelationship[] {
  const mine = core.db.gameRelationships.where('userId', viewer.userId)
  return mine.filter((record) => isVisible(record, viewer)).map((record) => gameRelationshipView(core, record, viewer))
}
