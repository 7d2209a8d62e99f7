import type { WebAuthnAdapter } from './ceremony'

/** The default adapter, loaded with the first ceremony. */
export const lazyBrowserWebAuthn: WebAuthnAdapter = {
  async get(options, request) {
    // Both at once: the adapter loads the library.
    const [{ browserWebAuthn }] = await Promise.all([import('./browser'), import('./library')])
    return browserWebAuthn.get(options, request)
  },
}
