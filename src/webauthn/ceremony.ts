import { raceAbort, throwIfAborted } from '../abort'
import { errorContainsSecret, redactError } from '../errors/base'
import { isWebAuthnError, WebAuthnError } from '../errors/client-errors'
import { isObject, parseJson, readField } from '../internal/json'
import { compileSecrets, type Secrets } from '../internal/redact'
import type { PublicKeyRequestOptions } from '../types/mfa'

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
  /** @internal Whether it works only in browsers, so that the dialog offers no passkey elsewhere. */
  readonly needsBrowser?: boolean
  /**
   * Requests a credential from the platform.
   * @param options Public key credential request options, in their JSON form.
   * @returns Public key credential response, in its JSON form.
   * @throws WebAuthnError if there is none.
   */
  get(options: PublicKeyRequestOptions, request: WebAuthnRequest): Promise<object>
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
  const inner = readField(options, 'publicKey') ?? options
  // The browser validates the other fields.
  if (typeof readField(inner, 'challenge') === 'string') return inner as PublicKeyRequestOptions
  throw new WebAuthnError('invalid_options', 'The service sent invalid WebAuthn options for this challenge.')
}

const NO_ADAPTER = 'This client has no `webauthn` adapter: pass that option or the part `passkeys`.'

/**
 * Runs a ceremony on an adapter. Rejects if the signal aborts or there is no credential, even if the adapter ignores
 * either. Errors contain none of the `secrets`.
 */
export async function runCeremony(
  adapter: WebAuthnAdapter | undefined,
  options: PublicKeyRequestOptions,
  request: WebAuthnRequest & { readonly signal: AbortSignal },
  secrets: readonly string[],
): Promise<object> {
  const { signal } = request
  throwIfAborted(signal)
  if (!adapter) throw new WebAuthnError('unsupported', NO_ADAPTER)
  let credential: unknown
  try {
    credential = await raceAbort((async () => adapter.get(options, request))(), signal)
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error
    throw adapterError(error, compileSecrets(secrets, [options.challenge]))
  }
  if (isObject(credential)) return credential
  throw new WebAuthnError('no_credential', 'The WebAuthn ceremony returned no credential.')
}

function adapterError(error: unknown, secrets: Secrets): WebAuthnError {
  if (!isWebAuthnError(error)) {
    const message = 'The `webauthn` adapter threw an error other than a WebAuthnError.'
    return new WebAuthnError('failed', message, { cause: redactError(error, secrets) })
  }
  if (!errorContainsSecret(error, secrets)) return error
  return new WebAuthnError(error.reason, secrets.text(error.message), { cause: redactError(error.cause, secrets) })
}

/** Serializes a credential as JSON. */
export function serializeCredential(credential: object): string {
  try {
    return JSON.stringify(credential)
  } catch {
    // Omit the cause: it quotes parts of the credential, which may be secret.
    throw new WebAuthnError('failed', 'The `webauthn` adapter returned a credential that JSON cannot represent.')
  }
}
