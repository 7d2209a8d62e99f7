import { type Relationship, RelationshipType } from '../../src/contract/relationships'
import { type Core, timestamp } from '../core'
import { isAuthorized } from './applications'
import type { RelationshipRecord, SessionRecord } from './database'
import { partialUser } from './users'

/** Who looks: an application sees other things than its user. */
export type Viewer = Pick<SessionRecord, 'userId' | 'applicationId'>

/** A relationship as a list or an event shows it to a session of its user. */
export function relationshipView(core: Core, record: RelationshipRecord, { applicationId }: Viewer): Relationship {
  const isIncoming = record.type === RelationshipType.INCOMING_REQUEST
  const application = applicationId === null ? undefined : core.db.applications.get(applicationId)
  return {
    id: record.targetId,
    type: record.type,
    user: partialUser(core, record.targetId),
    nickname: record.nickname,
    user_ignored: record.ignored,
    origin_application_id: record.originApplicationId,
    ...(isIncoming && { is_spam_request: record.spam, stranger_request: record.stranger }),
    ...(record.since !== null && { since: timestamp(record.since) }),
    ...(record.note !== null && { note: record.note }),
    ...(application !== undefined && { has_played_game: isAuthorized(application, record.targetId) }),
  }
}

/** Everything that a session's user has with others. */
export function relationshipViews(core: Core, viewer: Viewer): Relationship[] {
  return core.db.relationships.where('userId', viewer.userId).map((record) => relationshipView(core, record, viewer))
}
