export { browserWebAuthn, type PublicKeyRequestOptions, type WebAuthnAdapter, type WebAuthnRequest } from './adapter'
