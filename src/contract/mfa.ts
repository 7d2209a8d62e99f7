import type { Endpoint } from './endpoint'
import { boolean, listOf, type Open, object, open, optional, request, string, type ValueOf } from './schema'

/** The kinds of second factor. Interface, "Enumerations of the authentication area". */
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

/** The code of the answer that asks for a second factor. Interface, "MFA Required Response". */
export const MFA_REQUIRED_CODE = 60003

/** A second factor that the service accepts now. Interface, "MFA Required Response". */
export interface MfaMethod {
  /** What kind it is. */
  type: Open<AuthenticatorType>
  /** Stringified JSON of public key credential request options, for WebAuthn. */
  challenge?: string
  /** Whether backup codes may be used in addition to TOTP codes. */
  backup_codes_allowed?: boolean
}
export const MfaMethodSchema = /*@__PURE__*/ object<MfaMethod>()({
  type: open('string'),
  challenge: optional(string),
  backup_codes_allowed: optional(boolean),
})

/** What to verify and how. Interface, "MFA Required Response". */
export interface MfaVerificationRequest {
  /** Identifies the verification. */
  ticket: string
  /** The second factors that are accepted. */
  methods: MfaMethod[]
}
export const MfaVerificationRequestSchema = /*@__PURE__*/ object<MfaVerificationRequest>()({
  ticket: string,
  methods: listOf(MfaMethodSchema),
})

/** The body of the 401 that asks for a second factor. Interface, "MFA Required Response". */
export interface MfaRequiredResponse {
  /** Says that multi-factor authentication is required. */
  message: string
  /** Always 60003. */
  code: typeof MFA_REQUIRED_CODE
  /** What to verify and how. */
  mfa: MfaVerificationRequest
}

/** What `mfa.finish` takes. Interface, "G. Multi-factor verification". */
export interface FinishMfaParams {
  /** The ticket of the MFA required response. */
  ticket: string
  /** The kind of second factor given. */
  mfa_type: Open<AuthenticatorType>
  /** TOTP, SMS or backup code, or password; for WebAuthn a stringified JSON public key credential response. */
  data: string
}
export const FinishMfaParamsSchema = /*@__PURE__*/ request<FinishMfaParams>()({
  ticket: string,
  mfa_type: open('string'),
  data: string,
})

/** A verified second factor. Interface, "G. Multi-factor verification". */
export interface FinishMfaResponse {
  /** Verification JWT, valid for 5 minutes. The client keeps it and sends it by itself. */
  token: string
}
export const FinishMfaResponseSchema = /*@__PURE__*/ object<FinishMfaResponse>()({ token: string })

/** What `mfa.sendSms` takes. Interface, "G. Multi-factor verification". */
export interface SendMfaSmsParams {
  /** Ticket of the login response or of the MFA required response. */
  ticket: string
}
export const SendMfaSmsParamsSchema = /*@__PURE__*/ request<SendMfaSmsParams>()({ ticket: string })

/** An SMS that is on its way. Interface, "G. Multi-factor verification". */
export interface SendMfaSmsResponse {
  /** The redacted number that the SMS went to. */
  phone: string
}
export const SendMfaSmsResponseSchema = /*@__PURE__*/ object<SendMfaSmsResponse>()({ phone: string })

export const mfa = {
  finish: {
    name: 'Verify MFA',
    method: 'POST',
    path: '/mfa/finish',
    auth: 'optional',
    stepUp: false,
    params: FinishMfaParamsSchema,
    response: FinishMfaResponseSchema,
  },
  sendSms: {
    name: 'Send MFA SMS',
    method: 'POST',
    path: '/auth/mfa/sms/send',
    auth: 'optional',
    stepUp: false,
    params: SendMfaSmsParamsSchema,
    response: SendMfaSmsResponseSchema,
  },
} as const satisfies Record<string, Endpoint>
