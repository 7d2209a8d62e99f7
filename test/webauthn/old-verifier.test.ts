import type { VerifyAuthenticationResponseOpts } from '@simplewebauthn/server'
import { verifyPasskey } from 'rapport-sdk/mocks/node'
import { expect, test, vi } from 'vitest'
import { setUp } from '../mocks/set-up'
import { createAuthenticator } from './software-authenticator'

// Versions before 11, which an app may have for its own server, expect the credential by another name.
vi.mock('@simplewebauthn/server', async (load) => {
  const { verifyAuthenticationResponse, ...library } = await load<typeof import('@simplewebauthn/server')>()
  interface OldOptions extends VerifyAuthenticationResponseOpts {
    authenticator: { credentialID: string; credentialPublicKey: Uint8Array<ArrayBuffer>; counter: number }
  }
  return {
    ...library,
    verifyAuthenticationResponse: ({ authenticator, ...options }: OldOptions) => {
      const { credentialID: id, credentialPublicKey: publicKey, counter } = authenticator
      return verifyAuthenticationResponse({ ...options, credential: { id, publicKey, counter } })
    },
  }
})

test('an old @simplewebauthn/server verifies passkeys, too', async () => {
  const { service, ada, send } = setUp({ rpId: 'login.example', verifyPasskey })
  const authenticator = createAuthenticator()
  service.users.addPasskey(ada, authenticator.passkey)
  const signIn = async (key = authenticator.privateKey) => {
    const start = await send<{ ticket: string; challenge: string }>('POST /auth/conditional/start')
    const { ticket, challenge } = start.body
    const credential = authenticator.credentialFor(challenge, { key })
    return (await send('POST /auth/conditional/finish', { ticket, credential })).status
  }
  expect(await signIn()).toBe(200)
  expect(await signIn(createAuthenticator().privateKey)).toBe(400)
})
