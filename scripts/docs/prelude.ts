import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

// Names that a documentation block can use without declaring them, and the mock that responds to its requests.

/** Base URL of the service. */
export const baseUrl = 'https://service.example/api'

/** The mock at `baseUrl`. */
export const service = createMockService({ baseUrl })

/** The password of all its users. */
export const password = 'correct horse battery'

/** The signed-in user, with a TOTP app. */
export const user = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })

/** Another user. */
export const other = service.users.create({ login: 'grace@example.com', username: 'grace', password })

/** The token of `user`. */
export const token = service.token(user)

/** A client of `user`, with a handler for second factors. */
export const client = new Client({
  baseUrl,
  token,
  onMfaRequired: () => ({ type: 'totp', code: service.users.totp(user) }),
  gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
})

const platformFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const { origin, hostname } = new URL(input instanceof Request ? input.url : input)
  if (origin === new URL(baseUrl).origin) return service.fetch(input, init)
  // Servers of blocks listen on loopback.
  if (hostname === '127.0.0.1') return platformFetch(input, init)
  throw new TypeError(`A block has no access to ${origin}.`)
}
