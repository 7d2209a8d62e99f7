// Client options for second factors, and the failures of a verification that do not end its flow.
import { MfaFailedError } from '../errors/client-errors'
import { type Checks, functionOption, objectOption, positiveNumber } from '../internal/options'
import type { MfaFailureKind, MfaHandler } from '../types/mfa'
import type { WebAuthnAdapter } from '../webauthn/ceremony'

/** Options for second factors: of sign-ins, of password resets, and of step-ups. */
export interface MfaOptions {
  /** Obtains second factors from the user: for step-up, login and password reset. @default none: see `MfaRequiredError` */
  readonly onMfaRequired?: MfaHandler | undefined
  /**
   * Maximum time for which a prompt is open, in milliseconds.
   * @default 300_000
   */
  readonly mfaTimeout?: number | undefined
  /**
   * Classifies the error of a verification. If it throws, the call rejects with a `RapportError`.
   * @default by convention: 401 is `expired`, any 4xx other than 429 and 60003 is `refused`, everything else is `fatal`
   */
  readonly classifyMfaFailure?: ((error: Error) => MfaFailureKind) | undefined
  /**
   * Runs WebAuthn ceremonies.
   * @default @simplewebauthn/browser, loaded on first use; in `createClient` only with the part `passkeys`
   */
  readonly webauthn?: WebAuthnAdapter | undefined
}

/** Client options for second factors, with defaults filled in. */
export interface MfaConfig {
  readonly onMfaRequired?: MfaHandler | undefined
  readonly mfaTimeout: number
  readonly classifyMfaFailure: (error: Error) => MfaFailureKind
  readonly webauthn: WebAuthnAdapter | undefined
}

/** Checks of {@link MfaOptions}. */
export const MFA_CHECKS: Checks<MfaOptions> = {
  onMfaRequired: functionOption,
  mfaTimeout: positiveNumber,
  classifyMfaFailure: functionOption,
  webauthn: objectOption,
}

/** Thrown if the ticket has expired, so that the flow requests a new one. */
export class TicketExpired {
  constructor(readonly error: Error) {}
}

/** Returns the error of the first ticket expiry, after which the caller retries; rethrows everything else. */
export function rethrowUnlessExpired(error: unknown, expired: Error | undefined): Error {
  if (!(error instanceof TicketExpired)) throw error
  if (!expired) return error.error
  throw new MfaFailedError(2, 'its ticket expired twice', { cause: error.error })
}
