import { WebAuthnError } from '../errors/webauthn-error'
import { parseJson } from '../internal/json'

/** What a ceremony may be told. */
export interface WebAuthnRequest {
  /**
   * Whether to offer passkeys in the browser's autofill instead of a dialog.
   * @default false
   */
  readonly autofill?: boolean | undefined
  /** Ends the ceremony, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs WebAuthn ceremonies on a platform: what a client takes as `webauthn` where it does not run in a browser.
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
 *     if (credential === null) throw new WebAuthnError('cancelled', 'The person closed the dialog.')
 *     return credential
 *   },
 * }
 * const client = new Client({ baseUrl: 'https://service.example', webauthn })
 */
export interface WebAuthnAdapter {
  /**
   * Asks the platform for a credential.
   * @param options Public key credential request options, in their JSON form.
   * @returns The public key credential response, in its JSON form.
   * @throws WebAuthnError when there is none.
   */
  get(options: PublicKeyRequestOptions, request: WebAuthnRequest): Promise<object>
}

/** Public key credential request options in their JSON form, as WebAuthn defines them. */
export interface PublicKeyRequestOptions {
  /** The challenge, base64url. */
  readonly challenge: string
  /** Members that WebAuthn defines. */
  readonly [member: string]: unknown
}

/**
 * Reads stringified JSON of public key credential request options.
 * @throws WebAuthnError `invalid_options` when it is no JSON object with a challenge.
 */
export function parseRequestOptions(text: string | null | undefined): PublicKeyRequestOptions {
  let options: unknown
  try {
    options = parseJson(text ?? '')
  } catch {
    // The parser's message quotes the text.
  }
  // Some services wrap the options as `{ publicKey }`, the argument of `navigator.credentials.get`.
  const inner = (options as { publicKey?: unknown } | null | undefined)?.publicKey ?? options
  if (typeof (inner as { challenge?: unknown } | null | undefined)?.challenge === 'string')
    return inner as PublicKeyRequestOptions
  throw new WebAuthnError('invalid_options', 'The service sent no readable WebAuthn options for this challenge.')
}
