import { isWebAuthnError, WebAuthnError } from '../errors/webauthn-error'
import { showsSecret } from '../errors/wrap-error'
import { compileSecrets, redactError, type Secrets } from '../internal/redact'
import { throwIfAborted } from '../internal/throw-if-aborted'
import { abortable } from '../transport/abortable'
import type { PublicKeyRequestOptions, WebAuthnAdapter, WebAuthnRequest } from './adapter'

/**
 * Runs a ceremony on an adapter. Rejects if the signal aborts or there is no credential, even if the adapter ignores
 * either. Errors contain none of the `secrets`.
 */
export async function runCeremony(
  adapter: WebAuthnAdapter,
  options: PublicKeyRequestOptions,
  request: WebAuthnRequest & { readonly signal: AbortSignal },
  secrets: readonly string[],
): Promise<object> {
  const { signal } = request
  throwIfAborted(signal)
  let credential: unknown
  try {
    credential = await abortable((async () => adapter.get(options, request))(), signal)
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error
    throw adapterError(error, compileSecrets(secrets, [options.challenge]))
  }
  if (typeof credential === 'object' && credential !== null) return credential
  throw new WebAuthnError('no_credential', 'The WebAuthn ceremony returned no credential.')
}

function adapterError(error: unknown, secrets: Secrets): WebAuthnError {
  if (!isWebAuthnError(error)) {
    const message = 'The `webauthn` adapter threw an error other than a WebAuthnError.'
    return new WebAuthnError('failed', message, { cause: redactError(error, secrets) })
  }
  if (!showsSecret(error, secrets)) return error
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
