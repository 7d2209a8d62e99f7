// The used part of `@simplewebauthn/browser`, loaded with the first ceremony. Named exports, since bundlers keep all of
// a package that is imported dynamically.
export {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
