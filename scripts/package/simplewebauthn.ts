export {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
