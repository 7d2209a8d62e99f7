export type { PublicKeyRequestOptions } from '../types/mfa'
export { browserWebAuthn } from './browser-adapter'
export type { WebAuthnAdapter, WebAuthnRequest } from './ceremony'
export { type PasskeySupport, passkeySupport } from './support'
