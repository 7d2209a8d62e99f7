/** What a platform can do with passkeys. */
export interface PasskeySupport {
  /**
   * Whether ceremonies can run at all: a browser with WebAuthn, on a page of a secure origin. On an address of numbers, such
   * as 127.0.0.1, they end in `wrong_domain` all the same.
   */
  readonly webauthn: boolean
  /** Whether the device itself can verify the person, by fingerprint, face or PIN. */
  readonly platform: boolean
  /** Whether passkeys can be offered in autofill, as `auth.loginWithPasskey({ autofill: true })` does. */
  readonly autofill: boolean
}

/**
 * What this platform can do with passkeys, so that a page offers no more. It never rejects: what cannot be found out
 * is `false`, and so is everything outside browsers, where an adapter decides.
 *
 * @example
 * import { passkeySupport } from 'rapport-sdk/webauthn'
 *
 * const { webauthn, autofill } = await passkeySupport()
 * if (autofill) void client.auth.loginWithPasskey({ autofill: true }).catch(() => {})
 * else if (webauthn) console.log('show a button for passkeys')
 */
export async function passkeySupport(): Promise<PasskeySupport> {
  try {
    const library = await import('./library')
    const webauthn = library.browserSupportsWebAuthn()
    const [platform, autofill] = await Promise.all([
      yes(library.platformAuthenticatorIsAvailable),
      yes(library.browserSupportsWebAuthnAutofill),
    ])
    return { webauthn, platform, autofill }
  } catch {
    // The library could not be loaded, so no ceremony could run.
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
