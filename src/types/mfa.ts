// Types of challenges, answers and handlers. The schemas of the service's objects are in `contract/mfa.ts`.
import type { LoginResponse } from '../contract/login'
import type { AuthenticatorType, MfaMethod } from '../contract/mfa'
import type { ResetPasswordResponse } from '../contract/recovery'
import type { Open } from '../contract/schema'
import type { KeyRing } from '../internal/seal'

/** An accepted second factor. */
export type MfaChallengeMethod = Readonly<Omit<MfaMethod, 'challenge'>>

/** The user's answer to an MFA challenge. */
export type MfaAnswer =
  | {
      /** Kind of second factor. */
      readonly type: 'totp' | 'sms' | 'backup' | 'password'
      /**
       * Code or password. Codes of `totp` and `sms` are sent without spaces and with ASCII digits, a `backup` code without
       * the space around it.
       */
      readonly code: string
    }
  | {
      /** A WebAuthn device. */
      readonly type: 'webauthn'
      /** Public key credential response, as an object or stringified JSON. */
      readonly credential: object | string
    }
  | {
      /** A kind that this package does not know. */
      readonly type: string & {}
      /** Code or its equivalent. */
      readonly code: string
    }

/**
 * Obtains a second factor from the user; `null` cancels. Called again, with `attempt` and `lastError`, if the service
 * rejects the answer. An answer that was rejected is not sent again: the call then fails with `MfaFailedError`. Its
 * challenge has no result (`never`), because `verify` throws in a handler.
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
export type MfaHandler = (challenge: MfaChallenge<never>) => MfaAnswer | null | Promise<MfaAnswer | null>

/** A completed login; its token is already stored. API, "B. Login". */
export interface LoginCompleted extends Pick<LoginResponse, 'user_id' | 'user_settings' | 'required_actions'> {
  /** Distinguishes it from a login that requires a second factor. */
  status: 'complete'
  /** The authentication token. */
  token: string
}

/** A completed password reset; its token is already stored. API, "E. Password recovery". */
export interface ResetCompleted extends Pick<ResetPasswordResponse, 'user_id'> {
  /** Distinguishes it from a reset that requires a second factor. */
  status: 'complete'
  /** The authentication token. */
  token: string
}

/** A verified second factor: for 5 minutes calls with this token do not require another. */
export interface Elevated {
  /** Distinguishes it from the other results of `verify`. */
  status: 'elevated'
  /** Remaining time for which the client uses the verification, in milliseconds. */
  expiresInMs: number
}

/**
 * State of a challenge:
 *
 * - `waiting`: for the first answer.
 * - `verifying`: the service verifies an answer.
 * - `refused`: the service rejected the last answer (`lastError`); another one is possible.
 * - `accepted`: the service accepted an answer.
 * - `failed`: three answers were refused, a refused one was repeated, the ticket expired, `mfaTimeout` passed, or the
 *   verification failed.
 * - `cancelled`: by the handler, by an abort of the call, or by a change of the session.
 *
 * The last three are final.
 */
export type MfaState = 'waiting' | 'verifying' | 'refused' | 'accepted' | 'failed' | 'cancelled'

/** Outcome of a challenge. */
export type MfaOutcome =
  | {
      /** The service accepted an answer. */
      readonly state: 'accepted'
    }
  | {
      /** No answer was accepted. */
      readonly state: 'failed' | 'cancelled'
      /** Error with which `verify` or the call rejects; the reason of the signal if the call was aborted. */
      readonly error: unknown
    }

/** Options of `challenge.save` and `client.resumeChallenge`. */
export interface SaveChallengeOptions {
  /** Keys that seal the challenge: the first one seals, all open. */
  readonly keys: KeyRing
  /**
   * Identifies the browser that signs in, such as a random value in a cookie: the challenge can then be resumed only with
   * the same value, so that an attacker cannot make another user complete the attacker's sign-in.
   * @default none
   */
  readonly context?: string | undefined
}

/** What is saved of a challenge. Secret. */
export interface UnsavedChallenge {
  readonly reason: MfaChallenge['reason']
  readonly endpoint: string
  readonly attempt: number
  readonly ticket: string
  readonly methods: readonly MfaMethod[]
  /** Token of a step-up. */
  readonly token: string | undefined
  /** Parameters and response of the sign-in or reset that requires the second factor. */
  readonly flow?: { readonly params: unknown; readonly first: unknown } | undefined
  /** Time from which it cannot be resumed, by `Date.now()`. */
  readonly expiresAt: number
}

/** A required second factor. Its ticket is private. API, "Multi-factor elevation". */
export interface MfaChallenge<T = LoginCompleted | ResetCompleted | Elevated> {
  /** Operation that requires it: a login, a password reset, or a sensitive call. */
  readonly reason: 'login' | 'password_reset' | 'elevation'
  /** Name of the endpoint that requires it, such as `Logout Auth Sessions`; a dialog can choose its texts by it. */
  readonly endpoint: string
  /** Accepted second factors, including kinds that this package does not know. */
  readonly methods: readonly MfaChallengeMethod[]
  /** Number of the attempt, starting at 1. */
  readonly attempt: number
  /**
   * Number of answers that may still be given, this one included: 3 at first. `undefined` if you call `verify` yourself,
   * because then only the service limits them; for a resumed challenge it is a hint.
   */
  readonly attemptsLeft: number | undefined
  /**
   * Error of the previous attempt, which the service rejected. In the first attempt, the error of the previous ticket if it
   * expired and the challenge was renewed.
   */
  readonly lastError: Error | undefined
  /**
   * Current state. If you call `verify` yourself, a failure that does not concern the answer, such as a lost connection,
   * returns to `waiting`: you can call it again.
   */
  readonly state: MfaState
  /**
   * Resolves once the state is final, and never rejects. Without a handler, it stays pending until the challenge is
   * verified or the client is disposed.
   *
   * @example
   * import type { MfaChallenge } from 'rapport-sdk'
   *
   * async function report(challenge: MfaChallenge) {
   *   const outcome = await challenge.settled
   *   if (outcome.state === 'failed') console.error(outcome.error)
   * }
   */
  readonly settled: Promise<MfaOutcome>
  /** Calls `listener` after each change of `state`. Returns an unsubscribe function. */
  onChange(listener: (state: MfaState) => void): () => void
  /** Aborts when the answer is no longer needed: close the dialog then. */
  readonly signal: AbortSignal
  /** Whether a second factor is accepted. `backup` is true if backup codes are accepted instead of TOTP codes. */
  allows(type: Open<AuthenticatorType>): boolean
  /** Sends a code by SMS and returns the redacted phone number. No SMS is sent unless this is called. */
  sendSms(): Promise<{ phone: string }>
  /**
   * Returns the public key credential request options, for your own ceremony.
   * @throws WebAuthnError if there are none, or they cannot be parsed.
   */
  webauthnOptions(): PublicKeyRequestOptions
  /**
   * Runs the WebAuthn ceremony. Return the answer from the handler, or pass it to `verify`.
   * @throws WebAuthnError if it does not return a credential.
   */
  webauthn(options?: { readonly signal?: AbortSignal | undefined }): Promise<MfaAnswer>
  /**
   * Verifies an answer and completes the operation that requires it. If the service rejects the answer, its error is
   * thrown, and `verify` can be called again. Always throws inside a handler: return the answer instead.
   */
  verify(answer: MfaAnswer): Promise<T>
  /**
   * Seals the challenge as a string of about 1 kB, for `client.resumeChallenge` in another request or process: with
   * letters, digits, `-`, `_` and `.` only, fit for a cookie or a hidden field. Contains the new password of a reset, never
   * that of a sign-in. It can be resumed until `mfaTimeout` has passed since the challenge was received. Needs WebCrypto.
   *
   * @throws RequestValidationError if an option is invalid.
   */
  save(options: SaveChallengeOptions): Promise<string>
}

/** A resumed {@link MfaChallenge}: if the session of the client is a cookie, its result has no token. */
export type ChallengeIn<Mode extends 'token' | 'cookie'> = {
  readonly token: MfaChallenge
  readonly cookie: MfaChallenge<Omit<LoginCompleted, 'token'> | Omit<ResetCompleted, 'token'> | Elevated>
}[[Mode] extends ['cookie'] ? 'cookie' : 'token']

/** Kind of failed verification: `refused` allows another attempt, `expired` needs a new ticket, `fatal` rejects. */
export type MfaFailureKind = 'refused' | 'expired' | 'fatal'

/** Public key credential request options in their JSON form, as defined by WebAuthn. */
export interface PublicKeyRequestOptions {
  /** Challenge, base64url. */
  readonly challenge: string
  /** Other members defined by WebAuthn. */
  readonly [member: string]: unknown
}
