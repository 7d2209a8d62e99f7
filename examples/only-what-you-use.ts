// A page with a sign-in and a list of friends, from only the parts that it uses. In the browser, its bundle is
// smaller than one with `Client`, because bundlers remove the other parts.
import assert from 'node:assert/strict'
import { RelationshipType } from 'rapport-sdk'
import { auth, createClient, gateway, live, mfa, relationships } from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'

const password = 'correct horse battery'
const service = createMockService()
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
const linus = service.users.create({ login: 'linus@example.com', username: 'linus', password })
service.relationships.befriend(ada, grace)

const client = createClient(
  {
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    // One handler for both: sign-ins (`auth`) and step-ups (`mfa`).
    onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket, connectOnSignIn: true },
  },
  { auth, mfa, relationships, gateway, live },
)
console.log(Object.keys(client).join(', '))

const friends = client.relationships.live()
await client.auth.login({ login: 'ada@example.com', password })
await friends.ready
console.log(friends.filter(RelationshipType.FRIEND).map(({ user }) => user.username))
assert.equal(friends.filter(RelationshipType.FRIEND).length, 1)

await client.gateway.connect()
await friends.refresh()
const changed = new Promise((resolve) => friends.on('change', resolve))
service.relationships.request(linus, ada)
await changed
console.log(`request of ${friends.filter(RelationshipType.INCOMING_REQUEST).map(({ user }) => user.username)}`)
client.dispose()
