// The part of `@simplewebauthn/browser` that {@link passkeySupport} uses, loaded on first use. Named exports, since bundlers
// keep all of a package that is imported dynamically.
export {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
} from '@simplewebauthn/browser'
