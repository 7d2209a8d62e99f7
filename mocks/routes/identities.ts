import type { identities, UserApplicationIdentity } from '../../src/contract/identities'
import type { ProfileData } from '../../src/contract/profile-data'
import { refusal } from '../envelope'
import { actingApplication, policyCaller, requireApplication } from '../state/applications'
import type { IdentityRecord } from '../state/database'
import { profileOf, requireIdentity } from '../state/identities'
import { requireUser } from '../state/users'
import type { RoutesOf } from './route'

export const identityRoutes: RoutesOf<typeof identities> = {
  listBulk({ core, endpoint, params: { user_ids }, caller }) {
    const { id } = actingApplication(core, endpoint.name, caller)
    return [...new Set(user_ids)]
      .flatMap((userId) => core.db.identities.where('userId', userId))
      .filter(({ applicationId }) => applicationId === id)
      .map(({ userId, externalUserId }) => ({ user_id: userId, external_user_id: externalUserId }))
  },

  getProfile({ core, path }) {
    requireApplication(core, path['application.id'])
    return { ...profileOf(requireIdentity(core, keyIn(path))) }
  },

  updateProfile({ core, path, params: { username, metadata, data }, caller }) {
    const application = requireApplication(core, path['application.id'])
    const identity = requireIdentity(core, keyIn(path))
    const acting = policyCaller(caller)
    if (!core.policy.mayEditProfile(acting, application, identity.userId)) throw refusal(core.policy, 'forbidden')
    if (username !== undefined) identity.username = username
    // "metadata? (object …)" in, "metadata (?string, custom metadata)" out. Interface, "H." and "User Application Identity".
    if (metadata !== undefined) identity.metadata = JSON.stringify(metadata)
    if (data !== undefined) {
      identity.data = structuredClone(data) as ProfileData
      identity.dataTrusted = core.policy.trustsProfileData(acting, application)
    }
    return { ...profileOf(identity) }
  },

  list({ core, path, params: { with_profiles = false } }) {
    const user = requireUser(core, path['user.id'])
    const records = core.db.identities.where('userId', user.id)
    return { identities: records.map((record) => present(record, with_profiles)) }
  },

  updateConfig({ core, path, params: { connection_visible }, caller: { user } }) {
    requireApplication(core, path['application.id'])
    const key = { applicationId: path['application.id'], userId: user.id, externalUserId: path.external_user_id }
    const identity = requireIdentity(core, key)
    if (connection_visible !== undefined) {
      identity.connectionVisible = core.policy.connectionVisible(connection_visible)
    }
  },
}

function keyIn(path: Readonly<Record<'application.id' | 'user.id' | 'external_user_id', string>>) {
  return { applicationId: path['application.id'], userId: path['user.id'], externalUserId: path.external_user_id }
}

function present(record: IdentityRecord, withProfiles: boolean): UserApplicationIdentity {
  const identity = { application_id: record.applicationId, provider_issued_user_id: record.externalUserId }
  return withProfiles ? { ...identity, profile: profileOf(record), profiles: [profileOf(record)] } : identity
}
