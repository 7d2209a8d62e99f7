import { declareKind, guardFor, RapportError } from './rapport-error'

/**
 * Why a WebAuthn ceremony gave no credential.
 *
 * - `cancelled`: the person closed the dialog, it ran out of time, or another ceremony of the page took its place. Also
 *   where a browser has no credential that fits: it does not tell a page which of these it was.
 * - `no_credential`: the platform gave none, and said so.
 * - `wrong_domain`: the page is not on the domain that the credentials are for.
 * - `unsupported`: there is no WebAuthn, or no autofill of passkeys, here.
 * - `invalid_options`: the service sent none that can be read.
 * - `failed`: anything else; `cause` has what the platform threw.
 */
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

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(WebAuthnError, 'WebAuthnError')

  constructor(reason: WebAuthnFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
/** Whether an error is a {@link WebAuthnError}. */
export const isWebAuthnError: (error: unknown) => error is WebAuthnError = /*@__PURE__*/ guardFor('WebAuthnError')
