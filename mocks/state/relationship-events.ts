import { RelationshipType } from '../../src/contract/relationships'
import type { Core } from '../core'
import type { RelationshipRecord } from './database'
import { relationshipView } from './relationship-view'

/** What a user hears who asks for a change of a relationship that stays what it is. */
export type OwnEvent = 'Relationship Add' | 'Relationship Update'

/** How one side of a relationship stood and stands, and what was asked for. */
export interface SideChange {
  readonly before: RelationshipRecord | undefined
  readonly after: RelationshipRecord | undefined
  /** The type that was asked for: NONE may leave a user ignored. */
  readonly asked: RelationshipType
  /** For the side that asked. */
  readonly ownEvent: OwnEvent | undefined
}

/** Tells the user of a side what became of it. Interface, "Events"; the payloads are convention. */
export function tellSide(core: Core, { before, after, asked, ownEvent }: SideChange): void {
  if (after === undefined) {
    if (before !== undefined) tell(core, 'Relationship Remove', before)
  } else if (before === undefined) {
    tell(core, 'Relationship Add', after)
  } else if (before.type !== after.type) {
    // What is left of a removal is that the other is ignored: the relationship goes, and one of that kind comes.
    if (asked === RelationshipType.NONE) tell(core, 'Relationship Remove', before)
    tell(core, 'Relationship Add', after)
  } else if (ownEvent !== undefined) {
    tell(core, ownEvent, after)
  } else if (differ(before, after)) {
    tell(core, 'Relationship Update', after)
  }
}

function tell(core: Core, event: OwnEvent | 'Relationship Remove', record: RelationshipRecord): void {
  const isWhole = event === 'Relationship Add'
  core.tell({
    kind: 'event',
    userId: record.userId,
    event,
    dataFor(session) {
      const { user, ...partial } = relationshipView(core, record, session)
      return isWhole ? { ...partial, user } : partial
    },
  })
}

function differ(before: RelationshipRecord, after: RelationshipRecord): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}
