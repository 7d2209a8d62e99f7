import { RelationshipType } from '../src/contract/relationships'
import type { ErrorName } from './errors'

/** A change that one user makes to a relationship, and how both sides stood before. */
export interface RelationshipChange {
  /** `request` also accepts (type -1), `accept` is type FRIEND, `block` is type BLOCKED, `remove` is a removal. */
  readonly action: 'request' | 'accept' | 'block' | 'remove'
  /** What the acting user has with the other; NONE when nothing. */
  readonly mine: RelationshipType
  /** What the other has with the acting user; NONE when nothing. */
  readonly theirs: RelationshipType
}

/** What both sides have afterwards; NONE is nothing, though an ignored user stays ignored. */
export interface RelationshipOutcome {
  /** What the acting user has with the other. */
  readonly mine: RelationshipType
  /** What the other has with the acting user. */
  readonly theirs: RelationshipType
}

const { NONE, FRIEND, BLOCKED, INCOMING_REQUEST, OUTGOING_REQUEST } = RelationshipType
const friends: RelationshipOutcome = { mine: FRIEND, theirs: FRIEND }

/** The transitions that the document leaves open. A block is lifted only by its removal, from the side that set it. */
export function changeRelationship({ action, mine, theirs }: RelationshipChange): RelationshipOutcome | ErrorName {
  const isShared = theirs === FRIEND || theirs === INCOMING_REQUEST || theirs === OUTGOING_REQUEST
  const afterParting = isShared ? NONE : theirs
  switch (action) {
    case 'block':
      return { mine: BLOCKED, theirs: afterParting }
    case 'remove':
      return mine === BLOCKED ? { mine: NONE, theirs } : { mine: NONE, theirs: afterParting }
    case 'accept':
      if (mine === FRIEND) return friends
      return mine === INCOMING_REQUEST ? friends : 'noIncomingRequest'
    case 'request':
      if (mine === FRIEND) return 'alreadyFriends'
      if (mine === BLOCKED) return 'blockedByYou'
      if (mine === INCOMING_REQUEST) return friends
      return theirs === BLOCKED ? 'requestRefused' : { mine: OUTGOING_REQUEST, theirs: INCOMING_REQUEST }
  }
}
