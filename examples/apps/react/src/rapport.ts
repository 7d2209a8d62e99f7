import { Client, createMfaPrompt } from 'rapport-sdk'
import { webStorageTokenStore } from 'rapport-sdk/storage'
import { z } from 'zod/mini'

// Created once, outside of components: they live as long as the page.

const { VITE_SERVICE_URL = 'http://localhost:4817', VITE_GATEWAY_URL = 'ws://localhost:4817/gateway' } = import.meta.env

export const mfaPrompt = createMfaPrompt()

export const client = new Client({
  baseUrl: VITE_SERVICE_URL,
  gateway: { url: VITE_GATEWAY_URL, connectOnSignIn: true },
  tokenStore: webStorageTokenStore(() => localStorage),
  onMfaRequired: mfaPrompt.handler,
  // Checks the type of users that is declared below. A mismatch is reported, and the list is shown all the same.
  userSchema: z.looseObject({ id: z.string(), username: z.string() }),
})

client.on('responseMismatch', ({ endpoint, issues }) => console.warn(endpoint, issues))

// Another device can end the session: then the service refuses a call, or closes the gateway with 4004.
const signOut = () => void client.session.setToken(null)
client.on('unauthorized', signOut)
client.gateway.on('error', ({ closeCode }) => closeCode === 4004 && signOut())

/** Waits for a sign-in, and then follows that account. */
export const relationships = client.relationships.live()

declare module 'rapport-sdk' {
  // The API document shows only `id`; this service also has a name.
  interface PartialUser {
    username: string
  }
}
