import { WebAuthnError } from '../errors/client-errors'
import type { WebAuthnAdapter } from './ceremony'

/**
 * Default adapter in browsers, based on `@simplewebauthn/browser`, which it loads for the first ceremony. A page runs
 * one ceremony at a time across all clients: a new one aborts the previous one, which rejects with `cancelled`.
 * Exception: autofill is rejected with `cancelled` while a dialog is open.
 */
export const browserWebAuthn: WebAuthnAdapter = {
  needsBrowser: true,
  async get(options, request) {
    const { runBrowserCeremony } = await import('./browser-ceremony')
    return runBrowserCeremony(WebAuthnError, options, request)
  },
}
