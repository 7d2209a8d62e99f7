export type { PublicKeyRequestOptions } from '../types/mfa'
export { browserWebAuthn, type PasskeySupport, passkeySupport } from './browser'
export type { WebAuthnAdapter, WebAuthnRequest } from './ceremony'
