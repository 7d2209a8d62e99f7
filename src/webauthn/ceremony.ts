import { WebAuthnError } from '../errors/webauthn-error'
import { throwIfAborted } from '../internal/throw-if-aborted'
import { abortable } from '../transport/abortable'
import type { PublicKeyRequestOptions, WebAuthnAdapter, WebAuthnRequest } from './adapter'

/**
 * Has an adapter run a ceremony, and sees that it ends with the signal and gives a credential, whatever the adapter
 * makes of either.
 */
export async function runCeremony(
  adapter: WebAuthnAdapter,
  options: PublicKeyRequestOptions,
  request: WebAuthnRequest & { readonly signal: AbortSignal },
): Promise<object> {
  throwIfAborted(request.signal)
  const credential: unknown = await abortable(adapter.get(options, request), request.signal)
  if (typeof credential === 'object' && credential !== null) return credential
  throw new WebAuthnError('no_credential', 'The WebAuthn ceremony gave no credential.')
}
