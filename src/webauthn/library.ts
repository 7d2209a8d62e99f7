// What is used of `@simplewebauthn/browser`, to be loaded with the first ceremony. By name, since a bundler keeps all of a
// package that is itself imported when it is needed.
export {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
