import { Client, explain } from 'rapport-sdk'
import { mfaDialog } from 'rapport-sdk/dialog'

const isBrowser = typeof document !== 'undefined'
const host = isBrowser ? location.host : 'localhost'
const gateway = { url: `wss://${host}/rapport/gateway`, connectOnSignIn: true }

/** The client of the page, whose token is in a cookie. On the server one stands for it that does nothing: see `rapport.server.ts`. */
export const client: Client<'cookie'> = isBrowser
  ? new Client({ baseUrl: '/rapport', session: 'cookie', gateway, onMfaRequired: mfaDialog({ explain }) })
  : new Client({ baseUrl: `https://${host}`, gateway })

/** Starts from what the server has loaded, and then follows the account. */
export const relationships = client.relationships.live()

declare module 'rapport-sdk' {
  // The API document shows only `id`; this service also has a name.
  interface PartialUser {
    username: string
  }
}

declare module 'rapport-sdk/react' {
  // What `useClient` returns.
  interface Register {
    client: typeof client
  }
}
