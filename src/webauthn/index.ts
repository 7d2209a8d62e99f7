export type { PublicKeyRequestOptions, WebAuthnAdapter, WebAuthnRequest } from './adapter'
export { browserWebAuthn } from './browser'
export { type PasskeySupport, passkeySupport } from './passkey-support'
