// A page "Where you are signed in": lists the sessions of an account, finds the current one, and ends the others.
import assert from 'node:assert/strict'
import { Client, isAuthenticationError, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const agents = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
}
const service = createMockService({
  now: '2030-01-01T12:00:00Z',
  policy: { location: (ip) => (ip === '203.0.113.7' ? 'Lisbon, Portugal' : 'Berlin, Germany') },
})
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password: 'correct horse battery' })
const { baseUrl, fetch } = service

const forgotten = new Client({
  baseUrl,
  fetch: service.fetchFrom('203.0.113.7'),
  token: service.token(ada, { ip: '203.0.113.7', userAgent: agents.phone }),
})
await forgotten.relationships.list()
service.clock.advance('3d')

const client = new Client({
  baseUrl,
  fetch,
  headers: { 'user-agent': agents.desktop },
  gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
})
await client.auth.login({ login: 'ada@example.com', password: 'correct horse battery' })

const { user_sessions } = await client.auth.sessions.list()
// The list does not say which session is this one. Ready does: it has the hash of the session that connected.
await client.gateway.connect()
const current = user_sessions.find(({ id_hash }) => id_hash === client.gateway.sessionHash)
const others = user_sessions.filter((session) => session !== current)
assert.equal(current?.client_info.os, 'Windows')
assert.equal(others.length, 1)
for (const { client_info, approx_last_used_time } of user_sessions) {
  const { os, platform, location } = client_info
  const lastUsed = approx_last_used_time.slice(0, 10)
  console.log(
    `${platform ?? 'unknown client'} on ${os ?? 'unknown system'}, ${location ?? 'unknown location'}, ${lastUsed}`,
  )
}

try {
  await client.auth.sessions.logout({ session_id_hashes: [] })
  assert.fail('an empty array is invalid')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  console.log(`Nothing was sent: ${error.issues.map(({ message }) => message).join()}`)
}

await client.auth.sessions.logout({ session_id_hashes: others.map(({ id_hash }) => id_hash) })
console.log(`Ended ${others.length} other session`)

// A client whose session has ended keeps its token until the app decides. Use `unauthorized` to ask for sign-in.
forgotten.on('unauthorized', ({ endpoint }) => console.log(`On the phone, ${endpoint} was refused: sign in again`))
const refused: unknown = await forgotten.relationships.list().catch((error: unknown) => error)
assert(isAuthenticationError(refused))
await forgotten.session.setToken(null)

await client.auth.logout() // also disconnects the gateway
assert.equal(client.session.isAuthenticated, false)
console.log('Signed out on the desktop too')
