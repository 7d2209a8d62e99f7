// Endpoints and objects of second factors.
import { endpoint } from './endpoint'
import type { Open, ValueOf } from './schema'
import * as s from './schema'

/** Kinds of second factors. API, "Enumerations of the authentication area". */
export const AuthenticatorType = {
  /** TOTP code, or a backup code. */
  totp: 'totp',
  /** Code sent by SMS. */
  sms: 'sms',
  /** Backup code. */
  backup: 'backup',
  /** WebAuthn device. */
  webauthn: 'webauthn',
  /** The user's password; in certain cases when no other method is enabled. */
  password: 'password',
} as const
/** One of {@link AuthenticatorType}. */
export type AuthenticatorType = ValueOf<typeof AuthenticatorType>

/** Error code of the response that requires a second factor. API, "MFA Required Response". */
export const MFA_REQUIRED_CODE = 60003

/** Second factor that the service accepts. API, "MFA Required Response". */
export interface MfaMethod {
  /** Kind of second factor. */
  type: Open<AuthenticatorType>
  /** Stringified JSON of public key credential request options, for WebAuthn. */
  challenge?: string
  /** Whether backup codes may be used in addition to TOTP codes. */
  backup_codes_allowed?: boolean
}
export const MfaMethodSchema = s.looseObject<MfaMethod>()({
  type: s.open('string'),
  challenge: s.optional(s.string),
  backup_codes_allowed: s.optional(s.boolean),
})

/** Verification required by the service. API, "MFA Required Response". */
export interface MfaVerificationRequest {
  /** Identifies the verification. */
  ticket: string
  /** Accepted second factors. */
  methods: MfaMethod[]
}
export const MfaVerificationRequestSchema = s.looseObject<MfaVerificationRequest>()({
  ticket: s.string,
  methods: s.array(MfaMethodSchema),
})

/** Body of the 401 response that requires a second factor. API, "MFA Required Response". */
export interface MfaRequiredResponse {
  /** Message that multi-factor authentication is required. */
  message: string
  /** Always 60003. */
  code: typeof MFA_REQUIRED_CODE
  /** Verification required by the service. */
  mfa: MfaVerificationRequest
}

/** Parameters of `mfa.finish`. API, "G. Multi-factor verification". */
export interface FinishMfaParams {
  /** Ticket of the MFA required response. */
  ticket: string
  /** Kind of second factor. */
  mfa_type: Open<AuthenticatorType>
  /** TOTP, SMS or backup code, or password; for WebAuthn a stringified JSON public key credential response. */
  data: string
}
export const FinishMfaParamsSchema = s.strictObject<FinishMfaParams>()({
  ticket: s.string,
  mfa_type: s.open('string'),
  data: s.string,
})

/** Verified second factor. API, "G. Multi-factor verification". */
export interface FinishMfaResponse {
  /** Verification JWT, valid for 5 minutes. The client stores and sends it automatically. */
  token: string
}
export const FinishMfaResponseSchema = s.looseObject<FinishMfaResponse>()({ token: s.string })

/** Parameters of `mfa.sendSms`. API, "G. Multi-factor verification". */
export interface SendMfaSmsParams {
  /** Ticket of the login response or of the MFA required response. */
  ticket: string
}
export const SendMfaSmsParamsSchema = s.strictObject<SendMfaSmsParams>()({ ticket: s.string })

/** Confirmation that an SMS was sent. API, "G. Multi-factor verification". */
export interface SendMfaSmsResponse {
  /** Redacted phone number that the SMS was sent to. */
  phone: string
}
export const SendMfaSmsResponseSchema = s.looseObject<SendMfaSmsResponse>()({ phone: s.string })

/** Like {@link sendMfaSms} a separate constant, because a sign-in without step-up uses only one of the two. */
export const finishMfa = endpoint('Verify MFA', 'POST', '/mfa/finish', 'optional', {
  stepUp: false,
  params: FinishMfaParamsSchema,
  response: FinishMfaResponseSchema,
})

export const sendMfaSms = endpoint('Send MFA SMS', 'POST', '/auth/mfa/sms/send', 'optional', {
  stepUp: false,
  params: SendMfaSmsParamsSchema,
  response: SendMfaSmsResponseSchema,
})

export const mfa = { finish: finishMfa, sendSms: sendMfaSms } as const
