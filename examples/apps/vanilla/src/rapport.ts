import { Client, explain } from 'rapport-sdk'
import { mfaDialog } from 'rapport-sdk/dialog'
import { webStorageTokenStore } from 'rapport-sdk/storage'

const { VITE_SERVICE_URL = 'http://localhost:4817', VITE_GATEWAY_URL = 'ws://localhost:4817/gateway' } = import.meta.env

export const client = new Client({
  baseUrl: VITE_SERVICE_URL,
  gateway: { url: VITE_GATEWAY_URL, connectOnSignIn: true },
  tokenStore: webStorageTokenStore(() => localStorage),
  onMfaRequired: mfaDialog({ explain }),
})

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
