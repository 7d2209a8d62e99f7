import { checkLength, countCharacters } from '../internal/issue'
import { endpoint } from './endpoint'
import {
  type ProfileData,
  type ProfileDataInput,
  ProfileDataInputSchema,
  ProfileDataSchema,
  toProfilePayload,
} from './profile-data'
import type { OpenObject } from './schema'
import * as s from './schema'

/** Partial profile of a user in an application. API, "User Application Identity". */
export interface PartialUserApplicationProfile {
  /** Username in the application. */
  username: string | null
  /** Custom metadata, as a string. */
  metadata: string | null
  /** Data shown on the profile. */
  data?: ProfileData
  /** Whether the data was set by the application's bot. */
  data_trusted?: boolean
  /** Meaning not shown in the API document. */
  connection_visible: boolean
}
export const PartialUserApplicationProfileSchema = s.looseObject<PartialUserApplicationProfile>()({
  username: s.nullable(s.string),
  metadata: s.nullable(s.string),
  data: s.optional(ProfileDataSchema),
  data_trusted: s.optional(s.boolean),
  connection_visible: s.boolean,
})

/** Account of a user in an application. API, "User Application Identity". */
export interface UserApplicationIdentity {
  /** ID of the application. */
  application_id: string
  /** ID of the user on the external identity provider. */
  provider_issued_user_id: string
  /** Primary profile, if profiles are requested. */
  profile?: PartialUserApplicationProfile
  /** All profiles, if requested. */
  profiles?: PartialUserApplicationProfile[]
}
export const UserApplicationIdentitySchema = s.looseObject<UserApplicationIdentity>()({
  application_id: s.string,
  provider_issued_user_id: s.string,
  profile: s.optional(PartialUserApplicationProfileSchema),
  profiles: s.optional(s.array(PartialUserApplicationProfileSchema)),
})

/** Response of `identities.list`. API, "H. Profile widgets and application identities". */
export interface UserApplicationIdentities {
  /** Identities of the user. */
  identities: UserApplicationIdentity[]
}
export const UserApplicationIdentitiesSchema = s.looseObject<UserApplicationIdentities>()({
  identities: s.array(UserApplicationIdentitySchema),
})

/** External account of a user in the authorized application. API, "User Application Identity". */
export interface PartialApplicationIdentity {
  /** ID of the user. */
  user_id: string
  /** ID of the user's external account. */
  external_user_id: string
}
export const PartialApplicationIdentitySchema = s.looseObject<PartialApplicationIdentity>()({
  user_id: s.string,
  external_user_id: s.string,
})

/**
 * Full profile. The API document does not show its fields; those of the partial profile are typed if present.
 * API, "H. Profile widgets and application identities".
 */
export interface UserApplicationProfile extends Partial<Omit<PartialUserApplicationProfile, 'metadata'>>, OpenObject {
  /** Custom metadata, as stored by the service. */
  metadata?: unknown
}
export const UserApplicationProfileSchema = s.openObject<UserApplicationProfile>()({
  username: s.optional(s.nullable(s.string)),
  metadata: s.optional(s.unchecked()),
  data: s.optional(ProfileDataSchema),
  data_trusted: s.optional(s.boolean),
  connection_visible: s.optional(s.boolean),
})

/** Parameters of `identities.listBulk`. API, "H. Profile widgets and application identities". */
export interface ListBulkIdentitiesParams {
  /** IDs of 1–100 users; the service ignores invalid ones. */
  user_ids: readonly string[]
}
export const ListBulkIdentitiesParamsSchema = s.strictObject<ListBulkIdentitiesParams>()({
  user_ids: s.boundedArray(s.string, { min: 1, max: 100 }),
})

/** Limits of a profile's metadata. API, "Limits". */
export const PROFILE_METADATA = { maxKeys: 25, maxCharacters: 1024 } as const

const MetadataValueSchema = s.refine(s.unchecked<unknown>(), (value) => {
  if (!isJsonValue(value)) return [{ code: 'invalid_type', message: 'expected a JSON value' }]
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return checkLength(countCharacters(text), 'characters', { max: PROFILE_METADATA.maxCharacters })
})

const MetadataSchema = s.refine(s.record(MetadataValueSchema), function* (metadata) {
  const { maxKeys, maxCharacters: max } = PROFILE_METADATA
  const keys = Object.keys(metadata)
  yield* checkLength(keys.length, 'keys', { max: maxKeys })
  for (const key of keys) {
    for (const violation of checkLength(countCharacters(key), 'characters', { max })) {
      yield { ...violation, path: [key], message: `key of ${violation.message}` }
    }
  }
})

/**
 * Whether JSON preserves a value; that its objects are plain is checked for all parameters. Throws a RangeError if the
 * value is cyclic or nested too deeply.
 */
function isJsonValue(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.every(isJsonValue) : Object.values(value).every(isJsonValue)
}

/** Parameters of `identities.updateProfile`. API, "H. Profile widgets and application identities". */
export interface UpdateProfileParams {
  /** Username in the application, at most 1024 characters. */
  username?: string | undefined
  /**
   * Custom metadata: at most 25 keys, at most 1024 characters per key and value. A value that is not a string is
   * measured by its JSON (a convention, since the API document shows no types of values).
   */
  metadata?: Record<string, unknown> | undefined
  /** Data shown on the profile. */
  data?: ProfileDataInput | undefined
}
export const UpdateProfileParamsSchema = s.strictObject<UpdateProfileParams>()({
  username: s.optional(s.boundedString({ max: 1024 })),
  metadata: s.optional(MetadataSchema),
  data: s.optional(ProfileDataInputSchema),
})

/** Parameters of `identities.list`. API, "H. Profile widgets and application identities". */
export interface ListIdentitiesParams {
  /** Whether to include the profiles. Default: `false`. */
  with_profiles?: boolean | undefined
}
export const ListIdentitiesParamsSchema = s.strictObject<ListIdentitiesParams>()({
  with_profiles: s.optional(s.boolean),
})

/** Parameters of `identities.updateConfig`. API, "H. Profile widgets and application identities". */
export interface UpdateProfileConfigParams {
  /** String, although a boolean in profiles, as in the API document, which does not show the meaning of either. */
  connection_visible?: string | undefined
}
export const UpdateProfileConfigParamsSchema = s.strictObject<UpdateProfileConfigParams>()({
  connection_visible: s.optional(s.string),
})

const profilePath = '/applications/{application.id}/users/{user.id}/identities/{external_user_id}/profile'

export const identities = {
  listBulk: endpoint('List Bulk Application Identities', 'POST', '/application-identities', 'token', {
    params: ListBulkIdentitiesParamsSchema,
    response: s.array(PartialApplicationIdentitySchema),
  }),
  getProfile: endpoint('Get User Application Profile', 'GET', profilePath, 'token', {
    response: UserApplicationProfileSchema,
  }),
  updateProfile: endpoint('Modify User Application Profile', 'PATCH', profilePath, 'token', {
    params: UpdateProfileParamsSchema,
    toPayload: ({ data, ...rest }: UpdateProfileParams) => (data ? { ...rest, data: toProfilePayload(data) } : rest),
    response: UserApplicationProfileSchema,
  }),
  list: endpoint('Get User Application Identities', 'GET', '/users/{user.id}/application-identities', 'token', {
    params: ListIdentitiesParamsSchema,
    query: ['with_profiles'],
    response: UserApplicationIdentitiesSchema,
  }),
  updateConfig: endpoint(
    'Modify User Application Profile Config',
    'PATCH',
    '/users/@me/application-identities/{application.id}/{external_user_id}/config',
    'token',
    { params: UpdateProfileConfigParamsSchema },
  ),
} as const
