import { WebAuthnError, type WebAuthnFailure } from '../errors/webauthn-error'
import { parseJson } from '../transport/json'

/** What a ceremony may be told. */
export interface WebAuthnRequest {
  /** Whether to offer passkeys in the browser's autofill instead of a dialog. */
  readonly autofill?: boolean
  /** Ends the ceremony. */
  readonly signal?: AbortSignal
}

/** Runs WebAuthn ceremonies on a platform. */
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

/** The adapter for browsers, on `@simplewebauthn/browser`, which is loaded when the first ceremony starts. */
export const browserWebAuthn: WebAuthnAdapter = {
  async get(options, { autofill = false, signal }) {
    const { browserSupportsWebAuthn, startAuthentication, WebAuthnAbortService } = await import(
      '@simplewebauthn/browser'
    )
    if (!browserSupportsWebAuthn()) {
      throw new WebAuthnError(
        'unsupported',
        'WebAuthn is not available here. Give the client a `webauthn` adapter of your platform.',
      )
    }
    signal?.throwIfAborted()
    const cancel = () => WebAuthnAbortService.cancelCeremony()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
      return await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
    } catch (cause) {
      signal?.throwIfAborted()
      throw ceremonyError(cause)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  },
}

const REASONS: Readonly<Record<string, readonly [WebAuthnFailure, string]>> = {
  ERROR_CEREMONY_ABORTED: ['cancelled', 'The WebAuthn ceremony was cancelled.'],
  NotAllowedError: ['cancelled', 'The WebAuthn ceremony was cancelled, or ran out of time, or no credential fits.'],
  AbortError: ['cancelled', 'The WebAuthn ceremony was cancelled.'],
  ERROR_INVALID_DOMAIN: ['wrong_domain', 'WebAuthn does not work on this domain.'],
  ERROR_INVALID_RP_ID: ['wrong_domain', 'The credential belongs to another domain.'],
  SecurityError: ['wrong_domain', 'The credential belongs to another domain.'],
}

function ceremonyError(cause: unknown): WebAuthnError {
  const { code, name } = (cause ?? {}) as { code?: string; name?: string }
  const [reason, message] =
    REASONS[code ?? ''] ?? REASONS[name ?? ''] ?? (['failed', 'The WebAuthn ceremony failed.'] as const)
  return new WebAuthnError(reason, message, { cause })
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
