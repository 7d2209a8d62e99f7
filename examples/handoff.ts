// Handing a signed-in session to a second client on the same machine: a browser signs in the desktop app. The handoff token
// works once, with the same key, from the same IP address.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Client, isApiError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
const home = service.fetchFrom('192.0.2.10')
const elsewhere = service.fetchFrom('203.0.113.7')
const { baseUrl } = service

const browser = new Client({ baseUrl, fetch: home, token: service.token(ada, { ip: '192.0.2.10' }) })
const desktop = new Client({ baseUrl, fetch: home })

// The desktop app creates the key and opens the browser with it. The handoff token returns through the app's own link.
const key = randomUUID()
const { handoff_token } = await browser.auth.createHandoffToken({ key })
console.log('The browser has created a handoff token')

/** Tries to exchange the handoff token and returns the service's message. Throws if it succeeds. */
async function refused(client: Client, params: { key: string; handoff_token: string }): Promise<string> {
  try {
    await client.auth.exchangeHandoffToken(params)
  } catch (error) {
    if (isApiError(error)) return error.serviceMessage
    throw error
  }
  throw new Error('the handoff was expected to be refused')
}

const stranger = new Client({ baseUrl, fetch: elsewhere })
console.log(`From another address: ${await refused(stranger, { key, handoff_token })}`)
console.log(`With another key: ${await refused(desktop, { key: randomUUID(), handoff_token })}`)
assert.equal(desktop.session.isAuthenticated, false)

const { user } = await desktop.auth.exchangeHandoffToken({ key, handoff_token })
assert.equal(user.id, ada.id)
assert(desktop.session.isAuthenticated)
console.log(`The desktop app is signed in as ${user.username}`)
console.log(`With the same token again: ${await refused(new Client({ baseUrl, fetch: home }), { key, handoff_token })}`)

// Each client has its own session: one can sign out while the other stays signed in.
assert.notEqual(desktop.session.token, browser.session.token)
await browser.auth.logout()
const { user_sessions } = await desktop.auth.sessions.list()
assert.equal(user_sessions.length, 1)
console.log('The browser has signed out; the desktop app stays signed in')

const late = await desktop.auth.createHandoffToken({ key: 'too-late' })
service.clock.advance('10m')
console.log(`After ten minutes: ${await refused(new Client({ baseUrl, fetch: home }), { key: 'too-late', ...late })}`)
