import { isWellFormed } from '../internal/json'
import { endpoint } from './endpoint'
import { PasswordSchema } from './login'
import * as s from './schema'

/** Parameters of `auth.register`; `username` or `global_name` is required. API, "C. Registration". */
export interface RegisterParams {
  /** Unique name. At least one of `username` and `global_name` is required. Default: chosen by the service. */
  username?: string | undefined
  /** Display name. At least one of `username` and `global_name` is required. */
  global_name?: string | null | undefined
  /** Email address. */
  email?: string | undefined
  /** Token that proves a verified phone number; see `auth.registerPhone`. */
  phone_token?: string | undefined
  /** Password, 8–72 characters. */
  password?: string | undefined
  /** Date of birth, an ISO 8601 date: `2001-12-31`. */
  date_of_birth?: string | undefined
  /** Fingerprint used throughout the flow. Default: that of the session, if it has one. The account shares its ID. */
  fingerprint?: string | undefined
  /** Invite to accept automatically upon registration. */
  invite?: string | null | undefined
  /** Code of a guild template. */
  guild_template_code?: string | null | undefined
  /** SKU ID of a gift code. */
  gift_code_sku_id?: string | null | undefined
  /** Whether the user agrees to the terms; required if `auth.getLocationMetadata` says so. */
  consent?: boolean | undefined
  /** Whether the user agrees to promotional emails; required if `auth.getLocationMetadata` says so. */
  promotional_email_opt_in?: boolean | undefined
}
export const RegisterParamsSchema = s.refine(
  s.strictObject<RegisterParams>()({
    username: s.optional(s.string),
    global_name: s.optional(s.nullable(s.string)),
    email: s.optional(s.string),
    phone_token: s.optional(s.string),
    password: s.optional(PasswordSchema),
    date_of_birth: s.optional(s.formattedString(isCalendarDate, 'a date such as "2001-12-31"')),
    fingerprint: s.optional(s.string),
    invite: s.optional(s.nullable(s.string)),
    guild_template_code: s.optional(s.nullable(s.string)),
    gift_code_sku_id: s.optional(s.nullable(s.string)),
    consent: s.optional(s.boolean),
    promotional_email_opt_in: s.optional(s.boolean),
  }),
  function* ({ username, global_name }) {
    if (username === undefined && (global_name === undefined || global_name === null)) {
      yield { path: ['username'], code: 'required', message: 'required: a username or a global_name' }
    }
  },
)

function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

/** Completed registration. API, "C. Registration". */
export interface RegisterResponse {
  /** Authentication token. */
  token: string
  /** Whether to show the joined guild's member verification form. */
  show_verification_form?: boolean
}
export const RegisterResponseSchema = s.looseObject<RegisterResponse>()({
  token: s.string,
  show_verification_form: s.optional(s.boolean),
})

/** Parameters of `auth.registerPhone`. API, "C. Registration". */
export interface RegisterPhoneParams {
  /** Phone number in E.164 form: `+15550100`. */
  phone: string
}
export const RegisterPhoneParamsSchema = s.strictObject<RegisterPhoneParams>()({
  phone: s.formattedString(
    (value) => /^\+[1-9]\d{1,14}$/.test(value),
    'a phone number in E.164 form such as "+15550100"',
  ),
})

/** Consent that promotional emails require. API, "Promotional Email Metadata". */
export interface PromotionalEmailMetadata {
  /** Whether explicit consent to promotional emails is required. */
  required: boolean
  /** Whether the consent checkbox is pre-checked, if explicit consent is required. */
  pre_checked: boolean
}
export const PromotionalEmailMetadataSchema = s.looseObject<PromotionalEmailMetadata>()({
  required: s.boolean,
  pre_checked: s.boolean,
})

/** Registration requirements at the caller's location. API, "C. Registration". */
export interface LocationMetadata {
  /** ISO 3166-1 alpha-2 country code. */
  country_code: string
  /** Whether `consent` is required to register. */
  consent_required: boolean
  /** Requirements for `promotional_email_opt_in`. */
  promotional_email_opt_in: PromotionalEmailMetadata
}
export const LocationMetadataSchema = s.looseObject<LocationMetadata>()({
  country_code: s.string,
  consent_required: s.boolean,
  promotional_email_opt_in: PromotionalEmailMetadataSchema,
})

/** Parameters of `auth.validatePassword`. API, "C. Registration". */
export interface ValidatePasswordParams {
  /** Password to validate, 8–72 characters. */
  password: string
}
export const ValidatePasswordParamsSchema = s.strictObject<ValidatePasswordParams>()({
  password: PasswordSchema,
})

const PasswordStrengthSchema = s.refine(
  s.integer,
  (value) => (value >= 0 && value <= 4 ? [] : [{ code: 'invalid_value', message: 'expected an integer from 0 to 4' }]),
  { minimum: 0, maximum: 4 },
)

/** Result of a password validation. API, "C. Registration". */
export interface PasswordValidation {
  /** Whether the password is allowed. */
  valid: boolean
  /** Strength, an integer from 0 to 4. */
  password_strength: number
}
export const PasswordValidationSchema = s.looseObject<PasswordValidation>()({
  valid: s.boolean,
  password_strength: PasswordStrengthSchema,
})

// Sent in the query as UTF-8, which cannot encode lone surrogates.
const QueryStringSchema = s.formattedString(isWellFormed, 'well-formed Unicode, no lone surrogates')

/** Parameters of `auth.suggestUsername`. API, "C. Registration". */
export interface SuggestUsernameParams {
  /** Display name to derive the suggestion from. Default: a random suggestion. */
  global_name?: string | undefined
}
export const SuggestUsernameParamsSchema = s.strictObject<SuggestUsernameParams>()({
  global_name: s.optional(QueryStringSchema),
})

/** Available username. API, "C. Registration". */
export interface UsernameSuggestion {
  /** Suggested username. */
  username: string
}
export const UsernameSuggestionSchema = s.looseObject<UsernameSuggestion>()({ username: s.string })

/** Parameters of `auth.checkUsername`. API, "C. Registration". */
export interface CheckUsernameParams {
  /** Username to check. */
  username: string
}
export const CheckUsernameParamsSchema = s.strictObject<CheckUsernameParams>()({ username: s.string })

/** Availability of a username. API, "C. Registration". */
export interface UsernameEligibility {
  /** Whether the username is taken; `null` if the service does not disclose it. */
  taken: boolean | null
}
export const UsernameEligibilitySchema = s.looseObject<UsernameEligibility>()({ taken: s.nullable(s.boolean) })

export const registration = {
  register: endpoint('Register Account', 'POST', '/auth/register', 'none', {
    params: RegisterParamsSchema,
    response: RegisterResponseSchema,
  }),
  registerPhone: endpoint('Register Account with Phone Number', 'POST', '/auth/register/phone', 'none', {
    params: RegisterPhoneParamsSchema,
  }),
  getLocationMetadata: endpoint('Get Location Metadata', 'GET', '/auth/location-metadata', 'none', {
    response: LocationMetadataSchema,
  }),
  validatePassword: endpoint('Validate Password', 'POST', '/auth/password/validate', 'optional', {
    params: ValidatePasswordParamsSchema,
    response: PasswordValidationSchema,
  }),
} as const

export const usernames = {
  suggestUsername: endpoint(
    'Get Username Suggestions',
    'GET',
    '/unique-username/username-suggestions-unauthed',
    'none',
    { params: SuggestUsernameParamsSchema, query: ['global_name'], response: UsernameSuggestionSchema },
  ),
  checkUsername: endpoint('Check Username Eligibility', 'POST', '/unique-username/username-attempt-unauthed', 'none', {
    params: CheckUsernameParamsSchema,
    response: UsernameEligibilitySchema,
  }),
} as const
