import { declareKind, guardFor, RapportError } from './rapport-error'

/** Why a WebAuthn ceremony gave no credential. */
export type WebAuthnFailure =
  | 'cancelled'
  | 'no_credential'
  | 'wrong_domain'
  | 'unsupported'
  | 'invalid_options'
  | 'failed'

/** A WebAuthn ceremony gave no credential; `reason` tells why. */
export class WebAuthnError extends RapportError {
  declare readonly name: 'WebAuthnError'
  /** Why, for programs. */
  readonly reason: WebAuthnFailure

  static {
    declareKind(WebAuthnError, 'WebAuthnError')
  }

  constructor(reason: WebAuthnFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
/** Whether an error is a {@link WebAuthnError}. */
export const isWebAuthnError: (error: unknown) => error is WebAuthnError = /*@__PURE__*/ guardFor('WebAuthnError')
