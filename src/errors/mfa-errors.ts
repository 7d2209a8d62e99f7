import type { Elevated, MfaChallenge } from '../session/challenge'
import { ApiError, type ApiFailure } from './api-error'
import { declareKind, guardFor, RapportError } from './rapport-error'

/**
 * Status 401 with code 60003: the call needs a second factor, and no handler has given it; or the service asks again
 * although second factors were verified, in which case prompts stop for 5 minutes and the message says what to check.
 */
export class MfaRequiredError extends ApiError {
  declare readonly name: 'MfaRequiredError'
  /** Verify it, then repeat the call, which passes. `undefined` where the service gave nothing to verify. */
  declare readonly challenge: MfaChallenge<Elevated> | undefined

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(MfaRequiredError, 'MfaRequiredError')

  constructor(failure: ApiFailure, challenge: MfaChallenge<Elevated> | undefined, note?: string) {
    super(failure, note ?? 'Give an `onMfaRequired` handler, or verify `error.challenge` and repeat the call.')
    Object.defineProperty(this, 'challenge', { value: challenge, enumerable: false })
  }
}
/** Whether an error is an {@link MfaRequiredError}. */
export const isMfaRequiredError: (error: unknown) => error is MfaRequiredError =
  /*@__PURE__*/ guardFor('MfaRequiredError')

/** A second factor was asked for and not given: the handler gave null or threw (`cause`), or the session changed. */
export class MfaCancelledError extends RapportError {
  declare readonly name: 'MfaCancelledError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(MfaCancelledError, 'MfaCancelledError')

  constructor(reason: string, options?: ErrorOptions) {
    super(`The second factor was not given: ${reason}. The next call asks again.`, options)
  }
}
/** Whether an error is an {@link MfaCancelledError}. */
export const isMfaCancelledError: (error: unknown) => error is MfaCancelledError =
  /*@__PURE__*/ guardFor('MfaCancelledError')

/** A second factor was given and refused as often as it may be; `cause` is the service's last error. */
export class MfaFailedError extends RapportError {
  declare readonly name: 'MfaFailedError'
  /** How often an answer was given. */
  readonly attempts: number

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(MfaFailedError, 'MfaFailedError')

  constructor(attempts: number, reason: string, options?: ErrorOptions) {
    super(`The second factor failed: ${reason}. The next call asks again.`, options)
    this.attempts = attempts
  }
}
/** Whether an error is an {@link MfaFailedError}. */
export const isMfaFailedError: (error: unknown) => error is MfaFailedError = /*@__PURE__*/ guardFor('MfaFailedError')
