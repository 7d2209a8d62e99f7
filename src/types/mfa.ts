import type { LoginRequiredActionType, LoginSettings } from '../contract/login'
import type { AuthenticatorType } from '../contract/mfa'
import type { Open } from '../contract/schema'

/** A second factor that is accepted now. */
export interface MfaChallengeMethod {
  /** What kind it is. */
  readonly type: Open<AuthenticatorType>
  /** Whether backup codes may be used in addition to TOTP codes. */
  readonly backup_codes_allowed?: boolean
}

/** A second factor, given. */
export type MfaAnswer =
  | {
      /** What kind it is. */
      readonly type: 'totp' | 'sms' | 'backup' | 'password'
      /** The code, or the password. */
      readonly code: string
    }
  | {
      /** A WebAuthn device. */
      readonly type: 'webauthn'
      /** The public key credential response, as an object or as stringified JSON. */
      readonly credential: object | string
    }
  | {
      /** A kind that the service has added since. */
      readonly type: string & {}
      /** What goes for a code there. */
      readonly code: string
    }

/**
 * Gives a second factor; `null` cancels. It is asked again, with `attempt` and `lastError`, when its answer is refused.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 *
 * const client = new Client({
 *   baseUrl: 'https://service.example',
 *   onMfaRequired: async (challenge) => {
 *     const code = prompt(challenge.attempt === 1 ? 'Code' : 'Wrong code, try again')
 *     return code === null ? null : { type: 'totp', code }
 *   },
 * })
 */
export type MfaHandler = (challenge: MfaChallenge) => MfaAnswer | null | Promise<MfaAnswer | null>

/** A login that is completed; its token is stored already. Interface, "B. Login". */
export interface LoginCompleted {
  /** Tells it from a login that needs a second factor. */
  status: 'complete'
  /** The authentication token. */
  token: string
  /** ID of the user. */
  user_id: string
  /** The user's settings. */
  user_settings?: LoginSettings
  /** What the user must do next. */
  required_actions?: Open<LoginRequiredActionType>[]
}

/** A password reset that is completed; its token is stored already. Interface, "E. Password recovery". */
export interface ResetCompleted {
  /** Tells it from a reset that needs a second factor. */
  status: 'complete'
  /** The authentication token. */
  token: string
  /** ID of the user; given where a second factor was required. */
  user_id?: string
}

/** A verified second factor: for 5 minutes no call of this client is asked for one. */
export interface Elevated {
  /** Tells it from the other results of `verify`. */
  status: 'elevated'
  /** How long the client will use the verification, in milliseconds. */
  expiresInMs: number
}

/** A second factor that is due. The ticket in it is private. Interface, "Multi-factor elevation". */
export interface MfaChallenge<T = LoginCompleted | ResetCompleted | Elevated> {
  /** What it is for: signing in, resetting a password, or a sensitive call. */
  readonly reason: 'login' | 'password_reset' | 'elevation'
  /** Name of the endpoint whose call asks, such as `Logout Auth Sessions`; fit for a dialog to choose its words by. */
  readonly endpoint: string
  /** The second factors that are accepted, those included that this package does not know. */
  readonly methods: readonly MfaChallengeMethod[]
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** Why the last attempt was refused. */
  readonly lastError: Error | undefined
  /** Aborts when nobody waits for the answer any more: close the dialog then. */
  readonly signal: AbortSignal
  /** Whether a kind of second factor is accepted; `backup` also where it may stand in for a TOTP code. */
  allows(type: Open<AuthenticatorType>): boolean
  /** Sends a code by SMS. Nothing is sent unless this is called. Answers the redacted number. */
  sendSms(): Promise<{ phone: string }>
  /**
   * The public key credential request options, for a ceremony of your own.
   * @throws WebAuthnError where there are none, or none that can be read.
   */
  webauthnOptions(): PublicKeyRequestOptions
  /**
   * Runs the WebAuthn ceremony and gives the answer, to be returned from a handler or passed to `verify`.
   * @throws WebAuthnError where it gives no credential.
   */
  webauthn(options?: { readonly signal?: AbortSignal | undefined }): Promise<MfaAnswer>
  /**
   * Verifies an answer and completes what asked for it. A refusal throws the service's error, and another answer may
   * be given. Inside a handler return the answer instead: there this throws.
   */
  verify(answer: MfaAnswer): Promise<T>
}

/** What the service's refusal of a second factor means. */
export type MfaFailureKind = 'refused' | 'expired' | 'fatal'

/** Public key credential request options in their JSON form, as defined by WebAuthn. */
export interface PublicKeyRequestOptions {
  /** The challenge, base64url. */
  readonly challenge: string
  /** Other members defined by WebAuthn. */
  readonly [member: string]: unknown
}
