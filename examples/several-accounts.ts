// Several accounts in one process: `client.as` gives each a session, prompts and a verification of its own, while options
// and the waits that the service asks for are shared. A handler that all share is not told whose prompt it is: give each
// call one that knows, or a client of its own.
import assert from 'node:assert/strict'
import { Client, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username, mfa: ['totp'] })
const accounts = [create('ada'), create('grace'), create('barbara')]

const prompts: string[] = []
const nobody = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
const clients = accounts.map((user) => ({ user, client: nobody.as(service.token(user)) }))

console.log('Everybody befriends everybody:')
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

console.log('Each passes step-up for itself alone:')
await Promise.all(
  clients.map(async ({ user, client }) => {
    // Somewhere else they are signed in, too.
    service.token(user)
    const { user_sessions } = await client.auth.sessions.list()
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
console.log(`  asked: ${prompts.join(', ')}`)

console.log('A token for one call is another way:')
const [ada] = accounts
assert(ada !== undefined)
const list = await nobody.relationships.list({ token: service.token(ada) })
assert.equal(nobody.session.isAuthenticated, false)
console.log(`  ${list.length} friends of ada, and the client itself stays signed out`)
