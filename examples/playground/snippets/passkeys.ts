import { startRegistration } from '@simplewebauthn/browser'
import type { MockService, MockUser } from 'rapport-sdk/mocks'

export async function registerDevice(
  service: MockService,
  ada: MockUser,
) {
  const base64url = (bytes: Uint8Array) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: base64url(
        crypto.getRandomValues(new Uint8Array(32)),
      ),
      rp: { id: location.hostname, name: 'Rapport playground' },
      user: {
        id: base64url(new TextEncoder().encode(ada.id)),
        name: ada.username,
        displayName: ada.username,
      },
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      authenticatorSelection: {
        residentKey: 'required',
        userVerification: 'preferred',
      },
    },
  })

  // The API document shows no call that registers a passkey,
  // so the mock takes it directly.
  const { publicKey } = response
  if (publicKey === undefined) throw new Error('No public key')
  service.users.addPasskey(ada, { id, publicKey })
}
