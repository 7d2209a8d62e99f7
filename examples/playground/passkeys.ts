import { startRegistration } from '@simplewebauthn/browser'
import type { WebAuthnAdapter } from 'rapport-sdk'
import type { MockService, MockUser } from 'rapport-sdk/mocks'
import { browserWebAuthn, passkeySupport } from 'rapport-sdk/webauthn'

/** Source of a passkey: simulated by the mock, or on the device that shows the page. */
export type PasskeySource = 'simulated' | 'device'

/** The passkeys of a user. */
export interface Passkeys {
  /** The WebAuthn adapter of the client. */
  readonly adapter: WebAuthnAdapter
  /** Whether the passkey of the device is registered. */
  readonly isRegistered: boolean
  /** Sets the source for the next ceremony. */
  use(source: PasskeySource): void
  /** Whether the browser supports passkeys. */
  isSupported(): Promise<boolean>
  /** Creates a passkey on the device. The interface document shows no call for that, so it is added to the mock directly. */
  register(): Promise<void>
}

export function createPasskeys(service: MockService, user: MockUser): Passkeys {
  let source: PasskeySource = 'simulated'
  let isRegistered = false
  return {
    adapter: {
      async get(options, request) {
        if (source === 'device') return browserWebAuthn.get(options, request)
        return service.users.passkey(user, options)
      },
    },
    get isRegistered() {
      return isRegistered
    },
    use(next) {
      source = next
    },
    isSupported: async () => (await passkeySupport()).webauthn,
    async register() {
      const { id, response } = await startRegistration({ optionsJSON: creationOptions(user) })
      if (response.publicKey === undefined) throw new Error('The device did not return a public key.')
      service.users.addPasskey(user, { id, publicKey: response.publicKey })
      isRegistered = true
    },
  }
}

function creationOptions({ id, username }: MockUser): Parameters<typeof startRegistration>[0]['optionsJSON'] {
  const challenge = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const userHandle = base64url(new TextEncoder().encode(id))
  return {
    challenge,
    rp: { id: location.hostname, name: 'Rapport playground' },
    user: { id: userHandle, name: username, displayName: username },
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  }
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
