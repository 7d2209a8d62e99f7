import { Client, explain } from 'rapport-sdk'
import { mfaDialog } from 'rapport-sdk/dialog'
import { browser } from '$app/environment'

/** The client of the page, whose token is in a cookie. On the server each request has a client: see `lib/server/rapport.ts`. */
export const client = browser
  ? new Client({
      baseUrl: '/rapport',
      session: 'cookie',
      gateway: { url: `wss://${location.host}/rapport/gateway`, connectOnSignIn: true },
      onMfaRequired: mfaDialog({ explain }),
    })
  : undefined

declare module 'rapport-sdk' {
  // The API document shows only `id`; this service also has a name.
  interface PartialUser {
    username: string
  }
}
