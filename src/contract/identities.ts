import { checkLength, countCharacters } from '../internal/issue'
import { endpoint } from './endpoint'
import {
  type ProfileData,
  type ProfileDataInput,
  ProfileDataInputSchema,
  ProfileDataSchema,
  toProfilePayload,
} from './profile-data'
import {
  array,
  boolean,
  boundedArray,
  boundedString,
  looseObject,
  nullable,
  type OpenObject,
  openObject,
  optional,
  record,
  refine,
  strictObject,
  string,
  unchecked,
} from './schema'

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
export const PartialUserApplicationProfileSchema = looseObject<PartialUserApplicationProfile>()({
  username: nullable(string),
  metadata: nullable(string),
  data: optional(ProfileDataSchema),
  data_trusted: optional(boolean),
  connection_visible: boolean,
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
export const UserApplicationIdentitySchema = looseObject<UserApplicationIdentity>()({
  application_id: string,
  provider_issued_user_id: string,
  profile: optional(PartialUserApplicationProfileSchema),
  profiles: optional(array(PartialUserApplicationProfileSchema)),
})

/** Response of `identities.list`. API, "H. Profile widgets and application identities". */
export interface UserApplicationIdentities {
  /** Identities of the user. */
  identities: UserApplicationIdentity[]
}
export const UserApplicationIdentitiesSchema = looseObject<UserApplicationIdentities>()({
  identities: array(UserApplicationIdentitySchema),
})

/** External account of a user in the authorized application. API, "User Application Identity". */
export interface PartialApplicationIdentity {
  /** ID of the user. */
  user_id: string
  /** ID of the user's external account. */
  external_user_id: string
}
export const PartialApplicationIdentitySchema = looseObject<PartialApplicationIdentity>()({
  user_id: string,
  external_user_id: string,
})

/**
 * Full profile. The API document does not show its fields; those of the partial profile are typed if present.
 * API, "H. Profile widgets and application identities".
 */
export interface UserApplicationProfile extends Partial<Omit<PartialUserApplicationProfile, 'metadata'>>, OpenObject {
  /** Custom metadata, as stored by the service. */
  metadata?: unknown
}
export const UserApplicationProfileSchema = openObject<UserApplicationProfile>()({
  username: optional(nullable(string)),
  metadata: optional(unchecked()),
  data: optional(ProfileDataSchema),
  data_trusted: optional(boolean),
  connection_visible: optional(boolean),
})

/** Parameters of `identities.listBulk`. API, "H. Profile widgets and application identities". */
export interface ListBulkIdentitiesParams {
  /** IDs of 1–100 users; the service ignores invalid ones. */
  user_ids: readonly string[]
}
export const ListBulkIdentitiesParamsSchema = strictObject<ListBulkIdentitiesParams>()({
  user_ids: boundedArray(string, { min: 1, max: 100 }),
})

/** Limits of a profile's metadata. API, "Limits". */
export const PROFILE_METADATA = { maxKeys: 25, maxCharacters: 1024 } as const

const MetadataValueSchema = refine(unchecked<unknown>(), (value) => {
  if (!isJsonValue(value)) return [{ code: 'invalid_type', message: 'expected a JSON value' }]
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return checkLength(countCharacters(text), 'characters', { max: PROFILE_METADATA.maxCharacters })
})

const MetadataSchema = refine(record(MetadataValueSchema), function* (metadata) {
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
export const UpdateProfileParamsSchema = strictObject<UpdateProfileParams>()({
  username: optional(boundedString({ max: 1024 })),
  metadata: optional(MetadataSchema),
  data: optional(ProfileDataInputSchema),
})

/** Parameters of `identities.list`. API, "H. Profile widgets and application identities". */
export interface ListIdentitiesParams {
  /** Whether to include the profiles. Default: `false`. */
  with_profiles?: boolean | undefined
}
export const ListIdentitiesParamsSchema = strictObject<ListIdentitiesParams>()({
  with_profiles: optional(boolean),
})

/** Parameters of `identities.updateConfig`. API, "H. Profile widgets and application identities". */
export interface UpdateProfileConfigParams {
  /** String, although a boolean in profiles, as in the API document, which does not show the meaning of either. */
  connection_visible?: string | undefined
}
export const UpdateProfileConfigParamsSchema = strictObject<UpdateProfileConfigParams>()({
  connection_visible: optional(string),
})

const profilePath = '/applications/{application.id}/users/{user.id}/identities/{external_user_id}/profile'

export const identities = {
  listBulk: endpoint('List Bulk Application Identities', 'POST', '/application-identities', 'token', {
    params: ListBulkIdentitiesParamsSchema,
    response: array(PartialApplicationIdentitySchema),
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
