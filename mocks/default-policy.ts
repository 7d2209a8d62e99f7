import type { PasswordValidation } from '../src/contract/registration'
import { RelationshipType } from '../src/contract/relationships'
import { defaultErrors } from './errors'
import { defaultGatewayPolicy } from './gateway/policy'
import type { Policy, PolicyApplication, PolicyCaller } from './policy'
import { changeRelationship } from './relationship-policy'

/** What the service decides where the interface document is silent, unless told otherwise. */
export const defaultPolicy: Policy = {
  tokenOf: (authorization) => authorization,
  requiresToken: (_endpoint, contractSays) => contractSays,
  requireMfa: (endpoint, user) => endpoint === 'Logout Auth Sessions' && user.mfa.length > 0,
  lifetimes: {
    session: Number.POSITIVE_INFINITY,
    ticket: '5m',
    handoff: '5m',
    reset: '1h',
    oneTimeLogin: '15m',
    verification: '1h',
    phoneCode: '10m',
    phoneToken: '1h',
    contactSync: '1h',
  },
  errors: defaultErrors,
  partialUser: ({ id, username, global_name, discriminator }) => ({
    id,
    username,
    global_name,
    discriminator: discriminator ?? '0',
    avatar: null,
  }),
  requiredActions: () => [],
  verifyNewLocation: () => false,
  location: () => null,
  locationMetadata: () => ({
    country_code: 'US',
    consent_required: false,
    promotional_email_opt_in: { required: false, pre_checked: false },
  }),
  judgePassword,
  fingerprintId: (fingerprint) => /^(\d{1,20})(?:\.|$)/.exec(fingerprint)?.[1] ?? null,
  showVerificationForm: () => false,
  resetEndsSessions: true,
  changeRelationship,
  ignoredType: RelationshipType.NONE,
  isStranger: (mutualFriends) => mutualFriends === 0,
  requireStrangerConfirmation: () => false,
  isSpam: () => false,
  applicationOf(endpoint, user, applications) {
    const owned = applications.find(({ ownerId }) => ownerId === user.id)
    if (endpoint === 'List Bulk Application Identities') return owned?.id ?? null
    const authorized = applications.find(({ authorizedBy }) => authorizedBy.includes(user.id))
    return (owned ?? authorized ?? applications[0])?.id ?? null
  },
  dmAccessType: 0,
  hasApplicationAccess,
  mayEditProfile: (caller, application, userId) =>
    (caller.applicationId === null && caller.user.id === userId) || hasApplicationAccess(caller, application),
  trustsProfileData: (caller, { id, ownerId }) => caller.applicationId === id || caller.user.id === ownerId,
  connectionVisible: (value) => value !== 'false',
  newConfigStatus: 'draft',
  unpublishedConfigStatus: 'draft',
  mayPost: () => true,
  message: (message) => message,
  gateway: defaultGatewayPolicy,
}

function hasApplicationAccess(caller: PolicyCaller, { id, ownerId, memberIds }: PolicyApplication): boolean {
  if (caller.applicationId !== null && caller.applicationId !== id) return false
  return caller.isBot || caller.user.id === ownerId || memberIds.includes(caller.user.id)
}

/** One point each for more than 11 characters, mixed case, a digit, and a sign; none for one character repeated. */
function judgePassword(password: string): PasswordValidation {
  const valid = new Set(password).size > 1
  const signs = [password.length > 11, /[a-z].*[A-Z]|[A-Z].*[a-z]/s, /\d/, /[^A-Za-z0-9]/]
  const points = signs.filter((sign) => (typeof sign === 'boolean' ? sign : sign.test(password))).length
  return { valid, password_strength: valid ? points : 0 }
}
