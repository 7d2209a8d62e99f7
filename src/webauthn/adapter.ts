import { WebAuthnError } from '../errors/webauthn-error'
import { parseJson } from '../internal/json'

/** Options of a ceremony. */
export interface WebAuthnRequest {
  /**
   * Whether to offer passkeys in the browser's autofill instead of a dialog.
   * @default false
   */
  readonly autofill?: boolean | undefined
  /** Aborts the ceremony, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs WebAuthn ceremonies on a platform. Pass one as the client option `webauthn` outside browsers.
 *
 * @example
 * import { Client, type WebAuthnAdapter, WebAuthnError } from 'rapport-sdk'
 *
 * declare const device: { assert(options: object): Promise<object | null> }
 *
 * const webauthn: WebAuthnAdapter = {
 *   async get(options, { signal }) {
 *     const credential = await device.assert(options)
 *     signal?.throwIfAborted()
 *     if (credential === null) throw new WebAuthnError('cancelled', 'The user closed the dialog.')
 *     return credential
 *   },
 * }
 * const client = new Client({ baseUrl: 'https://service.example', webauthn })
 */
export interface WebAuthnAdapter {
  /**
   * Requests a credential from the platform.
   * @param options Public key credential request options, in their JSON form.
   * @returns Public key credential response, in its JSON form.
   * @throws WebAuthnError if there is none.
   */
  get(options: PublicKeyRequestOptions, request: WebAuthnRequest): Promise<object>
}

/** Public key credential request options in their JSON form, as defined by WebAuthn. */
export interface PublicKeyRequestOptions {
  /** The challenge, base64url. */
  readonly challenge: string
  /** Other members defined by WebAuthn. */
  readonly [member: string]: unknown
}

/**
 * Parses stringified JSON of public key credential request options.
 * @throws WebAuthnError `invalid_options` if it is not a JSON object with a challenge.
 */
export function parseRequestOptions(text: string | null | undefined): PublicKeyRequestOptions {
  let options: unknown
  try {
    options = parseJson(text ?? '')
  } catch {
    // Ignore the parser's error: its message quotes the text.
  }
  // Some services wrap the options as `{ publicKey }`, the argument of `navigator.credentials.get`.
  const inner = (options as { publicKey?: unknown } | null | undefined)?.publicKey ?? options
  if (typeof (inner as { challenge?: unknown } | null | undefined)?.challenge === 'string')
    return inner as PublicKeyRequestOptions
  throw new WebAuthnError('invalid_options', 'The service sent invalid WebAuthn options for this challenge.')
}
