import { isWebAuthnError, WebAuthnError } from '../errors/webauthn-error'
import { showsSecret } from '../errors/wrap-error'
import { compileSecrets, redactError, type Secrets } from '../internal/redact'
import { throwIfAborted } from '../internal/throw-if-aborted'
import { abortable } from '../transport/abortable'
import type { PublicKeyRequestOptions, WebAuthnAdapter, WebAuthnRequest } from './adapter'

/**
 * Has an adapter run a ceremony, and sees that it ends with the signal and gives a credential, whatever the adapter
 * makes of either. What it throws shows none of the `secrets`.
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
  throw new WebAuthnError('no_credential', 'The WebAuthn ceremony gave no credential.')
}

function adapterError(error: unknown, secrets: Secrets): WebAuthnError {
  if (!isWebAuthnError(error)) {
    const message = 'The `webauthn` adapter threw. To say why there is no credential it throws a WebAuthnError.'
    return new WebAuthnError('failed', message, { cause: redactError(error, secrets) })
  }
  if (!showsSecret(error, secrets)) return error
  return new WebAuthnError(error.reason, secrets.text(error.message), { cause: redactError(error.cause, secrets) })
}

/** A credential as it is sent. */
export function serializeCredential(credential: object): string {
  try {
    return JSON.stringify(credential)
  } catch {
    // The parts of it that the error quotes may be secret.
    throw new WebAuthnError('failed', 'The `webauthn` adapter gave a credential that JSON cannot carry.')
  }
}
