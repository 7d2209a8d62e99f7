import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { AddPasskeyOptions } from 'rapport-sdk/mocks'

/** A virtual authenticator of a page. */
export interface Authenticator {
  /** Adds a passkey for `localhost`. Returns the ID and public key that a registration would return. */
  addPasskey(user: { readonly id: string }): Promise<AddPasskeyOptions>
  /** Sets whether the user confirms ceremonies. */
  setPresent(isPresent: boolean): Promise<void>
}

/** Creates the key pair of a passkey: the private key for the authenticator, and what the service stores. */
export function createPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const added: AddPasskeyOptions = { id: id.toString('base64url'), publicKey: spki.toString('base64url') }
  return { id, privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }), added }
}

/** Adds a virtual authenticator to a page, with the Chrome DevTools Protocol. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('WebAuthn.enable')
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async addPasskey(user) {
      const { id, privateKey, added } = createPasskey()
      await tools.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: {
          credentialId: id.toString('base64'),
          isResidentCredential: true,
          rpId: 'localhost',
          privateKey: privateKey.toString('base64'),
          userHandle: Buffer.from(user.id).toString('base64'),
          signCount: 0,
        },
      })
      return added
    },
    setPresent: async (enabled) => {
      await tools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
