import type { Endpoint } from './endpoint'
import { PasswordSchema } from './login'
import { formatted, rule } from './rules'
import { boolean, integer, nullable, object, optional, request, string } from './schema'

/** What `auth.register` takes; a username or a global name is a must. Interface, "C. Registration". */
export interface RegisterParams {
  /** Unique name. At least one of `username` and `global_name` is required. The service picks one when absent. */
  username?: string
  /** Display name. At least one of `username` and `global_name` is required. */
  global_name?: string | null
  /** E-mail address. */
  email?: string
  /** Proof of a verified phone number; see `auth.registerPhone`. */
  phone_token?: string
  /** The password, 8–72 characters. */
  password?: string
  /** Date of birth, an ISO 8601 date: `2001-12-31`. */
  date_of_birth?: string
  /** The fingerprint used throughout the flow; filled in from the session when it has one. The account shares its ID. */
  fingerprint?: string
  /** An invite, accepted automatically upon registration. */
  invite?: string | null
  /** Code of a guild template. */
  guild_template_code?: string | null
  /** SKU of the gift code that the user came with. */
  gift_code_sku_id?: string | null
  /** Agreement to the terms; needed where `auth.getLocationMetadata` says so. */
  consent?: boolean
  /** Agreement to promotional e-mails; needed where `auth.getLocationMetadata` says so. */
  promotional_email_opt_in?: boolean
}
export const RegisterParamsSchema = rule(
  /*@__PURE__*/ request<RegisterParams>()({
    username: optional(string),
    global_name: optional(nullable(string)),
    email: optional(string),
    phone_token: optional(string),
    password: optional(PasswordSchema),
    date_of_birth: optional(formatted(isCalendarDate, 'a date such as "2001-12-31"')),
    fingerprint: optional(string),
    invite: optional(nullable(string)),
    guild_template_code: optional(nullable(string)),
    gift_code_sku_id: optional(nullable(string)),
    consent: optional(boolean),
    promotional_email_opt_in: optional(boolean),
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

/** A completed registration. Interface, "C. Registration". */
export interface RegisterResponse {
  /** The authentication token. */
  token: string
  /** Whether to show the joined guild's member verification form. */
  show_verification_form?: boolean
}
export const RegisterResponseSchema = /*@__PURE__*/ object<RegisterResponse>()({
  token: string,
  show_verification_form: optional(boolean),
})

/** What `auth.registerPhone` takes. Interface, "C. Registration". */
export interface RegisterPhoneParams {
  /** Phone number in E.164 form: `+15550100`. */
  phone: string
}
export const RegisterPhoneParamsSchema = /*@__PURE__*/ request<RegisterPhoneParams>()({
  phone: formatted((value) => /^\+[1-9]\d{1,14}$/.test(value), 'a phone number in E.164 form such as "+15550100"'),
})

/** How consent to promotional e-mails is to be asked for. Interface, "Promotional Email Metadata". */
export interface PromotionalEmailMetadata {
  /** Whether explicit agreement to promotional e-mails is required. */
  required: boolean
  /** Whether the consent checkbox is pre-checked, if explicit consent is required. */
  pre_checked: boolean
}
export const PromotionalEmailMetadataSchema = /*@__PURE__*/ object<PromotionalEmailMetadata>()({
  required: boolean,
  pre_checked: boolean,
})

/** What applies to a registration from the caller's location. Interface, "C. Registration". */
export interface LocationMetadata {
  /** ISO 3166-1 alpha-2 country code. */
  country_code: string
  /** Whether `consent` is needed to register. */
  consent_required: boolean
  /** How to ask for `promotional_email_opt_in`. */
  promotional_email_opt_in: PromotionalEmailMetadata
}
export const LocationMetadataSchema = /*@__PURE__*/ object<LocationMetadata>()({
  country_code: string,
  consent_required: boolean,
  promotional_email_opt_in: PromotionalEmailMetadataSchema,
})

/** What `auth.validatePassword` takes. Interface, "C. Registration". */
export interface ValidatePasswordParams {
  /** The password to judge, 8–72 characters. */
  password: string
}
export const ValidatePasswordParamsSchema = /*@__PURE__*/ request<ValidatePasswordParams>()({
  password: PasswordSchema,
})

/** What the service thinks of a password. Interface, "C. Registration". */
export interface PasswordValidation {
  /** Whether the password may be used. */
  valid: boolean
  /** How strong it is, an integer from 0 to 4. */
  password_strength: number
}
const StrengthSchema = rule(
  integer,
  (value) => (value >= 0 && value <= 4 ? [] : [{ code: 'invalid_value', message: 'expected an integer from 0 to 4' }]),
  { minimum: 0, maximum: 4 },
)
export const PasswordValidationSchema = /*@__PURE__*/ object<PasswordValidation>()({
  valid: boolean,
  password_strength: StrengthSchema,
})

export const registration = {
  register: {
    name: 'Register Account',
    method: 'POST',
    path: '/auth/register',
    auth: 'none',
    stepUp: false,
    params: RegisterParamsSchema,
    response: RegisterResponseSchema,
  },
  registerPhone: {
    name: 'Register Account with Phone Number',
    method: 'POST',
    path: '/auth/register/phone',
    auth: 'none',
    stepUp: false,
    params: RegisterPhoneParamsSchema,
  },
  getLocationMetadata: {
    name: 'Get Location Metadata',
    method: 'GET',
    path: '/auth/location-metadata',
    auth: 'none',
    stepUp: false,
    response: LocationMetadataSchema,
  },
  validatePassword: {
    name: 'Validate Password',
    method: 'POST',
    path: '/auth/password/validate',
    auth: 'optional',
    params: ValidatePasswordParamsSchema,
    response: PasswordValidationSchema,
  },
} as const satisfies Record<string, Endpoint>
