import type { PartialUserApplicationProfile } from '../../src/contract/identities'
import type { Core } from '../core'
import { refusal } from '../envelope'
import type { IdentityRecord } from './database'

/** Which account of which user in which application. */
export type IdentityKey = Pick<IdentityRecord, 'applicationId' | 'userId' | 'externalUserId'>

const keyOf = ({ applicationId, userId, externalUserId }: IdentityKey) => `${applicationId} ${userId} ${externalUserId}`

/** Adds an identity, or replaces the one there is. */
export function putIdentity({ db }: Core, identity: IdentityRecord): void {
  db.identities.set(keyOf(identity), identity)
}

/** The identity of a path, else 404. */
export function requireIdentity({ db, policy }: Core, key: IdentityKey): IdentityRecord {
  const identity = db.identities.get(keyOf(key))
  if (identity === undefined) throw refusal(policy, 'unknownProfile')
  return identity
}

/** An identity's profile, as the service answers it. */
export function profileOf(identity: IdentityRecord): PartialUserApplicationProfile {
  return {
    username: identity.username,
    metadata: identity.metadata,
    ...(identity.data !== null && { data: identity.data, data_trusted: identity.dataTrusted }),
    connection_visible: identity.connectionVisible,
  }
}
