// Several accounts in one process: with `client.as`, each has its own session; prompts, verifications and rate limits are
// those of its account. Options are shared. A shared handler cannot tell whose prompt it is, so pass a handler per call
// or use separate clients.
import assert from 'node:assert/strict'
import { Client, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username, mfa: ['totp'] })
const accounts = [create('ada'), create('grace'), create('barbara')]

const prompts: string[] = []
const signedOut = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
const clients = accounts.map((user) => ({ user, client: signedOut.as(service.token(user)) }))

console.log('All become friends:')
for (const [index, { client }] of clients.entries()) {
  for (const { user: other } of clients.slice(index + 1)) {
    await client.relationships.create(other.id)
  }
}
await Promise.all(
  clients.map(async ({ client }) => {
    for (const { id, type } of await client.relationships.list()) {
      if (type === RelationshipType.INCOMING_REQUEST) await client.relationships.accept(id)
    }
  }),
)
for (const { user, client } of clients) {
  const friends = await client.relationships.list()
  console.log(`  ${user.username}: ${friends.map((friend) => friend.user.username).join(', ')}`)
  assert.equal(friends.length, 2)
}

console.log('Each account has its own step-up:')
await Promise.all(
  clients.map(async ({ user, client }) => {
    // Another session of the same user.
    service.token(user)
    const { user_sessions } = await client.auth.sessions.list()
    // The mock lists the session of the request first; elsewhere, compare with `gateway.sessionHash`.
    await client.auth.sessions.logout(
      { session_id_hashes: user_sessions.slice(1).map(({ id_hash }) => id_hash) },
      {
        onMfaRequired: () => {
          prompts.push(user.username)
          return { type: 'totp', code: service.users.totp(user) }
        },
      },
    )
  }),
)
assert.deepEqual(prompts.toSorted(), ['ada', 'barbara', 'grace'])
console.log(`  prompted: ${prompts.join(', ')}`)

console.log('A token for a single call:')
const [ada] = accounts
assert(ada !== undefined)
const list = await signedOut.relationships.list({ token: service.token(ada) })
assert.equal(signedOut.session.isAuthenticated, false)
console.log(`  ${list.length} friends of ada, and the client stays signed out`)
