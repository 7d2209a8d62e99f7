import { setupServer } from 'msw/node'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'

// What a documentation block may use without declaring it, and what answers it while it runs.

/** Where the examples' service is. */
export const baseUrl = 'https://service.example/api'

/** The mock behind it. */
export const service = createMockService({ baseUrl })

/** The password of everyone in it. */
export const password = 'correct horse battery'

/** The user who is signed in, with a second factor. */
export const user = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })

/** Somebody else, whom `user` may befriend. */
export const other = service.users.create({ login: 'grace@example.com', username: 'grace', password })

/** The token of `user`. */
export const token = service.token(user)

/** A client of `user`, who answers every challenge. */
export const client = new Client({
  baseUrl,
  token,
  onMfaRequired: () => ({ type: 'totp', code: service.users.totp(user) }),
  gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
})

setupServer(...handlers(service)).listen({ onUnhandledRequest: 'error' })
