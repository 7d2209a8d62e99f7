/** Passkey support of a platform. */
export interface PasskeySupport {
  /**
   * Whether ceremonies can run: a browser with WebAuthn, on a page of a secure origin that may use it. On an IP address such as
   * 127.0.0.1 they still fail with `wrong_domain`.
   */
  readonly webauthn: boolean
  /** Whether the device can verify the user by fingerprint, face or PIN. */
  readonly platform: boolean
  /** Whether passkeys can be offered in autofill, as `auth.loginWithPasskey({ autofill: true })` does. */
  readonly autofill: boolean
}

/**
 * Detects which passkey features the platform supports. Never rejects: what cannot be determined is `false`, as is
 * everything outside browsers, where an adapter decides.
 *
 * @example
 * import { passkeySupport } from 'rapport-sdk/webauthn'
 *
 * const { webauthn, autofill } = await passkeySupport()
 * if (webauthn) console.log('show a button for passkeys')
 * if (autofill) console.log('offer them in autofill, too')
 */
export async function passkeySupport(): Promise<PasskeySupport> {
  try {
    const library = await import('./library')
    const webauthn = library.browserSupportsWebAuthn() && isPermitted()
    const [platform, autofill] = await Promise.all([
      yes(library.platformAuthenticatorIsAvailable),
      yes(library.browserSupportsWebAuthnAutofill),
    ])
    return { webauthn, platform, autofill }
  } catch {
    // Without the library, no ceremony can run.
    return { webauthn: false, platform: false, autofill: false }
  }
}

async function yes(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return (await ask()) === true
  } catch {
    return false
  }
}

/** Whether the page may run ceremonies. Not every browser reports this before a ceremony. */
export function isPermitted(): boolean {
  // Chromium only, so the types of the DOM lack it.
  const { featurePolicy } = (globalThis.document ?? {}) as {
    featurePolicy?: { allowsFeature(feature: string): boolean }
  }
  return featurePolicy?.allowsFeature('publickey-credentials-get') ?? true
}
