import { Client, createMfaPrompt } from 'rapport-sdk'
import { webStorageTokenStore } from 'rapport-sdk/storage'

// Created once, outside of components: they live as long as the page.

const { VITE_SERVICE_URL = 'http://localhost:4010', VITE_GATEWAY_URL = 'ws://localhost:4010/gateway' } = import.meta.env

export const mfaPrompt = createMfaPrompt()

export const client = new Client({
  baseUrl: VITE_SERVICE_URL,
  gateway: { url: VITE_GATEWAY_URL, connectOnSignIn: true },
  tokenStore: webStorageTokenStore(() => localStorage),
  onMfaRequired: mfaPrompt.handler,
})

/** Waits for a sign-in, and then follows that account. */
export const relationships = client.relationships.live()

declare module 'rapport-sdk' {
  // The interface document shows only `id`; this service also has a name.
  interface PartialUser {
    username: string
  }
}
